import type { AuditReport, CaseResult } from '@service-signature/audit'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ok, status } from '../support/endpoint.js'
import { guardedEndpoint } from '../support/express-endpoints.js'
import { Service, startWithEndpoint } from '../support/service.js'
import { digestsOf } from '../support/signature.js'

interface Line {
  readonly cases?: readonly CaseResult[]
  readonly result?: CaseResult
  readonly report?: AuditReport
  readonly html?: string
  readonly junit?: string
}

function post({ sandbox }: Service, body: object, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal }
  return fetch(`${sandbox.url}/_sandbox/audits/`, request)
}

/** All lines of an audit, once it has ended. */
async function audit(service: Service, body: object) {
  const response = await post(service, body)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = Array.from(text.matchAll(/.+/g), ([line]) => JSON.parse(line) as Line)
  return { text, lines, cases: lines[0]!.cases!, last: lines.at(-1)! }
}

describe('An audit', () => {
  it('tests an endpoint with the keys of the sandbox, and answers with a line for each case', async () => {
    const service = await Service.start({}, 'real time')
    const { url } = await guardedEndpoint({ secret: service.sandbox.secret })
    const { lines, cases, last } = await audit(service, { url })
    expect(last.report).toMatchObject({ url, state: 'done', problem: null, total: 68, passed: 68, failed: 0 })
    expect(cases.map(({ name, outcome }) => [name, outcome])).toEqual(
      last.report!.cases.map(({ name }) => [name, 'not-run']),
    )
    expect(lines.slice(1, -1).map(({ result }) => result)).toEqual(last.report!.cases)
    expect(await service.deliveries()).toEqual([])
  })

  it('of named groups finds what is wrong, and ends with the report as HTML and as JUnit XML', async () => {
    const { service, endpoint } = await startWithEndpoint({}, 'real time')
    const { text, last } = await audit(service, { url: endpoint.url, groups: ['unsigned', 'time'] })
    expect(last.report).toMatchObject({
      state: 'done',
      passed: 0,
      failed: 11,
      conclusion: 'It accepts deliveries without a signature.',
    })
    expect(last.html).toMatch(/^<!doctype html>(.|\n)*stale by an hour/)
    expect(last.junit).toMatch(/^<\?xml version="1\.0"(.|\n)*stale by an hour/)
    const { bytes, headers } = endpoint.received[0]!
    const [, t, v1] = /t=(\d+),v1=([0-9a-f]{64})/.exec(String(headers['service-signature']))!
    const { secret, apiKeys } = service.sandbox
    expect(v1).toBe(digestsOf(bytes, t!, secret, apiKeys.account).v1)
    expect(text).not.toContain(secret)
  })

  it('of what an endpoint survives sends events of the account and mode that it has accepted, until the caller hangs up', async () => {
    const { service, endpoint } = await startWithEndpoint({}, 'real time')
    const { url } = endpoint
    await service.compose({ url, template: 'intent-processed', is_live: true })
    await service.sandbox.idle()
    let closed: Promise<unknown> | undefined
    endpoint.replyWith(ok, (response) => {
      closed = once(response, 'close')
    })
    const hungUp = new AbortController()
    const answer = await post(service, { url, groups: ['survives'], survives: true }, hungUp.signal)
    await endpoint.until(3)
    hungUp.abort()
    await answer.text().catch(() => undefined)
    await closed
    expect(endpoint.received).toHaveLength(3)
    // The opening, and the first case: another account.
    const [opening, other] = endpoint.received.slice(1).map(({ bytes }) => bytes.toString())
    expect(opening).toContain(service.sandbox.accountId)
    expect(other).not.toContain(service.sandbox.accountId)
  })

  it('says why it stopped early, and which cases it had planned', async () => {
    const { service, endpoint } = await startWithEndpoint({}, 'real time')
    endpoint.replyWith(status(401))
    const { report } = (await audit(service, { url: endpoint.url, groups: ['keys'] })).last
    expect(report).toMatchObject({ state: 'stopped', total: 7, passed: 0, failed: 2 })
    expect(report!.problem).toContain('most likely it has another key')
    const nowhere = { url: 'http://127.0.0.1:1/', groups: ['survives'], survives: true }
    const { cases, last } = await audit(service, nowhere)
    // It is planned only if the account and the mode are known: those of the first account if nothing was accepted.
    expect(cases.map(({ name }) => name)).toContain('other mode, intent')
    expect(last.report!.state).toBe('stopped')
    expect(last.report!.problem).toContain('Cannot reach http://127.0.0.1:1/')
  })

  it.each([
    [{ url: undefined }, 'url'],
    [{ url: 'http://192.0.2.1/' }, 'url'],
    [{ groups: [] }, 'groups'],
    [{ groups: ['times'] }, 'groups.0'],
    [{ groups: ['survives'] }, 'groups'],
  ])('is refused with %j', async (body, field) => {
    const { service, endpoint } = await startWithEndpoint()
    const { code, status } = await service.post('/_sandbox/audits/', { url: endpoint.url, ...body })
    expect(code).toBe(400)
    expect(Object.keys(status.errors[0]!)).toEqual([field])
    expect(endpoint.received).toEqual([])
  })
})
