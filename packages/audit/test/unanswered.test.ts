import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { freePort } from '@service-signature/contract/free-port'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { replaceTimeLimit, type TimeLimit } from '../../terminal/test/support/time-limit.js'
import type { AuditReport } from '../src/report/report.js'
import { auditOf } from './support/audit.js'
import { endpointOf } from './support/recipe.js'
import { serve, serveSocket } from './support/serve.js'

const only = 'genuine purchase'
/** In the words of a report: each delivery has the time that a test gives it. */
const timeoutSeconds = 0.2

let time: TimeLimit
beforeEach(() => {
  time = replaceTimeLimit()
})

describe('an endpoint that does not answer valid deliveries ends the audit:', () => {
  it.each([
    ['nothing listens there', freePort, 'http', 'no connection (ECONNREFUSED)'],
    [
      'what listens does not speak HTTP',
      () => serveSocket((socket) => socket.end('220 mail.example ready\r\n')),
      'http',
      'no HTTP answer',
    ],
    [
      'what listens does not speak TLS',
      () => serveSocket((socket) => socket.end('220 ready\r\n')),
      'https',
      'no connection (',
    ],
    [
      'it never finishes the handshake',
      () => serveSocket((socket) => socket.once('data', time.end)),
      'https',
      'no connection in 0.2 s',
    ],
  ] as const)('%s', async (_what, start, protocol, reason) => {
    const url = `${protocol}://127.0.0.1:${await start()}/`
    const report = await auditOf(url, { timeoutSeconds })
    expectNothingRun(report)
    expect(report.problem).toContain(`Cannot reach ${url}: ${reason}`)
    expect(report.problem).toContain('Is the endpoint running, and is the address right?')
  })

  it.each([
    [
      'it is silent',
      (socket: Socket) => socket.once('data', time.end),
      'accepts connections, but 2 valid deliveries got no answer in 0.2 s each',
    ],
    ['it hangs up', (socket: Socket) => socket.end(), 'closes the connection without an answer'],
    [
      'it cuts the connection',
      (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()),
      'closes the connection without an answer',
    ],
  ] as const)('%s', async (_what, onSocket, words) => {
    let connections = 0
    const port = await serveSocket((socket) => {
      connections++
      onSocket(socket)
    })
    const report = await auditOf(`http://127.0.0.1:${port}/`, { timeoutSeconds })
    expectNothingRun(report)
    expect(report.problem).toContain(words)
    expect(connections).toBe(2)
  })

  function expectNothingRun({ state, reason, total, passed, failed, cases, notes }: AuditReport): void {
    expect({ state, reason, passed, failed, notes }).toEqual({
      state: 'stopped',
      reason: 'no-answer',
      passed: 0,
      failed: 0,
      notes: [],
    })
    expect(total).toBeGreaterThanOrEqual(60)
    expect(cases.every(({ outcome, got }) => outcome === 'not-run' && got === '')).toBe(true)
  }
})

describe('an endpoint that stops answering ends the audit:', () => {
  it('a case that brings it down has failed, and the others were not run', async () => {
    const { url, stop } = await serveUntilStopped((req, res) => {
      let text = ''
      req.on('data', (bytes: Buffer) => (text += String(bytes)))
      req.on('end', () => {
        if (text.startsWith('[[')) stop()
        else res.writeHead(204).end()
      })
    })
    const report = await auditOf(url, { groups: ['odd', 'answers'] })
    expect(report).toMatchObject({ state: 'stopped', reason: 'no-answer', passed: 3, failed: 1, total: 9 })
    expect(report.problem).toBe(
      'The endpoint does not answer any more since the case "nested 20,000 deep" (no connection (ECONNREFUSED)). ' +
        'If that delivery brought it down, fix this first. Then audit it again.',
    )
    expect(report.cases[3]).toMatchObject({
      name: 'nested 20,000 deep',
      outcome: 'failed',
      weakness: 'fails',
      got: 'closed and no connection (ECONNREFUSED)',
    })
  })

  it('a case whose first delivery does not arrive was not run', async () => {
    const { url, stop } = await serveUntilStopped((_req, res) => {
      res.writeHead(204).end()
      stop()
    })
    const report = await auditOf(url, { only: 'genuine' })
    expect(report.cases.map(({ outcome }) => outcome)).toEqual(['passed', 'not-run'])
    expect(report.problem).toBe(
      'The endpoint does not answer any more (no connection (ECONNREFUSED)); the case "genuine intent" was the next. ' +
        'Was it stopped? Then audit it again.',
    )
  })

  it('with several cases at once, too', async () => {
    const { url, stop } = await serveUntilStopped((_req, res) => {
      res.writeHead(204).end()
      stop()
    })
    const report = await auditOf(url, { concurrency: 4 })
    expect(report).toMatchObject({ state: 'stopped', reason: 'no-answer', passed: 1, failed: 0 })
  })

  /** `stop` ends the server with all its connections. */
  async function serveUntilStopped(listener: RequestListener): Promise<{ url: string; stop: () => void }> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const stop = () => {
      server.close()
      server.closeAllConnections()
    }
    onTestFinished(stop)
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
  }
})

describe('an endpoint that leaves forgeries without an answer', () => {
  it('fails the case, and the audit continues', async () => {
    const url = await serve(endpointOf({ refuse: time.end }))
    const report = await auditOf(url, { only: 'stale by', timeoutSeconds })
    expect(report).toMatchObject({ state: 'done', failed: 1 })
    expect(report.cases).toMatchObject([{ outcome: 'failed', weakness: 'fails', got: 'no answer in 0.2 s' }])
  })
})

describe('an answer', () => {
  it('counts from its head on, even if it never ends', async () => {
    time.endAfterHead()
    const url = await serve((_req, res) => res.writeHead(200).write('and'))
    expect(await auditOf(url, { only, timeoutSeconds })).toMatchObject({ passed: 1 })
  })

  it('ends the delivery, even if the endpoint neither reads the rest nor hangs up', async () => {
    let isFirst = true
    const port = await serveSocket((socket) => {
      if (!isFirst) socket.pause()
      socket.write(
        `HTTP/1.1 ${isFirst ? '204 No Content' : '413 Content Too Large'}\r\nContent-Length: 0\r\n\r\n`,
      )
      isFirst = false
    })
    const { cases } = await auditOf(`http://127.0.0.1:${port}/`, { only: 'forged 64 MB' })
    expect(cases).toMatchObject([{ got: '413', outcome: 'passed' }])
  })

  it('is read up to 64 KiB, even if it never ends', async () => {
    const url = await serve((_req, res) => {
      const pour = () => {
        while (res.write('x'.repeat(16_384)));
      }
      res.on('drain', pour)
      pour()
    })
    expect(await auditOf(url, { only })).toMatchObject({ passed: 1 })
  })
})
