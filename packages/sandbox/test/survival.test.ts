import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { SURVIVAL_TEST_NAMES, type SurvivalVerdict as Verdict } from '../src/store/records.js'
import { Endpoint, never, ok, status, type Reply } from './support/endpoint.js'
import { Service, type Data } from './support/service.js'
import { MISTAKEN, survivingEndpoint, type Merchant } from './support/surviving-endpoint.js'

interface Run {
  readonly done: number
  readonly total: number
  readonly is_running: boolean
  readonly verdict: Verdict | null
}

const start = (service: Service, url: string, test: string, fields: object = {}) =>
  service.post('/_sandbox/survival/', { url, test, ...fields })

async function listed(service: Service, url: string): Promise<readonly Data[]> {
  return (await service.get(`/_sandbox/survival/?url=${encodeURIComponent(url)}`)).list
}

async function lastRun(service: Service, url: string, name: string): Promise<Run | null> {
  return (await listed(service, url)).find(({ test }) => test === name)!['last_run'] as Run | null
}

/** After how many answers a test lets how much time pass. */
const PAUSES: Readonly<Record<string, readonly [done: number, milliseconds: number]>> = {
  lost: [1, 1000],
  'slow-provider': [2, 5000],
}

const polled = { timeout: 60_000, interval: 5 }

/** Waits for the verdict, and lets the time pass that the test waits for. */
async function verdictOf(service: Service, url: string, test: string): Promise<Verdict> {
  const [pausesAt, milliseconds] = PAUSES[test] ?? [0, 0]
  let isPaused = pausesAt > 0
  return vi.waitUntil(async () => {
    const { done, verdict } = (await lastRun(service, url, test))!
    if (isPaused && done === pausesAt) {
      isPaused = false
      service.clock.advance(milliseconds)
    }
    return verdict ?? undefined
  }, polled)
}

async function run(service: Service, url: string, test: string): Promise<Verdict> {
  expect((await start(service, url, test)).code).toBe(200)
  return verdictOf(service, url, test)
}

function merchantOf({ sandbox, clock }: Service): Merchant {
  return { secret: sandbox.secret, account: sandbox.accountId, clock }
}

const TITLES: Readonly<Record<string, readonly [passed: string, failed: string]>> = {
  'other-account': ['It refuses them', 'It accepts a genuine purchase of another account'],
  'other-mode': ['It refuses them', 'It accepts a genuine intent of the other mode'],
  lost: ['It accepts the retry', 'It refuses the retry of a delivery that it has accepted'],
  'out-of-order': ['It accepts both', 'It refuses an event because of the order'],
  copies: ['It handles one of them', 'It fails at copies that arrive at once'],
  burst: ['It accepts all', 'A limit of requests refused it'],
  'slow-provider': ['It accepts both', 'It refuses an event of a slow payment'],
}

/** All but a burst, which takes seconds; while one works, the mistakes meet only the tests that must find them. */
const OTHERS =
  process.env['PROPERTY_FACTOR'] === undefined ? [] : SURVIVAL_TEST_NAMES.filter((test) => test !== 'burst')

describe('an endpoint', () => {
  it.each(SURVIVAL_TEST_NAMES)('that is right passes the test %s', async (test) => {
    const service = await Service.start()
    const { url, handled } = await survivingEndpoint(merchantOf(service))
    const verdict = await run(service, url, test)
    expect(verdict).toMatchObject({ outcome: 'passed', title: TITLES[test]![0], fix: null })
    const accounts = handled.map(({ payload }) => JSON.stringify(payload).match(/acc_[0-9a-f]+/g))
    // No handler has seen an event of another account.
    expect(new Set(accounts.flat())).toEqual(new Set([service.sandbox.accountId]))
    const { done, total } = (await lastRun(service, url, test))!
    expect(done).toBe(total)
  })

  it.each(SURVIVAL_TEST_NAMES)(
    'with the one mistake fails the test %s, and passes others',
    async (mistake) => {
      const service = await Service.start()
      for (const test of new Set([...OTHERS, mistake])) {
        const { url } = await MISTAKEN[mistake]!(merchantOf(service), test === 'copies')
        const verdict = await run(service, url, test)
        const [passed, failed] = TITLES[test]!
        // Without a replay store of the adapter, its answers do not say which copy was handled.
        const isUnknown = test === 'copies' && mistake !== test && verdict.outcome === 'ask'
        expect([test, verdict.outcome, verdict.title]).toEqual(
          test === mistake
            ? [test, 'failed', failed]
            : isUnknown
              ? [test, 'ask', 'How many did it handle?']
              : [test, 'passed', passed],
        )
        if (test === mistake) {
          expect(verdict.fix).not.toBeNull()
          expect(verdict.deliveries.length + (verdict.audit === null ? 0 : 1)).toBeGreaterThan(0)
        }
      }
    },
  )
})

