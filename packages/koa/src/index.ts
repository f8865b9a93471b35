/**
 * Verifies the payment service's webhooks in Koa 2 and 3.
 *
 * @module koa
 */
import { WebhookError, type VerifiedWebhook } from '@service-signature/core'
import { createNodeReceiver, type ReceiverOptions } from '@service-signature/core/node'
import type { Context, Next, ParameterizedContext } from 'koa'

declare module 'koa' {
  interface DefaultState {
    /** The delivery, after `serviceSignature()`. */
    webhook?: VerifiedWebhook
  }
}

export type ServiceSignatureOptions = ReceiverOptions<Context>

// Not `Context`: app.use() would then return an application of another type.
export type ServiceSignatureMiddleware = (ctx: ParameterizedContext, next: Next) => Promise<void>

const PARSED = 'in Koa, put serviceSignature(options), or the router that has it, above app.use(bodyParser())'
const MOUNTED_TWICE =
  'in Koa, serviceSignature() is mounted twice for this route, perhaps by app.use() and by router.post(). Keep only ' +
  'router.post(path, serviceSignature(options), handler)'

/**
 * Middleware that verifies webhook signatures. The delivery is `ctx.state.webhook`; with a `dispatcher`, it
 * is dispatched and answered here.
 *
 * @example
 * router.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (ctx) => {
 *   console.log(ctx.state.webhook?.event.type)
 *   ctx.status = 204
 * })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature(options: ServiceSignatureOptions): ServiceSignatureMiddleware {
  const receiver = createNodeReceiver(options, ({ state }) =>
    state.webhook === undefined ? PARSED : MOUNTED_TWICE,
  )

  return async function serviceSignature(ctx, next) {
    const { request, req, res } = ctx
    const reception = receiver.open({ request: ctx, req, res })
    const taken = await reception.take(
      (read) => read(request, req),
      (webhook) => {
        ctx.state.webhook = webhook
        // A parser after this middleware would find the stream read, and end the request without the handler.
        ctx['disableBodyParser'] = true
      },
    )
    if ('refused' in taken) throw taken.refused
    if ('status' in taken) {
      ctx.body = ''
      ctx.status = taken.status
      return
    }
    const { delivery } = taken
    let status: number | undefined
    try {
      await delivery.run(next)
    } catch (error) {
      const failure = await reception.refuse(error)
      status = WebhookError.is(failure) ? failure.status : 500
      throw failure
    } finally {
      // Koa does not always end the response if the sender is gone.
      const report = () => {
        void delivery.finish(status ?? ctx.status)
      }
      if (res.closed) report()
      else res.once('close', report)
    }
  }
}
