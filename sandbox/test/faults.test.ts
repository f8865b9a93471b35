import { fetchSecret, verifySync, WebhookError } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Endpoint, status, type Received } from './support/endpoint.js'
import { DECLINED, Service, SIGNATURE_KEY } from './support/service.js'
import { digestsOf, partsOf } from './support/signature.js'

async function pay(service: Service, url: string, body?: object): Promise<string> {
  const { id } = (await service.intent({ webhook_url: url })).data
  await service.pay(id, body)
  return id
}

/** The code of the refusal, or nothing. */
function refusalOf(service: Service, { bytes, headers }: Received): string | undefined {
  try {
    verifySync(bytes, headers['service-signature'], {
      secret: service.sandbox.secret,
      now: () => service.clock.now(),
    })
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
    const { data } = await service.call('PUT', '/_sandbox/faults/', { body })
    expect(data).toEqual(body)
    expect((await service.state())['faults']).toEqual(body)
    await service.faults({})
    expect((await service.state())['faults']).toEqual({})
  })

  it.each([
    [{ vault: 'up' }, 'vault'],
    [{ vaults: 'down' }, 'vaults'],
    [{ secretEndpoint: {} }, 'secretEndpoint.mode'],
    [{ secretEndpoint: { mode: 'late' } }, 'secretEndpoint.mode'],
    [{ secretEndpoint: { mode: 'slow', delayMs: -1 } }, 'secretEndpoint.delayMs'],
    [{ secretEndpoint: { mode: 'slow', delayMs: 1.5 } }, 'secretEndpoint.delayMs'],
    [{ deliveries: { dupliacte: true } }, 'deliveries.dupliacte'],
    [{ deliveries: { tamper: 1 } }, 'deliveries.tamper'],
    [{ deliveries: { delayMs: 600_001 } }, 'deliveries.delayMs'],
    [{ chance: 1.1 }, 'chance'],
    [{ chance: -0.1 }, 'chance'],
    [{ chance: '1' }, 'chance'],
  ])('refuses %j, and changes nothing', async (body, field) => {
    const service = await Service.start()
    await service.faults({ vault: 'down' })
    const { code, status: answer } = await service.call('PUT', '/_sandbox/faults/', { body })
    expect(code).toBe(400)
    expect(Object.keys(answer.errors[0]!)).toEqual([field])
    expect((await service.state())['faults']).toEqual({ vault: 'down' })
  })
})

describe('The signature-key endpoint', () => {
  it('error: 500, in the envelope', async () => {
    const service = await Service.start()
    await service.faults({ secretEndpoint: { mode: 'error' } })
    const { code, text } = await service.get(SIGNATURE_KEY)
    expect(code).toBe(500)
    expect(JSON.parse(text)).toEqual({
      status: { code: 500, message: 'Something went wrong in the service', errors: [] },
      data: null,
      count: 0,
      next: null,
      previous: null,
    })
  })

  it('wrong-shape: the secret is not where it should be', async () => {
    const service = await Service.start()
    await service.faults({ secretEndpoint: { mode: 'wrong-shape' } })
    const response = await fetch(service.sandbox.url + SIGNATURE_KEY, {
      headers: { 'X-Api-Key': service.sandbox.apiKeys.account },
    })
    expect(response.status).toBe(200)
    expect(((await response.json()) as { data: unknown }).data).toEqual({ secret: null })
    const source = fetchSecret({ baseUrl: service.sandbox.url, apiKey: service.sandbox.apiKeys.account })
    await expect(source.prime()).rejects.toThrow('another shape')
    source.close()
  })

  it.each([
    [undefined, 10_000],
    [250, 250],
  ])('slow: with delayMs %s it answers after %d ms', async (delayMs, wait) => {
    const service = await Service.start()
    await service.faults({ secretEndpoint: { mode: 'slow', ...(delayMs !== undefined && { delayMs }) } })
    let isAnswered = false
    const answer = service.get(SIGNATURE_KEY).then((given) => {
      isAnswered = true
      return given
    })
    // A request that is made later is answered earlier.
    await service.state()
    service.clock.advance(wait - 1)
    await service.state()
    expect(isAnswered).toBe(false)
    service.clock.advance(1)
    expect((await answer).data.webhook_signature_secret).toBe(service.sandbox.secret)
  })

  it('is itself again once the fault is ended', async () => {
    const service = await Service.start()
    await service.faults({ secretEndpoint: { mode: 'error' } })
    await service.faults({})
    expect((await service.get(SIGNATURE_KEY)).code).toBe(200)
  })
})

