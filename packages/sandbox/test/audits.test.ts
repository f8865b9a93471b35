import { GROUPS } from '@service-signature/audit'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Endpoint, never, status, type Reply } from './support/endpoint.js'
import { Service, type Answer, type Data } from './support/service.js'

interface AuditData extends Data {
  readonly state: string
  readonly total: number
  readonly cases: readonly {
    readonly name: string
    readonly outcome: string
    readonly [name: string]: unknown
  }[]
}

const start = (service: Service, body: object) => service.post('/_sandbox/audits/', body)
const read = async (service: Service, id: string) =>
  (await service.get(`/_sandbox/audits/${id}/`)).data as unknown as AuditData

/** The audit after its end. */
async function ended(service: Service, { data }: Answer): Promise<AuditData> {
  return vi.waitUntil(
    async () => {
      const audit = await read(service, data.id)
      return audit.state === 'running' ? undefined : audit
    },
    { timeout: 60_000, interval: 20 },
  )
}

/** A correct endpoint, with the adapter for Express. */
async function serveCorrect(secret: string): Promise<string> {
  const app = express()
  app.post('/webhooks', serviceSignature({ secret }), (_req, res) => {
    res.sendStatus(204)
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}

describe('POST /_sandbox/audits/', () => {
  it.each([
    [{ account: 'acc_unknown' }, [{ account: 'Account not found' }]],
    [{ groups: ['survives'] }, [{ groups: 'has no case to send' }]],
  ])('refuses %j', async (fields, errors) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const answer = await start(service, { url: endpoint.url, ...fields })
    expect(answer.status).toMatchObject({ code: 400, errors })
    expect(endpoint.received).toEqual([])
  })

  it('audits an endpoint with the keys of the sandbox', async () => {
    const service = await Service.start({}, 'real time')
    const url = await serveCorrect(service.sandbox.secret)
    const audit = await ended(service, await start(service, { url }))
    expect(audit).toMatchObject({
      url,
      state: 'done',
      problem: null,
      conclusion: null,
      done: 68,
      total: 68,
      passed: 68,
      failed: 0,
      started: expect.stringMatching(/^\d{4}-/) as unknown,
      ended: expect.stringMatching(/^\d{4}-/) as unknown,
    })
    expect(audit.cases[0]).toEqual({
      group: 'genuine',
      name: 'genuine purchase',
      title: 'a transaction event, just signed',
      outcome: 'passed',
      weakness: null,
      expected: '2xx',
      got: '204',
      cost: expect.any(String) as unknown,
      fix: expect.any(String) as unknown,
    })
    expect((await service.deliveries()).length).toBe(0)
  })

  it('audits only the groups that are named, and finds what is wrong', async () => {
    const service = await Service.start({}, 'real time')
    const { url, received } = await Endpoint.start()
    const audit = await ended(service, await start(service, { url, groups: ['unsigned', 'time'] }))
    expect(audit).toMatchObject({
      state: 'done',
      passed: 0,
      failed: 11,
      conclusion: 'It accepts deliveries without a signature.',
    })
    expect(new Set(audit.cases.map(({ outcome, got }) => `${outcome} ${String(got)}`))).toEqual(
      new Set(['failed 204']),
    )
    const { bytes, headers } = received[0]!
    const [, t, v1] = /t=(\d+),v1=([0-9a-f]{64})/.exec(String(headers['service-signature']))!
    const hmac = createHmac('sha256', service.sandbox.apiKeys.account)
    expect(v1).toBe(hmac.update(bytes.toString().replaceAll(' ', '') + t!).digest('hex'))
    expect(JSON.stringify(audit)).not.toContain(service.sandbox.secret)
  })

  it('has its report as HTML and as JUnit XML, once it has ended', async () => {
    const service = await Service.start({}, 'real time')
    const { url } = await Endpoint.start()
    const { id } = await ended(service, await start(service, { url, groups: ['time'] }))
    const report = `/_sandbox/audits/${id}/report/`
    for (const [query, type, name, beginning] of [
      ['', 'text/html; charset=utf-8', `${id}.html`, '<!doctype html>'],
      ['?format=junit', 'application/xml; charset=utf-8', `${id}.xml`, '<?xml version="1.0"'],
    ] as const) {
      const { headers, ...response } = await fetch(service.sandbox.url + report + query).then(
        async (answer) => ({
          headers: answer.headers,
          text: await answer.text(),
        }),
      )
      expect(headers.get('content-type')).toBe(type)
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      expect(response.text.slice(0, beginning.length)).toBe(beginning)
      expect(response.text).toContain('stale by an hour')
    }
    expect((await service.get('/_sandbox/audits/aud_none/report/')).code).toBe(404)
  })

  it('knows all groups', async () => {
    const service = await Service.start({}, 'real time')
    const { url } = await Endpoint.start()
    const { code, data } = await start(service, { url, groups: GROUPS })
    expect(code).toBe(200)
    await service.post(`/_sandbox/audits/${data.id}/cancel/`)
  })

  it('says why it stopped early', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    const audit = await ended(service, await start(service, { url: endpoint.url, groups: ['keys'] }))
    expect(audit).toMatchObject({ state: 'stopped', done: 2, total: 7, passed: 0, failed: 2 })
    expect(audit['problem']).toContain('most likely it has another key')
    const unreachable = await ended(service, await start(service, { url: 'http://127.0.0.1:1/' }))
    expect(unreachable).toMatchObject({ state: 'stopped', done: 0, total: 68 })
    expect(unreachable['problem']).toContain('Cannot reach http://127.0.0.1:1/')
  })

  it.each([
    [{}, 'url'],
    [{ url: 'nowhere' }, 'url'],
    [{ url: 'http://192.0.2.1/' }, 'url'],
    [{ url: 'http://jane:secret@127.0.0.1/' }, 'url'],
    [{ url: 'http://127.0.0.1:1/', groups: [] }, 'groups'],
    [{ url: 'http://127.0.0.1:1/', groups: ['times'] }, 'groups.0'],
  ])('refuses %j', async (body, field) => {
    const service = await Service.start()
    const { code, status } = await start(service, body)
    expect(code).toBe(400)
    expect(Object.keys(status.errors[0]!)).toEqual([field])
    expect((await service.get('/_sandbox/audits/')).count).toBe(0)
  })

  it('audits an address once at a time', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    const first = await start(service, { url: endpoint.url })
    const second = await start(service, { url: endpoint.url })
    expect(second.code).toBe(409)
    expect(second.status.errors).toEqual([{ url: 'is being audited already' }])
    const other = await start(service, { url: `${endpoint.url}/other` })
    expect(other.code).toBe(200)
    await service.post(`/_sandbox/audits/${first.data.id}/cancel/`)
    expect((await start(service, { url: endpoint.url })).code).toBe(200)
  })
})