describe('the verdict', () => {
  it('says of an endpoint that refuses valid deliveries why, in every test', async () => {
    const service = await Service.start()
    for (const test of SURVIVAL_TEST_NAMES) {
      const { url, handled } = await survivingEndpoint({ ...merchantOf(service), secret: 'another_secret' })
      const { outcome, title, command, deliveries } = await run(service, url, test)
      expect([outcome, title]).toEqual(['failed', 'Another secret, or a changed body?'])
      expect(command).toBe(
        `npx service-signature explain --request ${service.sandbox.url}/deliveries/${deliveries[0]!}/`,
      )
      expect((await lastRun(service, url, test))!.done).toBe(1)
      expect(handled).toEqual([])
    }
  })

  it('names the account and the mode for which the audit has asked', async () => {
    const service = await Service.start()
    const merchant = merchantOf(service)
    const { url, handled } = await survivingEndpoint(merchant, {
      expect: { account: merchant.account, live: true, transactionMode: 'unknown' },
    })
    await service.post('/_sandbox/compose/', { url, template: 'intent-processed', is_live: true })
    await service.sandbox.idle()
    const { outcome, audit } = await run(service, url, 'other-mode')
    expect(outcome).toBe('passed')
    expect((await service.get(`/_sandbox/audits/${audit!}/`)).data).toMatchObject({
      url,
      passed: 1,
      total: 1,
    })
    // The first of them was composed; then the test and its audit each opened with a purchase.
    expect(handled.map(({ type }) => type)).toEqual([
      'intent.processed',
      'transaction.purchase.successful',
      'transaction.purchase.successful',
    ])
  })

  it('says that the audit could not be made', async () => {
    const service = await Service.start()
    const refusing = await Endpoint.start()
    refusing.replyWith(ok, status(401))
    expect(await run(service, refusing.url, 'other-mode')).toMatchObject({
      outcome: 'failed',
      title: 'It did not take the valid deliveries of the audit',
      detail: expect.stringContaining('most likely it has another key') as string,
    })
    const hanging = await Endpoint.start()
    hanging.replyWith(ok, never)
    await start(service, hanging.url, 'other-mode')
    await hanging.until(2)
    const [{ id }] = (await service.get('/_sandbox/audits/')).list as [Data]
    await service.post(`/_sandbox/audits/${id}/cancel/`)
    expect(await verdictOf(service, hanging.url, 'other-mode')).toMatchObject({
      outcome: 'failed',
      detail: 'The audit was cancelled.',
      audit: id,
    })
  })

  it('prefers what is known of an endpoint that does not answer to the words of the test', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(ok, ok, (response) => response.destroy())
    const verdict = await run(service, endpoint.url, 'out-of-order')
    expect(verdict).toMatchObject({ outcome: 'failed', title: 'Your endpoint hung up without an answer' })
    expect(verdict.deliveries).toHaveLength(1)
  })

  it('names the answer that came too late', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(ok, (response) => {
      service.clock.advance(6000)
      ok(response)
    })
    const verdict = await run(service, endpoint.url, 'slow-provider')
    expect(verdict).toMatchObject({ outcome: 'failed', title: 'Your endpoint took 6.0 s' })
  })

  it('makes a payment of which no event comes, and asks whether the reconciliation finds it', async () => {
    const service = await Service.start()
    const { url, handled } = await survivingEndpoint(merchantOf(service))
    const { unseen, command } = await run(service, url, 'lost')
    const [intent] = (await service.get('/_sandbox/newest/intents/')).list as [Data]
    expect(intent).toMatchObject({ status: 'PROCESSED', webhook_url: url })
    expect(unseen).toContain(`Does your reconciliation find ${intent.id}`)
    expect(command).toBe(`grep ${intent.id} your.log`)
    expect(JSON.stringify(handled)).not.toContain(intent.id)
  })

  it('does not ask for the payment that a fault of the providers has declined', async () => {
    const service = await Service.start()
    await service.call('PUT', '/_sandbox/faults/', { body: { providers: { north: 'declines' } } })
    const { url } = await survivingEndpoint(merchantOf(service))
    const { outcome, unseen, command } = await run(service, url, 'lost')
    expect([outcome, command]).toEqual(['passed', null])
    expect(unseen).toContain('a fault of the providers')
  })

  it('is not changed by the faults of deliveries that are set', async () => {
    const service = await Service.start()
    const deliveries = { lost: true, tamper: true, stale: true }
    await service.call('PUT', '/_sandbox/faults/', { body: { deliveries } })
    const { url } = await survivingEndpoint(merchantOf(service))
    expect((await run(service, url, 'out-of-order')).outcome).toBe('passed')
  })
})

