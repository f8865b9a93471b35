import middy from '@middy/core'
import httpErrorHandler from '@middy/http-error-handler'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import { serviceSignature, type HttpEvent, type WebhookHandler } from '@service-signature/lambda'
import type { Context } from 'aws-lambda'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { deliveryOf, now, secret } from './support/deliveries.js'
import { context as minimal } from './support/gateway.js'

const body = Buffer.from('{"type":"payout.sent"}')
const valid = deliveryOf(body)
const forged = deliveryOf(body, { body: Buffer.from('{"type":"payout.none"}').toString('base64') })
const context = minimal as unknown as Context

/** A function, and the arguments of its parts. */
function functionWith() {
  const handler = vi.fn<WebhookHandler<HttpEvent, Context>>()
  const onRejected = vi.fn<(error: Error) => void>()
  const log = vi.fn()
  const verified = serviceSignature<HttpEvent, Context>({ secret, now, onRejected }, handler)
  return { handler, onRejected, log, verified }
}

it('middy runs the function, with its middlewares around it', async () => {
  const { handler, log, verified } = functionWith()
  for (const invoke of [
    middy(verified).use(httpErrorHandler({ logger: log })),
    middy<HttpEvent>()
      .use(httpErrorHandler({ logger: log }))
      .handler(verified),
  ]) {
    handler.mockClear()
    expect(await invoke(forged, context)).toMatchObject({
      statusCode: 401,
      headers: { 'Content-Type': 'application/problem+json', 'WWW-Authenticate': 'Service-Signature' },
    })
    expect(handler).not.toHaveBeenCalled()
    expect(await invoke(valid, context)).toMatchObject({ statusCode: 204 })
    expect(handler).toHaveBeenCalledOnce()
  }
  // A refusal is an answer, not an error.
  expect(log).not.toHaveBeenCalled()
})

it("middy's error handler answers 500 for a handler that fails", async () => {
  const { handler, log, verified } = functionWith()
  const failure = new Error('the booking failed')
  handler.mockRejectedValue(failure)
  await expect(middy(verified)(valid, context)).rejects.toBe(failure)
  const invoke = middy(verified).use(httpErrorHandler({ logger: log }))
  const answer = await invoke(valid, context)
  expect(answer).toMatchObject({ statusCode: 500 })
  expect(JSON.stringify(answer)).not.toContain('booking')
  expect(log.mock.calls).toEqual([[failure]])
})

it("middy's JSON parser takes the bytes, and the error names it", async () => {
  const { handler, onRejected, verified } = functionWith()
  const invoke = middy(verified).use(httpJsonBodyParser() as middy.MiddlewareObj)
  expect(await invoke(structuredClone(valid), context)).toMatchObject({ statusCode: 500 })
  expect(handler).not.toHaveBeenCalled()
  expect(onRejected.mock.lastCall![0]).toMatchObject({ code: 'ERR_BODY_CONSUMED' })
  expect(onRejected.mock.lastCall![0].message).toContain('@middy/http-json-body-parser')
})

it('middy writes the answer to the stream of a function that streams its response', async () => {
  const heads: unknown[] = []
  // The global object that the runtime of Lambda provides.
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handle: unknown) => handle,
    HttpResponseStream: {
      from(stream: unknown, head: unknown) {
        heads.push(head)
        return stream
      },
    },
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { handler, verified } = functionWith()
  handler.mockReturnValue('handled')
  const stream = middy(verified, { streamifyResponse: true }) as unknown as (
    ...given: readonly unknown[]
  ) => Promise<void>
  for (const [event, statusCode, body] of [
    [forged, 401, '{"title":"Unauthorized","status":401}'],
    [valid, 200, 'handled'],
  ] as const) {
    const response = new PassThrough()
    const [written] = await Promise.all([text(response), stream(event, response, context)])
    expect(written).toBe(body)
    expect(heads.pop()).toMatchObject({ statusCode })
    expect(handler).toHaveBeenCalledTimes(statusCode === 200 ? 1 : 0)
  }
})
