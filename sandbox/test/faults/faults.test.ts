import { fetchSecret, verifySync, WebhookError } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../server/index.js'
import { ok, status, type Received } from '../support/endpoint.js'
import { DECLINED, Service, SIGNATURE_KEY, startWithEndpoint } from '../support/service.js'
import { digestsOf, expectSigned, partsOf } from '../support/signature.js'

const SHAPES = ['transaction.purchase.successful', 'intent.processed']

/** A sandbox with faults of its deliveries, and an endpoint. */
async function startWith(deliveries: object, options?: SandboxOptions) {
  const started = await startWithEndpoint(options)
  await started.service.faults({ deliveries })
  return started
}

/** The code of the refusal, or nothing. */
function refusalOf({ sandbox: { secret }, clock }: Service, { bytes, headers }: Received) {
  try {
    verifySync(bytes, headers['service-signature'], { secret, now: clock.now })
    return undefined
  } catch (error) {
    if (!WebhookError.is(error)) throw error
    return error.code
  }
}

describe('PUT /_sandbox/faults/', () => {
  it('answers with what is set, shows it in the state, and {} ends it', async () => {
    const service = await Service.start()
    const body = { vault: 'down', deliveries: { delayMs: 5 }, chance: 0.5 }
    expect((await service.call('PUT', '/_sandbox/faults/', { body })).data).toEqual(body)
    expect((await service.state())['faults']).toEqual(body)
    await service.faults({})
    expect((await service.state())['faults']).toEqual({})
  })

  it.each([
    [{ vaults: 'down' }, 'vaults'],
    [{ secretEndpoint: {} }, 'secretEndpoint.mode'],
    [{ deliveries: { dupliacte: true } }, 'deliveries.dupliacte'],
    [{ deliveries: { delayMs: 600_001 } }, 'deliveries.delayMs'],
    [{ chance: 1.1 }, 'chance'],
  ])('refuses %j, and changes nothing', async (body, field) => {
    const service = await Service.start()
    await service.faults({ vault: 'down' })
    const { code, status: answer } = await service.call('PUT', '/_sandbox/faults/', { body })
    expect(code).toBe(400)
    expect(Object.keys(answer.errors[0]!)).toEqual([field])
    expect((await service.state())['faults']).toEqual({ vault: 'down' })
  })
})

describe('The secret endpoint', () => {
  it('error: answers 500 in the envelope until the fault ends', async () => {
    const service = await Service.start()
    await service.faults({ secretEndpoint: { mode: 'error' } })
    const { code, text } = await service.get(SIGNATURE_KEY)
    expect(code).toBe(500)
    const answer = { code: 500, message: 'Something went wrong in the service', errors: [] }
    const nothing = { data: null, count: 0, next: null, previous: null }
    expect(JSON.parse(text)).toEqual({ status: answer, ...nothing })
    await service.faults({})
    expect((await service.get(SIGNATURE_KEY)).code).toBe(200)
  })

  it('wrong-shape: the secret is not where it should be, which the library reports', async () => {
    const service = await Service.start()
    await service.faults({ secretEndpoint: { mode: 'wrong-shape' } })
    const apiKey = service.sandbox.apiKeys.account
    const response = await fetch(service.sandbox.url + SIGNATURE_KEY, { headers: { 'X-Api-Key': apiKey } })
    expect(await response.json()).toMatchObject({ status: { code: 200 }, data: { secret: null } })
    const source = fetchSecret({ baseUrl: service.sandbox.url, apiKey })
    await expect(source.prime()).rejects.toThrow('another shape')
    source.close()
  })

  it.each([
    [{}, 10_000],
    [{ delayMs: 250 }, 250],
  ])('slow: with %j it answers after %d ms', async (delay, wait) => {
    const service = await Service.start()
    await service.faults({ secretEndpoint: { mode: 'slow', ...delay } })
    let isAnswered = false
    const answer = service.get(SIGNATURE_KEY).finally(() => (isAnswered = true))
    // A request that is made later is answered earlier.
    await service.state()
    service.clock.advance(wait - 1)
    await service.state()
    expect(isAnswered).toBe(false)
    service.clock.advance(1)
    expect((await answer).data.webhook_signature_secret).toBe(service.sandbox.secret)
  })
})

