import { memoryReplayStore, WebhookError } from '@service-signature/core'
import { serviceSignature } from '@service-signature/koa'
import type { Middleware } from 'koa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { options, refused, send, serve, valid, versions } from './support/serve.js'

const unavailable = { ...options, secret: () => Promise.reject(new Error('the safe is shut')) }

describe.each(versions)('%s', (_name, Application) => {
  /** A server whose middleware are an outer one, the verification and a handler. */
  async function start(outer: Middleware, guarded: Parameters<typeof serviceSignature>[0] = options) {
    const app = new Application()
    app.silent = true
    const handler = vi.fn<Middleware>((ctx) => {
      ctx.status = 204
    })
    const origin = await serve(app.use(outer).use(serviceSignature(guarded)).use(handler))
    return { app, origin, handler }
  }

  it('an outer middleware that shows the message shows the same one for every 401', async () => {
    const { origin, handler } = await start(async (ctx, next) => {
      await next().catch((error: unknown) => {
        ctx.status = 500
        ctx.body = { error: (error as Error).message }
      })
    })
    for (const signature of Object.values(refused)) {
      const answer = await send(origin, signature)
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({
        error: 'The delivery was refused.',
      })
    }
    expect(handler).not.toHaveBeenCalled()
  })

  it.each([
    ['a forged delivery', options, refused.forged, 401, { 'WWW-Authenticate': 'Service-Signature' }],
    ['an unavailable secret', unavailable, valid, 503, { 'Retry-After': '10' }],
  ])(
    'the error of %s has the properties of an error of ctx.throw()',
    async (_what, guarded, signature, status, headers) => {
      const errors: WebhookError[] = []
      const { origin, handler } = await start(async (ctx, next) => {
        await next().catch((error: unknown) => {
          errors.push(error as WebhookError)
          ctx.status = 418
        })
      }, guarded)
      expect((await send(origin, signature)).status).toBe(418)
      expect(errors).toHaveLength(1)
      expect(WebhookError.is(errors[0])).toBe(true)
      expect(errors[0]).toMatchObject({ status, statusCode: status, expose: false })
      expect(errors[0]!.headers).toEqual(headers)
      expect(handler).not.toHaveBeenCalled()
    },
  )

  it('Koa answers with only the status, and passes the error to listeners of "error"', async () => {
    const { app, origin, handler } = await start((_ctx, next) => next())
    const listener = vi.fn<(error: WebhookError) => void>()
    app.on('error', listener)
    const answer = await send(origin, refused.forged)
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 401,
      text: 'Unauthorized',
    })
    expect(listener.mock.calls.map(([error]) => (error.cause as WebhookError).code)).toEqual([
      'ERR_SIGNATURE_MISMATCH',
    ])
    expect(handler).not.toHaveBeenCalled()
  })

  it('Koa prints the error if there is no listener', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => {
      log.mockRestore()
    })
    const { app, origin, handler } = await start((_ctx, next) => next())
    app.silent = false
    expect((await send(origin, refused.forged)).status).toBe(401)
    expect(handler).not.toHaveBeenCalled()
    expect(log).toHaveBeenCalledOnce()
    expect(log.mock.lastCall![0]).toContain('WebhookError: The delivery was refused.')
  })

  it('the status that an outer middleware sets decides whether the delivery was handled', async () => {
    const statuses = [500, 202, 202]
    const { origin, handler } = await start(
      async (ctx, next) => {
        await next().catch(() => undefined)
        if (!ctx.res.headersSent && handler.mock.calls.length > 0) ctx.status = statuses.shift()!
      },
      { ...options, replay: memoryReplayStore() },
    )
    handler.mockImplementationOnce((ctx) => {
      ctx.status = 204
    })
    handler.mockRejectedValueOnce(new Error('the handler failed'))
    expect((await send(origin, valid)).status).toBe(500)
    expect((await send(origin, valid)).status).toBe(202)
    expect((await send(origin, valid)).status).toBe(202)
    expect(handler).toHaveBeenCalledTimes(2)
  })
})