describe('GET /_sandbox/audits/', () => {
  it('lists the audits, newest first, and forgets the oldest that have ended', async () => {
    const service = await Service.start({}, 'real time')
    const slow = await Endpoint.start()
    slow.replyWith(never)
    const running = (await start(service, { url: slow.url })).data.id
    const ids: string[] = []
    for (let i = 0; i < 51; i++) {
      const started = await start(service, { url: 'http://127.0.0.1:1/', groups: ['body'] })
      ids.push((await ended(service, started)).id)
    }
    const { list, count, next } = await service.get('/_sandbox/audits/?limit=2')
    expect(count).toBe(50)
    expect(list.map(({ id }) => id)).toEqual([ids[50], ids[49]])
    expect(next).toContain('/_sandbox/audits/?limit=2&offset=2')
    expect((await service.get(`/_sandbox/audits/?search=${encodeURIComponent(slow.url)}`)).count).toBe(1)
    expect((await read(service, running)).state).toBe('running')
    expect((await service.get(`/_sandbox/audits/${ids[0]!}/`)).code).toBe(404)
    expect((await service.get('/_sandbox/audits/aud_none/')).code).toBe(404)
  })
})

describe('POST /_sandbox/audits/{id}/cancel/', () => {
  it('ends an audit, and the cases that are left are not run', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(204), status(204), never)
    const { data } = await start(service, { url: endpoint.url })
    await endpoint.until(3)
    expect(await read(service, data.id)).toMatchObject({ state: 'running', ended: null, done: 2, total: 68 })
    const cancelled = await service.post(`/_sandbox/audits/${data.id}/cancel/`)
    expect(cancelled.data).toMatchObject({ state: 'cancelled', done: 2, passed: 2, total: 68 })
    const again = await service.post(`/_sandbox/audits/${data.id}/cancel/`)
    expect(again.data).toEqual(cancelled.data)
    expect((await service.post('/_sandbox/audits/aud_none/cancel/')).code).toBe(404)
  })

  it('is what a reset does to all audits, which are forgotten then', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    const { data } = await start(service, { url: endpoint.url })
    await endpoint.until(1)
    service.sandbox.reset()
    expect((await service.get('/_sandbox/audits/')).count).toBe(0)
    expect((await service.get(`/_sandbox/audits/${data.id}/`)).code).toBe(404)
  })
})

describe('the stream', () => {
  it('announces an audit at its start, while it runs, and at its end', async () => {
    const service = await Service.start({}, 'real time')
    const sent = get(`${service.sandbox.url}/_sandbox/stream`, { agent: false })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    onTestFinished(() => {
      response.destroy()
    })
    let heard = ''
    response.setEncoding('utf8').on('data', (text: string) => (heard += text))
    const endpoint = await Endpoint.start()
    const held: ServerResponse[] = []
    const hold: Reply = (answer) => held.push(answer)
    endpoint.replyWith(hold, hold, never)
    const { data } = await start(service, { url: endpoint.url })
    const line = `data: ${JSON.stringify({ kind: 'audit', id: data.id })}\n\n`
    // Changes that follow each other at once may be joined, so each step waits for the one before it.
    const announced = (count: number) =>
      vi.waitUntil(() => heard.split(line).length - 1 === count, { timeout: 50_000, interval: 5 })
    await announced(1)
    for (const count of [1, 2]) {
      await endpoint.until(count)
      held[count - 1]!.writeHead(204).end()
      await announced(count + 1)
    }
    await service.post(`/_sandbox/audits/${data.id}/cancel/`)
    await announced(4)
  })
})