describe('A fault of deliveries', () => {
  it('duplicate: each attempt is made twice, and is accepted if one of them is', async () => {
    const { service, endpoint } = await startWith({ duplicate: true })
    endpoint.replyWith(status(204), status(409), ok)
    await service.sent(endpoint.url)
    const [a1, a2, b1, b2, ...others] = endpoint.received
    expect(others).toEqual([])
    expect(a1!.bytes.equals(a2!.bytes)).toBe(true)
    expect(b1!.bytes.equals(b2!.bytes)).toBe(true)
    const twice = { status: 'delivered', attempt_count: 2 }
    expect(await service.deliveries()).toMatchObject([twice, twice])
  })

  it('lost: a delivery is never sent, unless it is sent by hand', async () => {
    const { service, endpoint } = await startWith({ lost: true })
    const [first] = await service.sent(endpoint.url)
    await service.pass(3_600_000)
    expect(endpoint.received).toEqual([])
    const lost = { status: 'lost', attempt_count: 0, schedule: [] }
    expect(await service.deliveries()).toMatchObject([lost, lost])
    await service.resend(first!.id)
    expect(endpoint.received).toHaveLength(1)
    expect(await service.deliveries()).toMatchObject([{ status: 'delivered' }, lost])
  })

  it('reorder: the intent event is sent first', async () => {
    const { service, endpoint } = await startWith({ reorder: true })
    await service.sent(endpoint.url)
    expect(endpoint.types).toEqual([...SHAPES].reverse())
  })

  it('delayMs: each attempt waits so long, whatever timeScale is, and is signed when it is sent', async () => {
    const { service, endpoint } = await startWith({ delayMs: 3000 }, { timeScale: 1000 })
    await service.order(endpoint.url)
    await service.pass(2999)
    expect(endpoint.received).toEqual([])
    await service.pass(1)
    expect(endpoint.types).toEqual(SHAPES.slice(0, 1))
    await service.pass(3000)
    expect(endpoint.types).toEqual(SHAPES)
    expect(expectSigned(service, endpoint.received[1]!)).toBe(Math.floor(service.clock.now() / 1000))
  })

  it('delayMs: what was resent in the meantime is not sent again, and the next one follows', async () => {
    const { service, endpoint } = await startWith({ delayMs: 3000 })
    await service.order(endpoint.url)
    const [first] = await service.deliveries()
    await service.resend(first!.id)
    await service.pass(3000)
    await service.pass(3000)
    expect(endpoint.types).toEqual(SHAPES)
  })

  it('tamper: the amount is another one than was signed, and nothing else is', async () => {
    const { service, endpoint } = await startWith({ tamper: true })
    const deliveries = await service.sent(endpoint.url)
    expect(endpoint.received).toHaveLength(2)
    for (const [i, received] of endpoint.received.entries()) {
      const { body, attempts } = deliveries[i]!
      const sent = received.bytes.toString()
      expect(attempts).toMatchObject([{ body: sent, faults: ['tamper'] }])
      expect(sent).not.toBe(body)
      expect(sent.replace(/"(value|amount)":2/, '"$1":1')).toBe(body)
      expectSigned(service, received, { bytes: Buffer.from(body) })
      expect(refusalOf(service, received)).toBe('ERR_SIGNATURE_MISMATCH')
    }
  })

  it('stale: the time is an hour old, and signed, and a retry is valid once the fault has ended', async () => {
    const { service, endpoint } = await startWith({ stale: true })
    endpoint.replyWith(status(401))
    const stale = { attempts: [{ faults: ['stale'] }] }
    expect(await service.sent(endpoint.url)).toMatchObject([stale, stale])
    for (const received of endpoint.received.splice(0)) {
      expect(expectSigned(service, received)).toBe(Math.floor(service.clock.now() / 1000) - 3600)
      expect(refusalOf(service, received)).toBe('ERR_TIMESTAMP_TOO_OLD')
    }
    await service.faults({})
    await service.pass(1000)
    expect(endpoint.received.map((retry) => refusalOf(service, retry))).toEqual([undefined, undefined])
  })
})

