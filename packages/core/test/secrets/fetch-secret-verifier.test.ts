import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fetchSecret, type FetchSecretOptions } from '../../src/entries/index.js'
import { hmac, now, plain, timestamp, v3Message } from '../support/deliveries.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'
import {
  type Answer,
  broken,
  json,
  NEW_SECRET,
  SECRET,
  secretAnswer,
  Service,
  status,
  text,
} from './support/service.js'

const apiKey = 'test_account_api_key'
const signed = (secret: string) => `t=${timestamp},v3=${hmac(secret, v3Message(plain))}`
const valid = signed(SECRET)
const forged = signed('the_key_of_a_forger')

// The other files test the source by itself. These tests show what an endpoint sees of it.
describe.each(entries)('a verifier with a fetched secret on $digest', ({ createVerifier }) => {
  function start(answers: readonly Answer[], options: Partial<FetchSecretOptions> = {}) {
    const service = new Service(...answers)
    const baseUrl = 'https://api.example.com'
    const source = fetchSecret({ baseUrl, apiKey, now, fetch: service.fetch, ...options })
    return { service, source, verifier: createVerifier({ secret: source, now }) }
  }

  it('makes one call for 1,000 deliveries at once before there is a secret', async () => {
    const { service, verifier } = start([secretAnswer()])
    const webhooks = await Promise.all(Array.from({ length: 1000 }, () => verifier.verify(plain, valid)))
    expect(webhooks.every((webhook) => webhook.timestamp === timestamp)).toBe(true)
    expect(service.requests).toHaveLength(1)
  })

  it('makes one call, and not two, for forged deliveries that arrive before there is a secret', async () => {
    const { service, verifier } = start([secretAnswer()])
    const forgeries = Array.from({ length: 100 }, () => refusalOf(() => verifier.verify(plain, forged)))
    for (const { code } of await Promise.all(forgeries)) expect(code).toBe('ERR_SIGNATURE_MISMATCH')
    expect(service.requests).toHaveLength(1)
  })

  /** A verifier that has its secret, and a clock that the test moves. */
  async function startWithClock(answers: readonly Answer[]) {
    let passed = 0
    const clock = () => now() + passed
    const { service, source } = start(answers, { now: clock })
    const verifier = createVerifier({ secret: source, now: clock, toleranceSeconds: Infinity })
    await source.prime()
    const pass = (milliseconds: number) => {
      passed += milliseconds
    }
    const accepts = (header: string) =>
      verifier.verify(plain, header).then(
        () => true,
        () => false,
      )
    const refusesForgery = async () => {
      const error = await refusalOf(() => verifier.verify(plain, forged))
      if (error.code !== 'ERR_SIGNATURE_MISMATCH') throw error
    }
    return { service, pass, accepts, refusesForgery }
  }

  it('makes three calls for 11,000 forged deliveries in a minute, and accepts valid ones among them', async () => {
    const { service, pass, accepts, refusesForgery } = await startWithClock([secretAnswer()])
    for (let i = 0; i < 10_000; i++) {
      await refusesForgery()
      if (i % 1000 === 0) expect(await accepts(valid)).toBe(true)
      pass(6)
    }
    await Promise.all(Array.from({ length: 1000 }, refusesForgery))
    // The refreshes at 0, 15 and 45 s.
    expect(service.requests).toHaveLength(1 + 3)
  })

  it('makes twelve calls in ten minutes of forged deliveries', async () => {
    const { service, pass, refusesForgery } = await startWithClock([secretAnswer()])
    for (let second = 0; second < 600; second++) {
      await refusesForgery()
      pass(1000)
    }
    // At 0, 15, 45 and 105 s, and then once a minute.
    expect(service.requests).toHaveLength(1 + 12)
  })

  it('accepts a rotated secret 15 s after a forgery that came just before the rotation', async () => {
    const { service, pass, accepts, refusesForgery } = await startWithClock([secretAnswer()])
    await refusesForgery()
    service.answerWith(secretAnswer(NEW_SECRET))
    const rotated = signed(NEW_SECRET)
    const accepted: boolean[] = []
    for (let second = 0; second <= 15; second++) {
      accepted.push(await accepts(rotated))
      pass(1000)
    }
    expect(accepted).toEqual([...Array<boolean>(15).fill(false), true])
    expect(service.requests).toHaveLength(3)
  })

  it('makes two calls in ten minutes of forged deliveries with a revoked API key', async () => {
    let passed = 0
    const clock = () => now() + passed
    const { service, source } = start([status(401)], { now: clock })
    const verifier = createVerifier({ secret: source, now })
    for (let second = 0; second < 600; second++) {
      passed = second * 1000
      const error = await refusalOf(() => verifier.verify(plain, forged))
      expect(error.code).toBe('ERR_SECRET_UNAVAILABLE')
    }
    expect(service.requests).toHaveLength(2)
  })

  it('makes no call for requests without a header or with an old timestamp', async () => {
    const { service, verifier } = start([secretAnswer()])
    const old = valid.replace('t=17', 't=16')
    for (let i = 0; i < 1000; i++) {
      const missing = await refusalOf(() => verifier.verify(plain, undefined))
      const late = await refusalOf(() => verifier.verify(plain, old))
      if (missing.code !== 'ERR_SIGNATURE_MISSING' || late.code !== 'ERR_TIMESTAMP_TOO_OLD') throw late
    }
    expect(service.requests).toHaveLength(0)
  })

  it('accepts the first delivery that is signed with a rotated secret', async () => {
    const { service, verifier } = start([secretAnswer(), secretAnswer(NEW_SECRET)])
    expect(await verifier.verify(plain, valid)).toMatchObject({ timestamp })
    expect(await verifier.verify(plain, signed(NEW_SECRET))).toMatchObject({ timestamp })
    expect(service.requests).toHaveLength(2)
    // The old secret is no longer accepted, and is not asked for.
    expect((await refusalOf(() => verifier.verify(plain, valid))).code).toBe('ERR_SIGNATURE_MISMATCH')
    expect(service.requests).toHaveLength(2)
  })

  it('accepts the first delivery that is signed with a rotated secret if a shared cache has the old one', async () => {
    const { service, verifier } = start([secretAnswer(NEW_SECRET)], {
      cache: {
        get: () => Promise.resolve({ secret: SECRET, fetchedAt: now() - 3_600_000 }),
        set: () => Promise.resolve(),
      },
    })
    expect(await verifier.verify(plain, signed(NEW_SECRET))).toMatchObject({ timestamp })
    expect(service.requests).toHaveLength(1)
  })

  it('accepts deliveries for staleSeconds while the service is down, and then asks for a retry', async () => {
    let passed = 0
    const settings = { now: () => now() + passed, maxAgeSeconds: 60, staleSeconds: 3600 }
    const { service, source } = start([secretAnswer(), status(500)], settings)
    const verifier = createVerifier({ secret: source, now })
    for (const seconds of [0, 60, 61, 600, 3660]) {
      passed = seconds * 1000
      expect(await verifier.verify(plain, valid)).toMatchObject({ timestamp })
    }
    passed = 3661 * 1000
    expect(await refusalOf(() => verifier.verify(plain, valid))).toMatchObject({
      code: 'ERR_SECRET_UNAVAILABLE',
      status: 503,
    })
    expect(service.requests.length).toBeGreaterThan(1)
  })

  it.each<[reason: string, answer: Answer, seconds: number]>([
    ['could not be reached', broken(), 1],
    ['answered HTTP 500', status(500), 1],
    ['answered HTTP 429', status(429, { 'Retry-After': '42' }), 42],
    ['The API key is wrong or revoked', status(401), 300],
    ['the answer is empty', text(''), 1],
    ['the answer is an HTML page', text('<!doctype html>'), 1],
    ['the answer has another shape', json({ secret: SECRET }), 1],
    ['status.code 400 in an HTTP 200', json({ status: { code: 400 } }), 1],
    ['longer than 64 KiB', text('x'.repeat(100_000)), 1],
    ['a redirect', status(302, { Location: '/' }), 1],
  ])('answers 503, with the cause "%s" for the operator', async (reason, answer, seconds) => {
    const { source, verifier } = start([answer])
    const error = await refusalOf(() => verifier.verify(plain, valid))
    expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', status: 503, retryAfterSeconds: seconds })
    expect((error.cause as Error).message).toContain(reason)
    expect(source.cachedAt).toBeUndefined()
    const shown = inspect([error, source, verifier], { depth: Infinity, showHidden: true, getters: true })
    for (const key of [SECRET, apiKey]) expect(shown + JSON.stringify([error, source])).not.toContain(key)
  })

  it('serves several accounts at one endpoint, each with its own secret', async () => {
    const sources = new Map([
      ['/webhooks/one', start([secretAnswer()]).source],
      ['/webhooks/two', start([secretAnswer(NEW_SECRET)]).source],
    ])
    const verifier = createVerifier({ secret: ({ request }) => sources.get(request as string), now })
    expect(await verifier.verify(plain, valid, { request: '/webhooks/one' })).toMatchObject({ timestamp })
    const request = '/webhooks/two'
    expect(await verifier.verify(plain, signed(NEW_SECRET), { request })).toMatchObject({ timestamp })
    const mixed = await refusalOf(() => verifier.verify(plain, valid, { request }))
    expect(mixed.code).toBe('ERR_SIGNATURE_MISMATCH')
    const unknown = await refusalOf(() => verifier.verify(plain, valid, { request: '/webhooks/three' }))
    expect(unknown.code).toBe('ERR_SECRET_UNKNOWN')
  })
})
