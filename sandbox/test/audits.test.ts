import type { AuditReport, CaseResult } from '@service-signature/audit'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Endpoint, never, ok, status } from './support/endpoint.js'
import { Service } from './support/service.js'

interface Line {
  readonly cases?: readonly CaseResult[]
  readonly result?: CaseResult
  readonly report?: AuditReport
  readonly html?: string
  readonly junit?: string
}

function post(service: Service, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.sandbox.url}/_sandbox/audits/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/** All lines of an audit, once it has ended. */
async function audit(service: Service, body: object): Promise<readonly Line[]> {
  const response = await post(service, body)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
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
  it('audits an endpoint with the keys of the sandbox, and answers with a line for each case', async () => {
    const service = await Service.start({}, 'real time')
    const url = await serveCorrect(service.sandbox.secret)
    const lines = await audit(service, { url })
    const { report } = lines.at(-1)!
    expect(report).toMatchObject({ url, state: 'done', problem: null, total: 68, passed: 68, failed: 0 })
    expect(lines[0]!.cases!.map(({ name, outcome }) => [name, outcome])).toEqual(
      report!.cases.map(({ name }) => [name, 'not-run']),
    )
    expect(lines.slice(1, -1).map(({ result }) => result)).toEqual(report!.cases)
    expect((await service.deliveries()).length).toBe(0)
  })

  it('audits only the groups that are named, and finds what is wrong', async () => {
    const service = await Service.start({}, 'real time')
    const { url, received } = await Endpoint.start()
    const lines = await audit(service, { url, groups: ['unsigned', 'time'] })
    expect(lines.at(-1)!.report).toMatchObject({
      state: 'done',
      passed: 0,
      failed: 11,
      conclusion: 'It accepts deliveries without a signature.',
    })
    const { bytes, headers } = received[0]!
    const [, t, v1] = /t=(\d+),v1=([0-9a-f]{64})/.exec(String(headers['service-signature']))!
    const hmac = createHmac('sha256', service.sandbox.apiKeys.account)
    expect(v1).toBe(hmac.update(bytes.toString().replaceAll(' ', '') + t!).digest('hex'))
    expect(JSON.stringify(lines)).not.toContain(service.sandbox.secret)
  })

  it('ends with the report as HTML and as JUnit XML', async () => {
    const service = await Service.start({}, 'real time')
    const { url } = await Endpoint.start()
    const { html, junit } = (await audit(service, { url, groups: ['time'] })).at(-1)!
    expect(html).toMatch(/^<!doctype html>(.|\n)*stale by an hour/)
    expect(junit).toMatch(/^<\?xml version="1\.0"(.|\n)*stale by an hour/)
  })

  it('sends events of the account and the mode that are named', async () => {
    const service = await Service.start({}, 'real time')
    const { url, received } = await Endpoint.start()
    const account = service.sandbox.accountId
    await audit(service, { url, groups: ['genuine'], account, is_live: true })
    const intents = received.map(({ bytes }) => String(bytes)).filter((text) => text.includes('"is_live"'))
    expect(intents[0]).toContain('"is_live":true')
    expect(intents[0]).toContain(`"account":"${account}"`)
  })

  it('of what an endpoint survives is of the first account in test mode if it has accepted nothing', async () => {
    const service = await Service.start({}, 'real time')
    const lines = await audit(service, { url: 'http://127.0.0.1:1/', groups: ['survives'], survives: true })
    // Those about the account and the mode are planned only if both are known.
    expect(lines[0]!.cases!.map(({ name }) => name)).toEqual(expect.arrayContaining(['other mode, intent']))
    expect(lines.at(-1)!.report!.state).toBe('stopped')
  })

  it('of what an endpoint survives sends events of the account and mode that it has accepted', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    await service.post('/_sandbox/compose/', {
      url: endpoint.url,
      template: 'intent-processed',
      is_live: true,
    })
    await service.sandbox.idle()
    endpoint.replyWith(ok, never)
    const before = endpoint.received.length
    const cancelled = new AbortController()
    const url = endpoint.url
    const answer = await post(service, { url, groups: ['survives'], survives: true }, cancelled.signal)
    await endpoint.until(before + 2)
    cancelled.abort()
    await answer.text().catch(() => undefined)
    // The opening, and the first case: another account.
    expect(String(endpoint.received.at(-2)!.bytes)).toContain(service.sandbox.accountId)
    expect(String(endpoint.received.at(-1)!.bytes)).not.toContain(service.sandbox.accountId)
  })

  it('says why it stopped early', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    const { report } = (await audit(service, { url: endpoint.url, groups: ['keys'] })).at(-1)!
    expect(report).toMatchObject({ state: 'stopped', total: 7, passed: 0, failed: 2 })
    expect(report!.problem).toContain('most likely it has another key')
    const unreachable = (await audit(service, { url: 'http://127.0.0.1:1/' })).at(-1)!.report
    expect(unreachable).toMatchObject({ state: 'stopped', total: 68 })
    expect(unreachable!.problem).toContain('Cannot reach http://127.0.0.1:1/')
  })

  it('ends when the caller hangs up', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    let closed: Promise<unknown> | undefined
    endpoint.replyWith(ok, (response) => {
      closed = once(response, 'close')
    })
    const hungUp = new AbortController()
    const answer = await post(service, { url: endpoint.url, groups: ['unsigned'] }, hungUp.signal)
    await endpoint.until(2)
    hungUp.abort()
    await answer.text().catch(() => undefined)
    await closed
    expect(endpoint.received).toHaveLength(2)
  })

  it.each([
    [{}, 'url'],
    [{ url: 'nowhere' }, 'url'],
    [{ url: 'http://192.0.2.1/' }, 'url'],
    [{ url: 'http://jane:secret@127.0.0.1/' }, 'url'],
    [{ url: 'http://127.0.0.1:1/', groups: [] }, 'groups'],
    [{ url: 'http://127.0.0.1:1/', groups: ['times'] }, 'groups.0'],
    [{ url: 'http://127.0.0.1:1/', groups: ['survives'] }, 'groups'],
    [{ url: 'http://127.0.0.1:1/', account: 'acc_unknown' }, 'account'],
  ])('refuses %j', async (body, field) => {
    const service = await Service.start()
    const { code, status } = await service.post('/_sandbox/audits/', body)
    expect(code).toBe(400)
    expect(Object.keys(status.errors[0]!)).toEqual([field])
  })
})