describe('ten copies at once', () => {
  /** The verdict about an endpoint whose answers to the copies are these, the last one for all that are left. */
  async function answering(...replies: readonly Reply[]): Promise<Verdict> {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(ok, ...replies)
    return run(service, endpoint.url, 'copies')
  }
  const duplicate: Reply = (response: ServerResponse) => response.writeHead(200).end()

  it('were handled once if one got the answer of a new delivery, and all others are duplicates', async () => {
    const verdict = await answering(status(409), duplicate, ok, duplicate)
    expect(verdict).toMatchObject({ outcome: 'passed', title: 'It handles one of them' })
    expect(verdict.detail).toBe('Its answers: 1 x 409, 8 x 200, 1 x 204.')
  })

  it('were handled more than once if several got the answer of a new delivery, and others did not', async () => {
    const verdict = await answering(ok, ok, duplicate)
    expect(verdict).toMatchObject({ outcome: 'failed', title: 'It handles 2 of them' })
  })

  it('leave the question how many were handled if all got the same answer', async () => {
    const verdict = await answering(ok)
    expect(verdict).toMatchObject({ outcome: 'ask', fix: null, unseen: null })
    expect(verdict.command).toMatch(/^grep int_[0-9a-f]{24} your\.log$/)
  })

  it('leave that question, too, if no answer is that to a new delivery', async () => {
    expect((await answering(duplicate)).outcome).toBe('ask')
  })

  it('are lost if each is refused as one that is being handled', async () => {
    const verdict = await answering(status(409))
    expect(verdict).toMatchObject({ outcome: 'failed', title: 'It fails at copies that arrive at once' })
    expect(verdict.detail).toBe('Its answers: 10 x 409.')
  })

  it('fail at an endpoint that does not answer one of them', async () => {
    const verdict = await answering((response) => response.destroy(), ok)
    expect(verdict).toMatchObject({ outcome: 'failed', title: 'Your endpoint hung up without an answer' })
  })
})

