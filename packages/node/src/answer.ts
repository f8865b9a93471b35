import type { Problem } from '@service-signature/core/receiver'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'

const FAILURE: Problem = {
  status: 500,
  headers: { 'Content-Type': 'application/problem+json' },
  body: '{"title":"Internal Server Error","status":500}',
}

export function answerProblem(res: ServerResponse, { status, headers, body }: Problem): void {
  // A handler that failed may have set this header for its own body.
  res.removeHeader('Content-Encoding')
  for (const [name, value] of Object.entries({ ...headers, 'Content-Length': body.length })) {
    res.setHeader(name, value)
  }
  res.statusCode = status
  res.end(body)
}

/**
 * Answers after an error that is not a refusal, of the handler for example. It is printed, as Express, Connect, Koa, Next and
 * h3 print it, and nothing of it is sent to the caller.
 *
 * It is not passed to the `next` of Connect, Polka or h3, because none is safe with it: h3 takes a closed connection for a
 * call of `next` unless it gets a promise, and then ignores `next`; Polka sends the message to the caller, and throws on an
 * `error.code` that is not a status, such as `ECONNREFUSED`.
 */
export function answerFailure(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  problem = FAILURE,
): void {
  console.error(error)
  if (res.writableEnded) return
  if (res.headersSent) breakOff(req, res)
  else answerProblem(res, problem)
}

/** RFC 9113, 7. */
const INTERNAL_ERROR = 2

/** So that the caller does not take a part of an answer for the whole. */
function breakOff(req: IncomingMessage, res: ServerResponse): void {
  // Destroyed without a code, a stream of HTTP/2 seems complete.
  if (req.httpVersionMajor > 1) (res as unknown as Http2ServerResponse).stream.close(INTERNAL_ERROR)
  else res.destroy()
}
