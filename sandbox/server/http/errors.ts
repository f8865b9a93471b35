import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { Refusal, type RefusalReason } from './refusal.js'
import { refusal, type Envelope, type FieldError } from './envelope.js'

const STATUSES: Readonly<Record<RefusalReason, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
}

/** Answers every error in the envelope, and without details of the implementation. */
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
  if (error instanceof Refusal) {
    return refusal(STATUSES[error.reason], [{ [error.field]: error.problem }], error.sentence)
  }
  const { validation, validationContext, statusCode } = error as Partial<FastifyError>
  if (validation !== undefined) return refusal(400, fieldErrors(validation, validationContext!))
  // Fastify's own errors: a body that is too large or not JSON, a malformed address.
  return refusal([400, 413, 415].find((code) => code === statusCode) ?? 500)
}

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Takes down which methods each path has, from now on. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    for (const name of [method].flat()) known.add(name)
    methods.set(url, known)
  })
  return methods
}

/** Answers 405 to the methods that a path does not have, and says which it has. */
export function refuseOtherMethods(
  app: FastifyInstance,
  methods: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [url, known] of methods) {
    const allow = [...known].sort().join(', ')
    const refuse = async (_request: unknown, reply: FastifyReply) =>
      reply.code(405).header('Allow', allow).send(refusal(405))
    app.route({
      url,
      method: METHODS.filter((method) => !known.has(method)),
      schema: { hide: true },
      // Before the body is read: whatever it is, it is not wanted.
      onRequest: refuse,
      handler: refuse,
    })
  }
}

/** The part of an error of the validator that is used. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

/** Describes what is wrong with which field, for the envelope. No value is repeated. */
function fieldErrors(errors: readonly SchemaError[], part: string): readonly FieldError[] {
  return errors.map((error) => ({ [fieldOf(error) || part]: problemOf(error) }))
}

function fieldOf({ keyword, instancePath, params }: SchemaError): string {
  const path = instancePath.split('/').slice(1)
  const name =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined
  // A name that is a long number might be that of a card.
  return [...path, ...(typeof name === 'string' && !/\d{7}/.test(name) ? [name] : [])].join('.')
}

function problemOf({ keyword, params, message }: SchemaError): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not known here'
    case 'type':
      return `must be ${withArticle(String(params['type']))}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly string[]).join(', ')}`
    default:
      return message!
  }
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