describe('Deliveries', () => {
  it('duplicate: each attempt is made twice', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { duplicate: true } })
    await pay(service, endpoint.url)
    await service.sandbox.drained()
    const [a1, a2, b1, b2] = endpoint.received
    expect(endpoint.received).toHaveLength(4)
    expect(a1!.bytes.equals(a2!.bytes)).toBe(true)
    expect(b1!.bytes.equals(b2!.bytes)).toBe(true)
    expect(await service.deliveries()).toMatchObject([
      { status: 'delivered', attempt_count: 2 },
      { status: 'delivered', attempt_count: 2 },
    ])
  })

  it('duplicate: one yes is enough', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(204), status(409))
    await service.faults({ deliveries: { duplicate: true } })
    await pay(service, endpoint.url, { card: DECLINED })
    await service.sandbox.drained()
    expect(await service.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 2 }])
  })

  it('lost: a delivery is never sent, and the others are', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { lost: true } })
    await pay(service, endpoint.url)
    await service.faults({})
    await pay(service, endpoint.url)
    await service.sandbox.drained()
    service.clock.advance(3_600_000)
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    const deliveries = await service.deliveries()
    expect(deliveries.map(({ status }) => status)).toEqual(['lost', 'lost', 'delivered', 'delivered'])
    expect(deliveries[0]).toMatchObject({ attempt_count: 0, schedule: [] })
    expect((await service.get('/_sandbox/endpoints/')).data[0]).toMatchObject({ deliveries: 4, lost: 2 })
  })

  it('lost: a delivery of which an attempt was made is retried', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), status(204))
    await pay(service, endpoint.url)
    await service.sandbox.idle()
    await service.faults({ deliveries: { lost: true } })
    service.clock.advance(1000)
    await service.sandbox.idle()
    expect((await service.deliveries()).map(({ status }) => status)).toContain('delivered')
  })

  it('lost: it can be sent by hand', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { lost: true } })
    await pay(service, endpoint.url)
    await service.sandbox.drained()
    const { id } = (await service.deliveries())[0]!
    await service.call('POST', `/_sandbox/deliveries/${id}/resend/`, { body: {} })
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(1)
    expect((await service.deliveries())[0]).toMatchObject({ id, status: 'delivered' })
  })

  it('reorder: shape B comes first', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { reorder: true } })
    await pay(service, endpoint.url)
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['intent.processed', 'transaction.purchase.successful'])
  })

  it('delayMs: each attempt is held back so long', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { delayMs: 3000 } })
    await pay(service, endpoint.url)
    service.clock.advance(2999)
    await service.sandbox.idle()
    expect(endpoint.received).toEqual([])
    service.clock.advance(1)
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.successful'])
    service.clock.advance(3000)
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    // It is late, and signed when it is sent.
    expect(refusalOf(service, endpoint.received[1]!)).toBeUndefined()
  })

  it('delayMs: timeScale leaves it alone', async () => {
    const service = await Service.start({ timeScale: 1000 })
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { delayMs: 3000 } })
    await pay(service, endpoint.url, { card: DECLINED })
    service.clock.advance(2999)
    await service.sandbox.idle()
    expect(endpoint.received).toEqual([])
    service.clock.advance(1)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(1)
  })

  it('delayMs: what was resent in the meantime is not sent again, and the next one follows', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { delayMs: 3000 } })
    await pay(service, endpoint.url)
    const [first] = await service.deliveries()
    await service.post(`/_sandbox/deliveries/${first!.id}/resend/`)
    service.clock.advance(3000)
    await service.sandbox.idle()
    service.clock.advance(3000)
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
  })

  it('delayMs: reset forgets what is held back', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { delayMs: 3000 } })
    await pay(service, endpoint.url)
    service.sandbox.reset()
    service.clock.advance(3000)
    await service.sandbox.idle()
    expect(endpoint.received).toEqual([])
  })

  it('tamper: the amount is another one than was signed, and nothing else is', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { tamper: true } })
    await pay(service, endpoint.url)
    await service.sandbox.idle()
    const deliveries = await service.deliveries()
    expect(endpoint.received).toHaveLength(2)
    for (const [i, received] of endpoint.received.entries()) {
      expect(refusalOf(service, received)).toBe('ERR_SIGNATURE_MISMATCH')
      const { body, attempts } = deliveries[i]!
      const sent = received.bytes.toString()
      expect(attempts).toMatchObject([{ body: sent, faults: ['tamper'] }])
      expect(sent).not.toBe(body)
      expect(sent.replace(/"(value|amount)":2/, '"$1":1')).toBe(body)
      const { t, ...parts } = partsOf(received)
      const { secret, apiKeys } = service.sandbox
      expect(parts).toEqual(digestsOf(Buffer.from(body), t, secret, apiKeys.account))
    }
  })

  it('stale: t is an hour old, and signed', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { stale: true } })
    await pay(service, endpoint.url)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    for (const received of endpoint.received) {
      const { t, ...parts } = partsOf(received)
      expect(Number(t)).toBe(Math.floor(service.clock.now() / 1000) - 3600)
      const { secret, apiKeys } = service.sandbox
      expect(parts).toEqual(digestsOf(received.bytes, t, secret, apiKeys.account))
      expect(refusalOf(service, received)).toBe('ERR_TIMESTAMP_TOO_OLD')
    }
    expect((await service.deliveries())[0]!.attempts).toMatchObject([{ faults: ['stale'] }])
  })

  it('a retry after the fault has ended is genuine', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    await service.faults({ deliveries: { tamper: true, stale: true } })
    await pay(service, endpoint.url, { card: DECLINED })
    await service.sandbox.idle()
    await service.faults({})
    service.clock.advance(1000)
    await service.sandbox.idle()
    expect(endpoint.received.map((received) => refusalOf(service, received))).toEqual([
      'ERR_TIMESTAMP_TOO_OLD',
      undefined,
    ])
  })

  it.each([
    [{ tamper: true }, 'ERR_SIGNATURE_MISMATCH'],
    [{ stale: true }, 'ERR_TIMESTAMP_TOO_OLD'],
    [{ tamper: false, stale: false }, undefined],
  ])('a resend with %j does so once', async (body, code) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    await pay(service, endpoint.url, { card: DECLINED })
    await service.sandbox.drained()
    const { id } = (await service.deliveries())[0]!
    await service.post(`/_sandbox/deliveries/${id}/resend/`, body)
    await service.post(`/_sandbox/deliveries/${id}/resend/`)
    expect(endpoint.received.map((received) => refusalOf(service, received))).toEqual([
      undefined,
      code,
      undefined,
    ])
  })
})

