/**
 * Verifies the payment service's webhooks as a middleware of Hono 4.
 *
 * @module fetch/hono
 */
import { WebhookError, type VerifiedWebhook } from '@service-signature/core'
import {
  createReceiver,
  problemOf,
  type BodyLimits,
  type ReceiverOptions,
} from '@service-signature/core/receiver'
import { bodyConsumed, checkBodyLength } from '@service-signature/core/shared/body-limits'
import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { readBody } from './body.js'
import { responseTo } from './refusal.js'

/** `C` is the context that the hooks and a `secret` function get as `request`: `Context<{ Bindings: Bindings }>`. */
export type ServiceSignatureOptions<C extends Context = Context> = ReceiverOptions<C>

/** The variables of the context for the next handler: `c.var.webhook`, or `c.get('webhook')`. */
export interface WebhookEnv {
  readonly Variables: { readonly webhook: VerifiedWebhook }
}

const PARSED =
  'in Hono, put serviceSignature(options) before the middleware that calls c.req.json(), c.req.text() or c.req.parseBody(), ' +
  'or let that call c.req.arrayBuffer() first, which keeps the bytes'
const MOUNTED_TWICE =
  'in Hono, serviceSignature() is mounted twice for this route, perhaps by app.use() and by app.post(). Keep only ' +
  'app.post(path, serviceSignature(options), handler)'

/**
 * Middleware that verifies webhook signatures. The delivery is `c.var.webhook`; with a `dispatcher`, it is dispatched and
 * answered here. A refusal is an `HTTPException`, whose `cause` is a `WebhookError`.
 *
 * @example
 * app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (c) => {
 *   console.log(c.var.webhook.event.type)
 *   return c.body(null, 204)
 * })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature<C extends Context = Context>(
  options: ServiceSignatureOptions<C>,
): MiddlewareHandler<WebhookEnv> {
  const receiver = createReceiver<Context>(options as ServiceSignatureOptions)

  return async function serviceSignature(c, next) {
    const { headers } = c.req.raw
    const reception = receiver.open({
      request: c,
      // Repeated headers are joined with a comma, and the grammar refuses duplicates.
      header: headers.get('service-signature'),
      encoding: headers.get('content-encoding'),
      signal: () => c.req.raw.signal,
    })
    const taken = await reception.take(
      () => bytesOf(c, receiver.limits),
      (webhook) => {
        c.set('webhook', webhook)
      },
    )
    if ('refused' in taken) throw exceptionOf(c, taken.refused)
    // An empty string, because hosts know the length of a string.
    if ('status' in taken) return taken.status === 200 ? c.body('', 200) : c.body(null, 204)
    const { delivery } = taken
    let answered: number | undefined
    try {
      await delivery.run(next)
      // Hono has answered an error of the handler by now.
      if (c.error !== undefined) answerFailure(c, await reception.refuse(c.error))
      // Whatever the answer is, the delivery was not handled.
      answered = c.error !== undefined && c.res.ok ? 500 : c.res.status
    } finally {
      // Before the answer is sent: some runtimes (Workers) stop all pending work then.
      await delivery.finish(answered)
    }
    return undefined
  }
}

/** The bytes of the body, also for `c.req.json()` and the other methods, which could not read the body again. */
async function bytesOf(c: Context, limits: BodyLimits): Promise<Uint8Array> {
  if (c.get('webhook') !== undefined) throw bodyConsumed(MOUNTED_TWICE)
  // The types of Hono leave out that each of these is a promise.
  const cache = c.req.bodyCache as Record<string, unknown> as { arrayBuffer?: Promise<ArrayBuffer> }
  if (cache.arrayBuffer !== undefined) {
    const bytes = new Uint8Array(await cache.arrayBuffer)
    checkBodyLength(bytes.length, limits)
    return bytes
  }
  const bytes = await readBody(c.req.raw, limits, PARSED)
  cache.arrayBuffer = Promise.resolve(bytes.slice().buffer)
  return bytes
}

/** Hono answers every error with 500, unless `app.onError` does, and an inbox may ask for a retry with another status. */
function answerFailure(c: Context, failure: unknown): void {
  if (!WebhookError.is(failure) || failure.status === 500 || c.res.status !== 500) return
  // Otherwise the new answer gets the headers of the old one.
  c.res = undefined
  c.res = responseTo(problemOf(failure), isHttp2(c))
}

/** A refusal as Hono answers it, unless `app.onError` does. Any other error is rethrown for the operator. */
function exceptionOf(c: Context, error: unknown): unknown {
  if (!WebhookError.is(error)) return error
  const { status, headers, body } = problemOf(error)
  // Hono answers with the stream of its body, of which hosts do not know the length.
  const problem = { status, headers: { ...headers, 'Content-Length': String(body.length) }, body }
  return new HTTPException(error.status as 401, {
    res: responseTo(problem, isHttp2(c)),
    message: 'The delivery was refused',
    cause: error,
  })
}

/** On Node, `c.env` has the request of its server (https://hono.dev/docs/getting-started/nodejs). */
function isHttp2({ env }: Context): boolean {
  const { incoming } = {
    ...(env as { readonly incoming?: { readonly httpVersionMajor?: unknown } } | undefined),
  }
  return incoming?.httpVersionMajor === 2
}
