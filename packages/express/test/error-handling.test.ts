import { WebhookError } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import type { ErrorRequestHandler, Response } from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { handlerMock, options, refused, send, serve, valid, versions } from './support/serve.js'

const unavailable = { ...options, secret: () => Promise.reject(new Error('the safe is shut')) }

describe.each(versions)('%s', (_name, express) => {
  /** A server in production. */
  async function start(onError?: ErrorRequestHandler, guarded: ServiceSignatureOptions = options) {
    const app = express().set('env', 'production')
    const handler = handlerMock()
    app.post('/webhooks', serviceSignature(guarded), handler)
    if (onError !== undefined) app.use(onError)
    const url = `${await serve(app)}/webhooks`
    return { url, handler }
  }

  it('an error handler that shows the message shows the same one for every 401', async () => {
    const { url, handler } = await start(
      answered((error, res) => {
        res.status(500).json({ error: error.message })
      }),
    )
    for (const signature of Object.values(refused)) {
      const answer = await send(url, signature)
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({
        error: 'The delivery was refused.',
      })
    }
    expect(handler).not.toHaveBeenCalled()
  })

  it('an error handler that sends the whole error sends the same for every 401', async () => {
    const { url, handler } = await start(
      answered((error, res) => {
        res.status(error.statusCode).json({ error, members: Object.assign({}, error) as unknown })
      }),
    )
    const bodies = new Set<string>()
    for (const signature of Object.values(refused)) {
      const answer = await send(url, signature)
      expect(answer.status).toBe(401)
      bodies.add(await answer.text())
    }
    expect([...bodies].map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        error: { code: 'ERR_DELIVERY_REFUSED', status: 401, retryable: false },
        members: { code: 'ERR_DELIVERY_REFUSED', status: 401, retryable: false },
      },
    ])
    expect(handler).not.toHaveBeenCalled()
  })

  it.each([
    ['a forged delivery', options, refused.forged, 401, { 'WWW-Authenticate': 'Service-Signature' }],
    ['an unavailable secret', unavailable, valid, 503, { 'Retry-After': '10' }],
  ])(
    'the error of %s has the properties of an error of http-errors',
    async (_what, guarded, signature, status, headers) => {
      const errors: WebhookError[] = []
      const { url, handler } = await start(
        answered((error, res) => {
          errors.push(error)
          res.sendStatus(418)
        }),
        guarded,
      )
      expect((await send(url, signature)).status).toBe(418)
      expect(errors).toHaveLength(1)
      expect(WebhookError.is(errors[0])).toBe(true)
      expect(errors[0]).toMatchObject({ status, statusCode: status, expose: false })
      expect(errors[0]!.headers).toEqual(headers)
      expect(handler).not.toHaveBeenCalled()
    },
  )

  it.each([
    ['a forged delivery', options, refused.forged, 401, 'Unauthorized', 'WWW-Authenticate'],
    ['an unavailable secret', unavailable, valid, 503, 'Service Unavailable', 'Retry-After'],
  ])(
    "Express's own handler answers %s with the status, its headers and no message, and prints the error",
    async (_what, guarded, signature, status, text, header) => {
      const log = vi.spyOn(console, 'error').mockReturnValue()
      onTestFinished(() => {
        log.mockRestore()
      })
      const { url, handler } = await start(undefined, guarded)
      const answer = await send(url, signature)
      expect(answer.status).toBe(status)
      expect(answer.headers.get(header)).not.toBeNull()
      expect(await answer.text()).toContain(`<pre>${text}</pre>`)
      await expect.poll(() => log.mock.calls).toHaveLength(1)
      expect(handler).not.toHaveBeenCalled()
    },
  )
})

/** Express recognizes an error handler by its four parameters. */
function answered(answer: (error: WebhookError, res: Response) => void): ErrorRequestHandler {
  return (error: WebhookError, _req, res, next) => {
    if (res.headersSent) next(error)
    else answer(error, res)
  }
}