it('a rotated secret signs everything from then on, retries of earlier deliveries, too', async () => {
  const { service, endpoint } = await startWithEndpoint()
  endpoint.replyWith(status(500), ok)
  await service.sent(endpoint.url, { card: DECLINED })
  const before = service.sandbox.secret
  const { data } = await service.post('/_sandbox/secret/rotate/')
  const { secret } = service.sandbox
  expect(secret).not.toBe(before)
  expect(JSON.stringify(data)).not.toContain(secret)
  expect((await service.get(SIGNATURE_KEY)).data.webhook_signature_secret).toBe(secret)
  await service.pass(1000)
  const [, retry] = endpoint.received
  expectSigned(service, retry!)
  const { t, v3 } = partsOf(retry!)
  expect(v3).not.toBe(digestsOf(retry!.bytes, t, before, '').v3)
})

describe('The chance of a fault', () => {
  /** The faults of each attempt of each delivery. */
  async function faultsOf(service: Service): Promise<readonly (readonly string[])[]> {
    const deliveries = await service.deliveries()
    return deliveries.map(({ attempts }) => attempts.map(({ faults }) => faults.join()))
  }

  /** What happens to eight payments under all faults, each of which comes with the chance of one half. */
  async function course({ service, endpoint }: Awaited<ReturnType<typeof startWithEndpoint>>) {
    await service.faults({
      vault: 'down',
      secretEndpoint: { mode: 'error' },
      deliveries: { duplicate: true, reorder: true, delayMs: 1, tamper: true, stale: true },
      chance: 0.5,
    })
    const customer = await service.customer()
    const seen = { codes: [] as number[], saved: [] as boolean[], orders: [] as string[] }
    for (let i = 0; i < 8; i++) {
      seen.codes.push((await service.get(SIGNATURE_KEY)).code)
      const fields = { customer, tokenize_card: true, webhook_url: endpoint.url }
      const { id } = (await service.intent(fields)).data
      seen.saved.push((await service.pay(id)).data.card_token !== undefined)
      const before = endpoint.received.length
      // What is delayed is sent as time passes.
      for (let step = 0; step < 5; step++) {
        await service.sandbox.idle()
        await service.pass(1)
      }
      seen.orders.push(endpoint.types.slice(before).join())
    }
    return { ...seen, faults: await faultsOf(service) }
  }

  it('is never with 0, and always with 1', async () => {
    const { service, endpoint } = await startWithEndpoint()
    for (const chance of [0, 1]) {
      await service.faults({ deliveries: { tamper: true, stale: true }, chance })
      await service.sent(endpoint.url)
    }
    expect(await faultsOf(service)).toEqual([[''], [''], ['tamper,stale'], ['tamper,stale']])
  })

  it('is drawn for everything, the same way for the same seed and after a reset', async () => {
    const started = await startWithEndpoint({ seed: 'a' })
    const first = await course(started)
    for (const drawn of [first.codes, first.saved, first.orders]) {
      expect(new Set<unknown>(drawn).size).toBeGreaterThan(1)
    }
    expect(new Set(first.faults.flat())).toEqual(new Set(['', 'tamper', 'stale', 'tamper,stale']))
    started.service.sandbox.reset()
    expect(await course(started)).toEqual(first)
    expect(await course(await startWithEndpoint({ seed: 'b' }))).not.toEqual(first)
  })
})