describe('The secret, rotated', () => {
  it('is another one for all that is signed from then on, and a verifier heals itself', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const before = service.sandbox.secret
    const { data } = await service.post('/_sandbox/secret/rotate/')
    const { secret } = service.sandbox
    expect(secret).not.toBe(before)
    expect(JSON.stringify(data)).not.toContain(secret)
    expect((await service.get(SIGNATURE_KEY)).data.webhook_signature_secret).toBe(secret)
    await pay(service, endpoint.url)
    await service.sandbox.drained()
    const [received] = endpoint.received
    const { t, v3 } = partsOf(received!)
    expect(v3).toBe(digestsOf(received!.bytes, t, secret, '').v3)
    expect(v3).not.toBe(digestsOf(received!.bytes, t, before, '').v3)
  })

  it('signs the retries of what was sent before, too', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), status(204))
    await pay(service, endpoint.url, { card: DECLINED })
    await service.sandbox.idle()
    await service.post('/_sandbox/secret/rotate/')
    service.clock.advance(1000)
    await service.sandbox.drained()
    expect(refusalOf(service, endpoint.received[1]!)).toBeUndefined()
  })
})

describe('The chance of a fault', () => {
  async function codesWith(seed: string, chance: number): Promise<readonly (string | undefined)[]> {
    const service = await Service.start({ seed })
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { tamper: true }, chance })
    for (let i = 0; i < 20; i++) await pay(service, endpoint.url, { card: DECLINED })
    await service.sandbox.idle()
    const bodies = new Map(endpoint.received.map((received) => [received.bytes.toString(), received]))
    const deliveries = await service.deliveries()
    return deliveries.map(({ attempts }) => refusalOf(service, bodies.get(attempts[0]!.body)!))
  }

  it('0 is never', async () => {
    expect(new Set(await codesWith('a', 0))).toEqual(new Set([undefined]))
  })

  it('1 is always', async () => {
    expect(new Set(await codesWith('a', 1))).toEqual(new Set(['ERR_SIGNATURE_MISMATCH']))
  })

  it('between them it is now and then, and the same for the same seed', async () => {
    const first = await codesWith('a', 0.5)
    expect(new Set(first).size).toBe(2)
    expect(await codesWith('a', 0.5)).toEqual(first)
    expect(await codesWith('b', 0.5)).not.toEqual(first)
  })

  it('every fault comes the same way for the same seed, and again after a reset', async () => {
    const service = await Service.start({ seed: 'a' })
    const endpoint = await Endpoint.start()
    const course = async () => {
      await service.faults({
        vault: 'down',
        secretEndpoint: { mode: 'error' },
        deliveries: { duplicate: true, reorder: true, delayMs: 1, tamper: true, stale: true },
        chance: 0.5,
      })
      const customer = await service.customer()
      const seen: unknown[] = []
      for (let i = 0; i < 8; i++) {
        seen.push((await service.get(SIGNATURE_KEY)).code)
        const fields = { customer, tokenize_card: true, webhook_url: endpoint.url }
        const { id } = (await service.intent(fields)).data
        seen.push((await service.pay(id)).data.card_token)
        const before = endpoint.received.length
        // What is held back comes with the time.
        for (let step = 0; step < 4; step++) {
          await service.sandbox.idle()
          seen.push(endpoint.types.slice(before).join())
          service.clock.advance(1)
        }
        await service.sandbox.idle()
      }
      seen.push(
        (await service.deliveries()).map(({ id, attempts }) => [id, attempts.map(({ faults }) => faults)]),
      )
      return seen
    }
    const first = await course()
    service.sandbox.reset()
    expect(await course()).toEqual(first)
  })

  it('is drawn for the vault and the secret endpoint, too', async () => {
    const service = await Service.start()
    await service.faults({ vault: 'down', secretEndpoint: { mode: 'error' }, chance: 0.5 })
    const codes = []
    for (let i = 0; i < 20; i++) codes.push((await service.get(SIGNATURE_KEY)).code)
    expect(new Set(codes)).toEqual(new Set([200, 500]))
    const customer = await service.customer()
    const saved = []
    for (let i = 0; i < 20; i++) {
      const { id } = (await service.intent({ customer, tokenize_card: true })).data
      saved.push((await service.pay(id)).data.card_token !== undefined)
    }
    expect(new Set(saved)).toEqual(new Set([true, false]))
  })

  it('a reorder with a chance happens to some payments', async () => {
    const service = await Service.start()
    await service.faults({
      deliveries: { reorder: true, duplicate: true, delayMs: 1, stale: true },
      chance: 0.5,
    })
    const order = []
    for (let i = 0; i < 12; i++) {
      const endpoint = await Endpoint.start()
      await pay(service, endpoint.url)
      for (let step = 0; step < 4; step++) {
        await service.sandbox.idle()
        service.clock.advance(1)
      }
      await service.sandbox.idle()
      order.push([...new Set(endpoint.types)].join())
    }
    expect(new Set(order).size).toBe(2)
  })
})