describe('a burst', () => {
  it('ends after 60 s, and says how many were not sent', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    // Of 50 at a time, each takes less than 5 s.
    endpoint.replyWith((response) => {
      service.clock.advance(66)
      ok(response)
    })
    const verdict = await run(service, endpoint.url, 'burst')
    expect(verdict).toMatchObject({ outcome: 'failed', title: 'It is too slow for a burst' })
    expect(verdict.detail).toMatch(/\d+ were not sent within 60 s\./)
  })

  it('is stopped if the sandbox keeps too few deliveries to judge it', async () => {
    const service = await Service.start({ keep: 1 })
    const endpoint = await Endpoint.start()
    expect(await run(service, endpoint.url, 'burst')).toMatchObject({
      outcome: 'stopped',
      title: 'The test could not be made',
      detail: 'A delivery made room for a newer one: start the sandbox with a larger "keep".',
    })
  })

  it('goes to an endpoint elsewhere only if that is asked for', async () => {
    const service = await Service.start({ allowRemote: true })
    const url = 'http://192.0.2.1/webhooks'
    const refused = await start(service, url, 'burst')
    expect(refused.code).toBe(400)
    expect(refused.status.errors).toEqual([
      { allow_remote: 'must be true for a burst at an endpoint that is not on this machine' },
    ])
    expect((await service.get('/_sandbox/newest/deliveries/')).count).toBe(0)
    expect((await start(service, url, 'burst', { allow_remote: true })).code).toBe(200)
    const consents = (await listed(service, url)).filter(({ needs_consent }) => needs_consent)
    expect(consents.map(({ test }) => test)).toEqual(['burst'])
    const here = await listed(service, 'http://localhost:1/')
    expect(here.filter(({ needs_consent }) => needs_consent)).toEqual([])
  })
})

describe('POST /_sandbox/survival/', () => {
  it('makes one test of an address at a time, and none while it is audited', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    expect((await start(service, endpoint.url, 'burst')).code).toBe(200)
    const second = await start(service, endpoint.url, 'lost')
    expect([second.code, second.status.errors]).toEqual([409, [{ url: 'is being tested already' }]])
    expect(await lastRun(service, endpoint.url, 'lost')).toBeNull()
    const other = await Endpoint.start()
    other.replyWith(never)
    await service.post('/_sandbox/audits/', { url: other.url })
    const third = await start(service, other.url, 'lost')
    expect([third.code, third.status.errors]).toEqual([409, [{ url: 'is being audited already' }]])
  })

  it('is stopped if an audit of the same address begins first', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith((response) => {
      void service.post('/_sandbox/audits/', { url: endpoint.url }).then(() => {
        ok(response)
      })
    }, never)
    const verdict = await run(service, endpoint.url, 'other-account')
    expect(verdict).toMatchObject({ outcome: 'stopped', detail: 'url: is being audited already.' })
    expect(service.lines.join()).toMatch(/test srv_\w+ url: is being audited already/)
  })

  it.each([
    [{ test: 'lost' }, 'url'],
    [{ url: 'http://127.0.0.1:1/' }, 'test'],
    [{ url: 'http://192.0.2.1/', test: 'lost' }, 'url'],
    [{ url: 'http://127.0.0.1:1/', test: 'everything' }, 'test'],
  ])('refuses %j', async (body, field) => {
    const service = await Service.start()
    const { code, status } = await service.post('/_sandbox/survival/', body)
    expect(code).toBe(400)
    expect(Object.keys(status.errors[0]!)).toEqual([field])
  })
})

it('the oldest tests that have ended make room for newer ones', async () => {
  const service = await Service.start()
  const hanging = await Endpoint.start()
  hanging.replyWith(never)
  await start(service, hanging.url, 'lost')
  const endpoint = await Endpoint.start()
  await run(service, endpoint.url, 'out-of-order')
  for (let i = 0; i < 99; i++) await start(service, `http://127.0.0.1:1/${i}`, 'lost')
  expect(await lastRun(service, endpoint.url, 'out-of-order')).toBeNull()
  expect((await lastRun(service, hanging.url, 'lost'))!.is_running).toBe(true)
})

it.each([
  ['waits for an answer', 'burst', 1],
  ['lets time pass', 'lost', 0],
] as const)('a reset ends a test that %s, without a verdict', async (_what, test, unanswered) => {
  const service = await Service.start()
  const endpoint = await Endpoint.start()
  if (unanswered > 0) endpoint.replyWith(never)
  await start(service, endpoint.url, test)
  await endpoint.until(1)
  await vi.waitUntil(
    async () => (await lastRun(service, endpoint.url, test))!.done === 1 - unanswered,
    polled,
  )
  service.sandbox.reset()
  service.clock.advance(60_000)
  await service.sandbox.drained()
  expect(await lastRun(service, endpoint.url, test)).toBeNull()
  expect((await service.get('/_sandbox/newest/deliveries/')).count).toBe(0)
  expect(endpoint.received).toHaveLength(1)
})
