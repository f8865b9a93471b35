import { getRequestListener } from '@hono/node-server'
import { serviceSignature } from '@service-signature/fetch'
import { serviceSignature as middleware } from '@service-signature/fetch/hono'
import { Hono } from 'hono'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { observed, secret, sign, transaction } from './support/deliveries.js'

const bodyLimit = 1000

/** Sends the head and these bytes, and resolves to the first bytes of the answer. */
async function send(
  fetch: Parameters<typeof getRequestListener>[0],
  headers: readonly string[],
  body: Uint8Array,
): Promise<string> {
  const answer = getRequestListener(fetch)
  const server = createServer({ insecureHTTPParser: true }, (req, res) => void answer(req, res))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  })
  socket.write([`POST / HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n'))
  socket.write(body)
  const [received] = (await once(socket, 'data')) as [Buffer]
  return String(received)
}

function endpoints(handler: () => undefined) {
  const { options, codes } = observed()
  const guard = middleware({ ...(options as object), secret, bodyLimit })
  const app = new Hono().post('/', guard, (c) => {
    handler()
    return c.body(null, 204)
  })
  const handle = serviceSignature({ ...options, bodyLimit }, handler)
  return { codes, fetches: [app.fetch, (request: Request) => handle(request)] }
}

it('a body with two lengths, which a lenient parser accepts, is refused as soon as it is over the limit', async () => {
  const handler = vi.fn<() => undefined>()
  const { codes, fetches } = endpoints(handler)
  const headers = [`Service-Signature: ${sign('')}`, 'Content-Length: 5', 'Transfer-Encoding: chunked']
  for (const fetch of fetches) {
    // The body does not end, so what was read of it is at most this.
    const answer = await send(fetch, headers, Buffer.from(`3e9\r\n${' '.repeat(bodyLimit + 1)}\r\n`))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  }
  expect(codes).toEqual(['ERR_BODY_TOO_LARGE', 'ERR_BODY_TOO_LARGE'])
  expect(handler).not.toHaveBeenCalled()
})

it('a body whose length the server keeps is not read as a stream, which costs more in Hono on Node', async () => {
  const { options } = observed()
  const handler = vi.fn<() => undefined>()
  const handle = serviceSignature(options, handler)
  const body = vi.fn()
  const headers = [`Service-Signature: ${sign(transaction)}`, `Content-Length: ${transaction.length}`]
  const fetch = (request: Request) => {
    vi.spyOn(request, 'body', 'get').mockImplementation(body)
    return handle(request)
  }
  expect(await send(fetch, headers, transaction)).toMatch(/^HTTP\/1\.1 204 /)
  expect(handler).toHaveBeenCalledOnce()
  expect(body).not.toHaveBeenCalled()
})
