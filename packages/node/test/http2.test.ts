import { memoryReplayStore } from '@service-signature/core'
import { serviceSignature, type WebhookHandler } from '@service-signature/node'
import { once } from 'node:events'
import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { now, secret, sign, transaction } from './support/deliveries.js'

type Handler = WebhookHandler<Http2ServerRequest, Http2ServerResponse>
type Listener = (req: Http2ServerRequest, res: Http2ServerResponse) => unknown

/** Serves until the test ends. */
async function serve(listener: Listener) {
  const server = createServer((req, res) => void listener(req, res)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    session.destroy()
    server.close()
    await once(server, 'close')
  })

  /** Sends the head, and the body. Without a body the stream stays open. */
  async function send(body: Buffer | null = transaction, signature = sign(transaction)) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/webhooks',
      'service-signature': signature,
    })
    if (body !== null) stream.end(body)
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    return { status: headers[':status'], headers, body: await text(stream) }
  }
  return { send, stall: () => send(null) }
}

describe('over HTTP/2', () => {
  it('a valid delivery reaches the handler, and another one is refused', async () => {
    const handler = vi.fn<Handler>((_webhook, _req, res) => {
      res.statusCode = 202
      res.end('handled')
    })
    const { send } = await serve(serviceSignature({ secret, now }, handler))
    expect(await send()).toMatchObject({ status: 202, body: 'handled' })
    const { headers, ...refused } = await send(transaction, sign(transaction, 'another_key'))
    expect(refused).toEqual({ status: 401, body: '{"title":"Unauthorized","status":401}' })
    expect(headers['content-type']).toBe('application/problem+json')
    expect(headers['www-authenticate']).toBe('Service-Signature')
    expect(handler).toHaveBeenCalledOnce()
    expect((handler.mock.lastCall![0].event.payload as { type: string }).type).toBe(
      'transaction.purchase.successful',
    )
  })

  it('a handler without an answer is answered with 204, and a duplicate with 200', async () => {
    const handler = vi.fn<Handler>()
    const { send } = await serve(
      serviceSignature({ secret, now, replay: memoryReplayStore({ now }) }, handler),
    )
    expect((await send()).status).toBe(204)
    expect((await send()).status).toBe(200)
    expect(handler).toHaveBeenCalledOnce()
  })

  it('a handler that fails is answered with 500', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => {
      print.mockRestore()
    })
    const failure = new Error('the database is down')
    const { send } = await serve(
      serviceSignature<Http2ServerRequest, Http2ServerResponse>({ secret, now }, () =>
        Promise.reject(failure),
      ),
    )
    expect(await send()).toMatchObject({
      status: 500,
      body: '{"title":"Internal Server Error","status":500}',
    })
    expect(print.mock.calls).toEqual([[failure]])
  })

  it('a handler that fails in the middle of its answer resets the stream', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => {
      print.mockRestore()
    })
    const { send } = await serve(
      serviceSignature<Http2ServerRequest, Http2ServerResponse>({ secret, now }, (_webhook, _req, res) => {
        res.writeHead(200)
        res.write('a part')
        throw new Error('the database is down')
      }),
    )
    await expect(send()).rejects.toThrow()
  })

  it('a sender that stalls gets 408, without a warning about a header of HTTP/1.1', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => {
      warn.mockRestore()
    })
    const handler = vi.fn<Handler>()
    const options = { secret, now, bodyTimeoutSeconds: 0.05, onRejected: () => undefined }
    const { stall } = await serve(serviceSignature(options, handler))
    expect(await stall()).toMatchObject({ status: 408, body: '{"title":"Request Timeout","status":408}' })
    expect(warn).not.toHaveBeenCalled()
    expect(handler).not.toHaveBeenCalled()
  })

  it('a body over the limit is refused', async () => {
    const handler = vi.fn<Handler>()
    const { send } = await serve(serviceSignature({ secret, now, bodyLimit: 5 }, handler))
    expect((await send()).status).toBe(413)
    expect((await send()).status).toBe(413)
    expect(handler).not.toHaveBeenCalled()
  })
})
