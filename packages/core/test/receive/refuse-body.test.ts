import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { refuseBody } from '../../src/receive/node-host.js'
import { head, sender, type Sender } from '../support/endpoint.js'

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  ending.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function connected(port: number): Promise<Sender> {
  const one = await sender(port)
  ending.push(() => one.socket.destroy())
  return one
}

/** A server of Node that has received the head of a POST request, and the first bytes of its body. */
async function received(headers: Record<string, string | number | undefined>, first = '') {
  const requests: (string | undefined)[] = []
  const server = createServer((req, res) => {
    requests.push(req.method)
    // The request by which a test waits until the server has read whatever arrived before.
    if (req.method === 'GET') res.end('pong')
  })
  ending.push(() => {
    server.closeAllConnections()
  })
  const port = await listen(server)
  const client = await connected(port)
  client.socket.on('error', () => undefined)
  client.socket.write(head(headers) + first)
  const [req, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  async function pingFromElsewhere(): Promise<void> {
    const other = await connected(port)
    other.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await other.answers(1)
  }
  return { client, req, res, socket: req.socket, requests, pingFromElsewhere }
}

// A version of Node that fails one of these needs another refuseBody.
describe('the behaviour of Node that refuseBody depends on', () => {
  it('a paused socket gives nothing to the parser, and a resumed one does', async () => {
    const { client, req, socket, pingFromElsewhere } = await received({ 'Content-Length': 4 })
    socket.pause()
    client.socket.write('body')
    await pingFromElsewhere()
    expect([req.readableLength, req.complete]).toEqual([0, false])
    socket.resume()
    await once(req.resume(), 'end')
    expect(req.complete).toBe(true)
  })

  it.each([
    { complete: false, isDestroyed: true },
    { complete: true, isDestroyed: false },
  ])(
    'a request that ends while "complete" is $complete destroys its connection: $isDestroyed',
    async (row) => {
      const { req, socket } = await received({ 'Content-Length': 4 })
      req.on('error', () => undefined)
      req.complete = row.complete
      req.push(null)
      await once(req.resume(), 'close')
      expect(socket.destroyed).toBe(row.isDestroyed)
    },
  )

  it('shouldKeepAlive sends "Connection: close", also when the host removes all headers', async () => {
    const { client, res } = await received({ 'Content-Length': 0 })
    res.shouldKeepAlive = false
    res.setHeader('Allow', 'POST')
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    res.end('no')
    expect(await client.answers(1)).toContain('\r\nConnection: close\r\n')
  })

  it('the last answer ends with a call of destroySoon, and nothing else closes the connection', async () => {
    const { client, res, socket } = await received({ 'Content-Length': 0 })
    const called = new Promise<void>((resolve) => (socket.destroySoon = resolve))
    res.shouldKeepAlive = false
    res.end('no')
    await called
    await client.answers(1)
    expect([socket.destroyed, socket.writableEnded]).toEqual([false, false])
  })

  it('a new listener detaches a paused connection from the parser', async () => {
    const { client, req, res, socket, requests } = await received({ 'Content-Length': 300_000 })
    // More than the parser takes for a request that is not read, so that it has stopped the connection.
    client.socket.write(Buffer.alloc(200_000))
    while (req.readableLength < req.readableHighWaterMark) await new Promise(setImmediate)
    socket.pause()
    const seen = new Promise<void>((resolve) => {
      socket.destroySoon = () => {
        socket.once('resume', () =>
          socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
            if (chunk.toString('latin1').endsWith('the end')) resolve()
          }),
        )
        socket.resume()
      }
    })
    res.shouldKeepAlive = false
    res.end('no')
    await client.answers(1)
    client.socket.write(Buffer.alloc(100_000))
    client.socket.write(`${head({ 'Content-Length': 7 })}the end`)
    await seen
    expect(requests).toEqual(['POST'])
  })

  it('an HTTP/2 response finishes only when its stream is closed, which can be one turn after the stream', async () => {
    const server = createHttp2Server()
    const port = await listen(server)
    const session = connectHttp2(`http://127.0.0.1:${port}`)
    ending.unshift(() => {
      session.destroy()
    })
    const request = session.request({ ':method': 'POST' }, { endStream: false })
    const [, res] = (await once(server, 'request')) as [Http2ServerRequest, Http2ServerResponse]
    const order: string[] = []
    const { stream } = res
    res.once('finish', () => order.push('response'))
    stream.once('finish', () => {
      order.push('stream')
      setImmediate(() => {
        stream.close()
      })
    })
    request.once('response', () => order.push('answer')).resume()
    res.end('no')
    await once(request, 'close')
    expect(order).toContain('answer')
    expect(order.filter((what) => what !== 'answer')).toEqual(['stream', 'response'])
  })
})

describe('refuseBody', () => {
  const chunks = `3e8\r\n${'x'.repeat(1000)}\r\n`.repeat(3)

  it.each([
    { what: 'a body that arrives later', headers: { 'Content-Length': 300_000 }, first: '' },
    { what: 'a body that arrives with the head', headers: { 'Content-Length': 300_000 }, first: chunks },
    { what: 'chunks that arrive with the head', headers: { 'Transfer-Encoding': 'chunked' }, first: chunks },
  ])('keeps the connection open for a host that answers late: $what', async ({ headers, first }) => {
    const { client, req, res, socket, pingFromElsewhere } = await received(headers, first)
    await refuseBody(req, res, 10)
    client.socket.write(chunks)
    await pingFromElsewhere()
    expect([socket.destroyed, req.errored]).toEqual([false, null])
    res.end('no')
    expect(await client.answers(1)).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/)
  })
})
