import { describe, expect, it } from 'vitest'
import { Checks } from '../../server/deliveries/checks.js'
import type { AttemptFinding } from '../../server/index.js'
import { never, ok, status, type Reply } from '../support/endpoint.js'
import { DECLINED, INTENTS, startWithEndpoint, type Service } from '../support/service.js'
import { expectSigned } from '../support/signature.js'

const EVENT = { payload: { type: 'a.b', amount: '\u2013' } }

/** A sandbox that checks the endpoint after what it composes, and an endpoint with these replies. */
async function start(checks: 'none' | 'own' | 'all', ...replies: readonly Reply[]) {
  const findings: AttemptFinding[] = []
  const onAttempt = (_: unknown, finding: AttemptFinding) => findings.push(finding)
  const { service, endpoint } = await startWithEndpoint({ checks, onAttempt })
  endpoint.replyWith(...replies)
  return { service, endpoint, findings }
}

async function send(service: Service, url: string, event: object = EVENT): Promise<void> {
  await service.compose({ url, retries: false, ...event })
  await service.sandbox.idle()
}

/** The forgeries of all attempts; none for a valid one. */
async function faultsOf(service: Service): Promise<readonly string[]> {
  const deliveries = await service.deliveries()
  return deliveries.flatMap(({ attempts }) => attempts.map(({ faults }) => faults.join()))
}

describe('A check', () => {
  it('after a refusal is the same body with the signature of the re-serialized body, and not the attempt that is shown', async () => {
    const { service, endpoint, findings } = await start('all', status(401))
    const [delivery] = await service.sent(endpoint.url)
    const [first, copy] = endpoint.received
    expect(copy!.bytes).toEqual(first!.bytes)
    const printed = Buffer.from(JSON.stringify(JSON.parse(first!.bytes.toString())))
    expectSigned(service, copy!, { bytes: printed })
    expect(delivery!.attempts).toMatchObject([
      { is_check: false, faults: [], verdict: 'refused' },
      {
        is_check: true,
        faults: ['reprinted'],
        verdict_text:
          'Refused, as it must: its signature was that of the re-serialized body, and your endpoint answered 401.',
      },
    ])
    expect(delivery).toMatchObject({ attempt_count: 1, last: { number: 1, verdict: 'refused' } })
    const path = `/_sandbox/deliveries/${delivery!.id}`
    expect((await service.get(`${path}/explain/`)).data).toMatchObject({ attempt: 1 })
    const { data } = await service.get(`${path}/explain/?attempt=2`)
    expect(data['on_purpose']).toEqual(['Signed over the parsed and re-serialized body (reprinted).'])
    const exported = await fetch(`${service.sandbox.url}${path}/export/`)
    expect(await exported.json()).not.toHaveProperty('faults')
    expect(findings.slice(0, 2)).toMatchObject([
      { isCheck: false, cause: { cause: 'other-secret' } },
      { isCheck: true, cause: undefined },
    ])
  })

  it('after a refusal of a body that stays the same when it is re-serialized is signed with another secret', async () => {
    const { service, endpoint } = await start('all', status(401))
    await send(service, endpoint.url, { text: '{"type":"a.b"}' })
    expect(await faultsOf(service)).toEqual(['', 'wrong-secret'])
  })

  it('is sent once the delivery is delivered, which does not wait for the answer to the check', async () => {
    const { service, endpoint } = await start('all', status(204), never)
    await service.order(endpoint.url, { card: DECLINED })
    await endpoint.until(2)
    expect(await service.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 1 }])
  })

  it('is made once for refusals within 5 s', async () => {
    const { service, endpoint } = await start('all', status(401))
    for (const milliseconds of [0, 4999, 1]) {
      await service.pass(milliseconds)
      await send(service, endpoint.url)
    }
    expect(await faultsOf(service)).toEqual(['', 'reprinted', '', '', 'reprinted'])
  })

  it('of what is accepted is one forgery, and another once a delivery was refused in between', async () => {
    const { service, endpoint } = await start('all')
    for (const code of [204, 204, 401, 204]) {
      endpoint.replyWith(status(code), status(401))
      await send(service, endpoint.url)
    }
    expect(await faultsOf(service)).toEqual(['', 'wrong-secret', '', '', 'reprinted', '', 'wrong-secret'])
  })

  it('of what is accepted is repeated after 5 s, until the endpoint refuses one', async () => {
    const { service, endpoint } = await start('all', ok)
    for (const milliseconds of [0, 4999, 1, 5000, 5000]) {
      await service.pass(milliseconds)
      if (milliseconds === 5000) endpoint.replyWith(ok, status(401))
      await send(service, endpoint.url)
    }
    const checked = ['', 'wrong-secret']
    expect(await faultsOf(service)).toEqual([...checked, '', ...checked, ...checked, ''])
    const verdicts = (await service.deliveries()).map(({ last }) => (last as { verdict: string }).verdict)
    expect(new Set(verdicts)).toEqual(new Set(['accepted']))
  })

  it('is made once for all queries of an address, and explains the deliveries to each', async () => {
    const { service, endpoint } = await start('own', status(401), ok, status(401), status(401))
    for (const query of ['?order=1', '?order=2', '']) await send(service, endpoint.url + query)
    expect(await faultsOf(service)).toEqual(['', 'reprinted', 'wrong-secret', '', ''])
    const cause = { cause: 'body-reserialized' }
    expect(await service.deliveries()).toMatchObject([{ cause }, { cause }, { cause }])
    await send(service, endpoint.url.replace('webhooks', 'other'))
    expect(endpoint.received).toHaveLength(7)
  })

  it('is never made of a forgery, or of a body that is not JSON', async () => {
    const { service, endpoint } = await start('all', status(400))
    for (const event of [{ ...EVENT, stale: true }, { text: '{' }]) await send(service, endpoint.url, event)
    expect(endpoint.received).toHaveLength(2)
  })

  it.each([
    ['none', 'the sandbox', [2, 2]],
    ['all', undefined, [3, 2]],
    ['own', undefined, [2, 2]],
    ['own', 'the sandbox', [3, 2]],
    ['own', 'http://shop.example', [2, 2]],
  ] as const)('with checks %s is made of an intent from %s: %j', async (checks, origin, expected) => {
    const { service, endpoint } = await start(checks, ok, status(401), ok)
    const headers: Record<string, string> = {}
    if (origin !== undefined) headers['Origin'] = origin === 'the sandbox' ? service.sandbox.url : origin
    const counts: number[] = []
    for (const order of [1, 2]) {
      const body = { amount: 10, amount_currency: 'EUR', webhook_url: `${endpoint.url}?order=${order}` }
      const { data } = await service.call('POST', INTENTS, { headers, body })
      // A program pays as the page does.
      await service.pay(data.id)
      await service.sandbox.idle()
      counts.push(endpoint.received.splice(0).length)
    }
    expect(counts).toEqual(expected)
  })

  it('is made again after checks of 1,000 other addresses, so that memory is bounded', () => {
    const checks = new Checks('all')
    const body = '{"a": 1.0}'
    const copyOf = (path: number, code: number) =>
      checks.copyAfter(
        { url: `http://127.0.0.1/${path}`, isOwn: false, body },
        { at: code * 10_000, status: code, faults: [] },
      )
    for (const [code, copy] of [
      [204, 'wrong-secret'],
      [401, 'reprinted'],
    ] as const) {
      for (let path = 0; path <= 1000; path++) expect(copyOf(path, code)).toBe(copy)
      expect([copyOf(0, code), copyOf(1000, code)]).toEqual([copy, undefined])
    }
  })
})
