import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal, type RefusalReason } from '../model/refusal.js'
import { refusal, type Envelope } from './envelope.js'
import { fieldErrors } from './validation.js'

const STATUSES: Readonly<Record<RefusalReason, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
}

/** Every error leaves in the envelope (S7), and without a word about what the service is made of. */
export function answerErrors(logger: (line: string) => void) {
  return function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const envelope = envelopeOf(error)
    const { code } = envelope.status
    if (code === 500) logger(`${request.method} ${request.routeOptions.url!} ${String(error)}`)
    // RFC 9110, 15.5.2: a 401 says what it asks for.
    if (code === 401) void reply.header('WWW-Authenticate', 'X-Api-Key')
    void reply.code(code).send(envelope)
  }
}

function envelopeOf(error: unknown): Envelope<null> {
  if (error instanceof Refusal) return refusal(STATUSES[error.reason], [{ [error.field]: error.problem }])
  const { validation, validationContext, statusCode } = error as Partial<FastifyError>
  if (validation !== undefined) return refusal(400, fieldErrors(validation, validationContext!))
  // What is refused before it comes to a route: a body that is too large or no JSON, an address that is none.
  return refusal([400, 413, 415].find((code) => code === statusCode) ?? 500)
}

/** The same for what is not even HTTP, or comes with too many headers. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable) return
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = JSON.stringify(refusal(code))
  socket.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code]!}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
