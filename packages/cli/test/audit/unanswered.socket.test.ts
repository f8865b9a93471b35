import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { UnreachableError } from '../../src/exit.js'
import { closedPort } from '../support/endpoint.js'
import { audit, auditAsJson } from './support/audit.js'
import { serve, serveSocket } from './support/serve.js'

const only = 'genuine purchase'
const timeout = '0.2'

describe('an endpoint that cannot be reached ends the audit:', () => {
  it.each([
    ['nothing listens there', closedPort, 'http', 'no connection (ECONNREFUSED)'],
    [
      'what listens is no HTTP',
      () => serveSocket((socket) => socket.end('220 mail.example ready\r\n')),
      'http',
      'no HTTP answer',
    ],
    [
      'what listens is no TLS',
      () => serveSocket((socket) => socket.end('220 ready\r\n')),
      'https',
      'no connection (',
    ],
    ['nobody shakes hands', () => serveSocket(() => undefined), 'https', 'no connection in 0.2 s'],
  ] as const)('%s', async (_what, start, protocol, reason) => {
    const url = `${protocol}://127.0.0.1:${await start()}/`
    const failed = audit(url, { timeout })
    await expect(failed).rejects.toThrow(UnreachableError)
    await expect(failed).rejects.toThrow(`Cannot reach ${url}: ${reason}`)
  })
})

describe('an endpoint that gives no answer is found:', () => {
  it.each([
    ['it is silent', () => undefined, 'no answer in 0.2 s'],
    ['it hangs up', (socket: Socket) => socket.end(), 'closed'],
    [
      'it cuts the connection',
      (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()),
      'closed',
    ],
  ] as const)('%s', async (_what, onSocket, got) => {
    const port = await serveSocket(onSocket)
    const { cases } = await auditAsJson(`http://127.0.0.1:${port}/`, { only, timeout })
    expect(cases).toMatchObject([{ name: only, got, weakness: 'loses', passed: false }])
  })

  it('it is gone after the first case', async () => {
    const server = createServer((_req, res) => {
      res.writeHead(204).end()
      server.close()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { cases } = await auditAsJson(`http://127.0.0.1:${port}/`, { only: 'genuine' })
    expect(cases.map(({ got }) => got)).toEqual(['204', 'no connection (ECONNREFUSED)'])
  })
})

describe('an answer', () => {
  it('counts from its head on, though it has no end', async () => {
    const url = await serve((_req, res) => res.writeHead(200).write('and'))
    expect(await auditAsJson(url, { only, timeout })).toMatchObject({ score: 100 })
  })

  it('ends the delivery, though the endpoint neither reads on nor hangs up', async () => {
    const port = await serveSocket((socket) => {
      socket.pause()
      socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n')
    })
    // The time is for tests that hang.
    const { cases } = await auditAsJson(`http://127.0.0.1:${port}/`, { only: 'forged 64 MB', timeout: '60' })
    expect(cases.at(-1)).toMatchObject({ got: '413', passed: true })
  })

  it('is read no further than 64 KiB, though it is poured without end', async () => {
    const url = await serve((_req, res) => {
      const pour = () => {
        while (res.write('x'.repeat(16_384)));
      }
      res.on('drain', pour)
      pour()
    })
    // The time is for tests that hang.
    expect(await auditAsJson(url, { only, timeout: '60' })).toMatchObject({ score: 100 })
  })
})
