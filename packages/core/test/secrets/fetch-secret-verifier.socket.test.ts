import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fetchSecret, type FetchSecretOptions } from '../../src/index.js'
import { now, hmac, plain, timestamp, v3Message } from '../support/deliveries.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'
import {
  hang,
  json,
  NEW_SECRET,
  SECRET,
  secretAnswer,
  startPaymentService,
  status,
  text,
  type Answer,
} from './support/payment-service.js'

const apiKey = 'test_account_api_key'
const signed = (secret: string) => `t=${timestamp},v3=${hmac(secret, v3Message(plain))}`
const genuine = signed(SECRET)
const forged = signed('the_key_of_a_forger')

// The source by itself is tested in the other files here. These show what a merchant's endpoint sees of it.
describe.each(entries)('a verifier with a fetched secret on $digest', ({ createVerifier }) => {
  async function start(answers: readonly Answer[], options: Partial<FetchSecretOptions> = {}) {
    const service = await startPaymentService(...answers)
    const source = fetchSecret({ baseUrl: service.baseUrl, apiKey, now, ...options })
    return { service, source, verifier: createVerifier({ secret: source, now }) }
  }

  it('1,000 deliveries at once, before there is a secret, cause one call', async () => {
    const { service, verifier } = await start([secretAnswer()])
    const webhooks = await Promise.all(Array.from({ length: 1000 }, () => verifier.verify(plain, genuine)))
    expect(webhooks.every((webhook) => webhook.timestamp === timestamp)).toBe(true)
    expect(service.requests).toHaveLength(1)
  })

  it('10,000 forged deliveries within a minute cause one call, and no genuine one is lost among them', async () => {
    let passed = 0
    const clock = () => now() + passed
    const { service, source } = await start([secretAnswer()], { now: clock })
    const verifier = createVerifier({ secret: source, now: clock })
    await source.prime()
    for (let i = 0; i < 10_000; i++) {
      passed = (i * 60_000) / 10_000
      const error = await refusalOf(() => verifier.verify(plain, forged))
      if (error.code !== 'ERR_SIGNATURE_MISMATCH') throw error
      if (i % 1000 === 0) expect(await verifier.verify(plain, genuine)).toMatchObject({ timestamp })
    }
    // The one that filled the cache, and the one refresh.
    expect(service.requests).toHaveLength(2)
  })

  it('10,000 requests without a header, and 10,000 stale ones, cause none', async () => {
    const { service, verifier } = await start([secretAnswer()])
    const stale = genuine.replace('t=17', 't=16')
    for (let i = 0; i < 10_000; i++) {
      const missing = await refusalOf(() => verifier.verify(plain, undefined))
      const late = await refusalOf(() => verifier.verify(plain, stale))
      if (missing.code !== 'ERR_SIGNATURE_MISSING' || late.code !== 'ERR_TIMESTAMP_TOO_OLD') throw late
    }
    expect(service.requests).toHaveLength(0)
  })

  it('a rotated secret heals itself: the first delivery that is signed with it is accepted', async () => {
    const { service, verifier } = await start([secretAnswer(), secretAnswer(NEW_SECRET)])
    expect(await verifier.verify(plain, genuine)).toMatchObject({ timestamp })
    expect(await verifier.verify(plain, signed(NEW_SECRET))).toMatchObject({ timestamp })
    expect(service.requests).toHaveLength(2)
    // The old one is over, and nobody asks for it.
    expect((await refusalOf(() => verifier.verify(plain, genuine))).code).toBe('ERR_SIGNATURE_MISMATCH')
    expect(service.requests).toHaveLength(2)
  })

  it('with the service down after a good fetch, deliveries go on being accepted, and then are sent again', async () => {
    let passed = 0
    const clock = () => now() + passed
    const settings = { now: clock, maxAgeSeconds: 60, staleSeconds: 3600, retries: 0 }
    const { service, source } = await start([secretAnswer(), status(500)], settings)
    const verifier = createVerifier({ secret: source, now })
    for (const seconds of [0, 60, 61, 600, 3660]) {
      passed = seconds * 1000
      expect(await verifier.verify(plain, genuine)).toMatchObject({ timestamp })
    }
    passed = 3661 * 1000
    expect(await refusalOf(() => verifier.verify(plain, genuine))).toMatchObject({
      code: 'ERR_SECRET_UNAVAILABLE',
      status: 503,
    })
    expect(service.requests.length).toBeGreaterThan(1)
  })

  it.each<[cause: string, answer: Answer, seconds: number]>([
    ['did not answer within 0.05 s', hang, 10],
    ['answered HTTP 500', status(500), 10],
    ['answered HTTP 429', status(429, { 'Retry-After': '42' }), 42],
    ['The API key is wrong or revoked', status(401), 10],
    [
      'broke off',
      (response) => response.writeHead(200, { 'Content-Length': 99 }).write('{', () => response.destroy()),
      10,
    ],
    ['the answer is empty', text(''), 10],
    ['the answer is an HTML page', text('<!doctype html>', 'text/html'), 10],
    ['the answer has another shape', json({ secret: SECRET }), 10],
    ['status.code 400 inside', json({ status: { code: 400 } }), 10],
    ['longer than 64 KiB', text('x'.repeat(10_000_000)), 10],
    ['a redirect', status(302, { Location: '/' }), 10],
  ])('"%s": 503 outward, the reason in the cause', async (reason, answer, seconds) => {
    const { source, verifier } = await start([answer], {
      timeoutSeconds: answer === hang ? 0.05 : 5,
      retries: 0,
    })
    const error = await refusalOf(() => verifier.verify(plain, genuine))
    expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', status: 503, retryAfterSeconds: seconds })
    expect((error.cause as Error).message).toContain(reason.replace('inside', 'in an HTTP 200'))
    expect(source.cachedAt).toBeUndefined()
    const shown = inspect([error, source, verifier], { depth: Infinity, showHidden: true, getters: true })
    for (const key of [SECRET, apiKey]) expect(shown + JSON.stringify([error, source])).not.toContain(key)
  })

  it('says so where nobody listens', async () => {
    const { service, verifier } = await start([secretAnswer()], { retries: 0 })
    await service.stop()
    const error = await refusalOf(() => verifier.verify(plain, genuine))
    expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', status: 503 })
    expect((error.cause as Error).message).toContain('could not be reached')
  })

  it('serves several accounts behind one endpoint, each with its own secret', async () => {
    const one = await start([secretAnswer()])
    const two = await start([secretAnswer(NEW_SECRET)])
    const sources = new Map([
      ['/webhooks/one', one.source],
      ['/webhooks/two', two.source],
    ])
    const verifier = createVerifier({ secret: ({ request }) => sources.get(request as string)!, now })
    expect(await verifier.verify(plain, genuine, { request: '/webhooks/one' })).toMatchObject({ timestamp })
    expect(await verifier.verify(plain, signed(NEW_SECRET), { request: '/webhooks/two' })).toMatchObject({
      timestamp,
    })
    const mixed = await refusalOf(() => verifier.verify(plain, genuine, { request: '/webhooks/two' }))
    expect(mixed.code).toBe('ERR_SIGNATURE_MISMATCH')
  })
})
