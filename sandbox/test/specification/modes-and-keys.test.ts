import { verify } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Endpoint, status } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import { CARD, INTENTS, Service, type Data } from '../support/service.js'
import { digestsOf, partsOf } from '../support/signature.js'

const KEYS = '/_sandbox/keys/'

const createLiveKey = async (service: Service) =>
  (await service.post(KEYS, { type: 'account', is_live: true })).data

describe('Accounts and keys', () => {
  it(
    'an account key identifies the mode of a request: an intent of a live key is live',
    holds('key-identity'),
    async () => {
      const service = await Service.start()
      const key = await createLiveKey(service)
      expect(key).toMatchObject({ is_live: true, account: service.sandbox.accountId })
      const { data } = await service.intent({}, key.api_key)
      expect(data.is_live).toBe(true)
      expect((await service.get(`${INTENTS}${data.id}/`)).code).toBe(404)
      expect((await service.get(`${INTENTS}${data.id}/`, service.composite(true))).code).toBe(200)
      expect((await service.intent()).data.is_live).toBe(false)
    },
  )

  it(
    'the events of a live intent have is_live true, and v1 is signed with the live key',
    holds('intent-event-fields', 'v1'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const key = await createLiveKey(service)
      const live = (await service.intent({ webhook_url: endpoint.url }, key.api_key)).data
      await service.pay(live.id)
      await service.sandbox.idle()
      expect(endpoint.events[1]).toMatchObject({ data: { intent: { is_live: true } } })
      for (const received of endpoint.received) {
        const { t, v1 } = partsOf(received)
        expect(v1).toBe(digestsOf(received.bytes, t, service.sandbox.secret, key.api_key).v1)
      }
      expect(await service.deliveries()).toMatchObject([{ is_live: true }, { is_live: true }])
    },
  )

  it('our choice: v1 of an intent under an organization key is signed with a key of the same mode', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { api_key } = await createLiveKey(service)
    for (const isLive of [true, false]) {
      const { data } = await service.intent({ webhook_url: endpoint.url }, service.composite(isLive))
      await service.pay(data.id)
      await service.sandbox.idle()
    }
    const keys = [api_key, api_key, service.sandbox.apiKeys.account, service.sandbox.apiKeys.account]
    for (const [index, received] of endpoint.received.entries()) {
      const { t, v1 } = partsOf(received)
      expect(v1).toBe(digestsOf(received.bytes, t, service.sandbox.secret, keys[index]!).v1)
    }
  })

  it.each(['before the payment', 'before the retry'])(
    'our choice: v1 is never signed with a revoked key: if the only one is revoked %s, one is made',
    async (when) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      endpoint.replyWith(status(500))
      const accountKeys = async () => {
        const { keys } = (await service.post(`${KEYS}reveal/`)).data as unknown as { keys: Data[] }
        return keys.filter((key) => key['type'] === 'account')
      }
      const [only] = await accountKeys()
      const revoke = () => service.post(`${KEYS}${only!.id}/revoke/`)
      const isRevokedFirst = when === 'before the payment'
      if (isRevokedFirst) await revoke()
      const { id } = (await service.intent({ webhook_url: endpoint.url }, service.composite(false))).data
      await service.pay(id)
      await service.sandbox.idle()
      if (!isRevokedFirst) {
        await revoke()
        const [{ id: delivery }] = (await service.deliveries()) as [Data]
        const { data } = await service.get(`/_sandbox/deliveries/${delivery}/explain/`)
        expect(data).toMatchObject({ report: { ok: true } })
        expect(await accountKeys()).toHaveLength(1)
      }
      endpoint.received.length = 0
      service.clock.advance(1000)
      await service.sandbox.idle()
      const made = (await accountKeys()).filter((key) => !key.is_revoked)
      expect(made).toHaveLength(1)
      expect(endpoint.received).toHaveLength(2)
      for (const received of endpoint.received) {
        const { t, v1 } = partsOf(received)
        expect(v1).toBe(digestsOf(received.bytes, t, service.sandbox.secret, made[0]!.api_key).v1)
      }
    },
  )

  it(
    'a live public key pays a live intent, and a test one does not find it',
    holds('public-key'),
    async () => {
      const service = await Service.start()
      const { api_key, public_api_key } = await createLiveKey(service)
      const { id } = (await service.intent({}, api_key)).data
      const collect = async (key: string) =>
        (await service.post('/vault/cards/', { card: CARD, cvv: '123' }, key)).data.id
      const path = `/vault/intents/${id}/pay/`
      const { public: testKey } = service.sandbox.apiKeys
      expect((await service.post(path, { cardData: await collect(testKey) }, testKey)).code).toBe(404)
      const paid = await service.post(path, { cardData: await collect(public_api_key) }, public_api_key)
      expect(paid.data.status).toBe('PROCESSED')
    },
  )

  it('our choice: a key of the organization has no mode of its own', async () => {
    const service = await Service.start()
    const { code, status } = await service.post(KEYS, { type: 'organization', is_live: true })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ is_live: 'is not for a key of the organization' }])
  })
})

describe('Accounts and keys', () => {
  it('one or more selected keys are revoked at once', holds('several-revoked'), async () => {
    const service = await Service.start()
    const made = [await createLiveKey(service), await createLiveKey(service)]
    const { code, list } = await service.post(`${KEYS}revoke/`, { ids: made.map(({ id }) => id) })
    expect(code).toBe(200)
    expect(list).toMatchObject([{ is_revoked: true }, { is_revoked: true }])
    for (const { api_key } of made) expect((await service.get(INTENTS, api_key)).code).toBe(401)
    expect((await service.get(INTENTS)).code).toBe(200)
  })

  it('our choice: if one of the selected keys does not exist, none is revoked', async () => {
    const service = await Service.start()
    const key = await createLiveKey(service)
    const { code, status } = await service.post(`${KEYS}revoke/`, { ids: [key.id, 'key_none'] })
    expect(code).toBe(404)
    expect(status.message).toBe('There is no key with this id; none was revoked.')
    expect((await service.get(INTENTS, key.api_key)).code).toBe(200)
  })

  it('our choice: the page creates named accounts without a key', async () => {
    const service = await Service.start()
    const { data } = await service.post('/_sandbox/accounts/', { name: 'Shop in Tallinn' })
    expect(data.name).toBe('Shop in Tallinn')
    expect((await service.intent({}, data.api_key)).code).toBe(200)
    const { list } = await service.get('/api/v1.4/accounts/', service.sandbox.apiKeys.organization)
    expect(list.map(({ name }) => name)).toEqual(['First account', 'Shop in Tallinn'])
  })

  it('our choice: payouts do not exist, and the answer says so', async () => {
    const service = await Service.start()
    for (const key of [service.sandbox.apiKeys.account, service.sandbox.apiKeys.public]) {
      const { code, status } = await service.call('POST', '/api/v1.4/payouts/', { key })
      expect(code).toBe(404)
      expect(status.message).toBe(
        'The sandbox has no payouts. The service documents that keys are used for them, but no path, request or answer.',
      )
    }
  })
})

describe('Events', () => {
  async function tokenize(cardTokenEvents: boolean) {
    const service = await Service.start({ cardTokenEvents })
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const { data } = await service.post('/api/v1.4/tokens/cards/', { customer, webhook_url: endpoint.url })
    const { data: done } = await service.pay(data.id)
    await service.sandbox.idle()
    return { service, endpoint, customer, intent: data.id, token: done.card_token! }
  }

  it('our choice: with the option cardTokenEvents, a saved card sends card_token.created to its webhook_url', async () => {
    const { service, endpoint, customer, intent, token } = await tokenize(true)
    expect(endpoint.events).toMatchObject([
      {
        type: 'card_token.created',
        card_token_intent: { id: intent, status: 'PROCESSED' },
        account: { id: service.sandbox.accountId },
        card_token: { id: token, customer, card_token_type: 'UNIVERSAL' },
        is_live: false,
        api_version: '1.1',
      },
    ])
    const [{ bytes, headers }] = endpoint.received as [(typeof endpoint.received)[number]]
    const { event } = await verify(bytes, headers['service-signature'], {
      secret: service.sandbox.secret,
      now: () => service.clock.now(),
    })
    expect(event).toMatchObject({
      type: 'unrecognized',
      reason: 'unknown-type',
      receivedType: 'card_token.created',
    })
  })

  it('our choice: without that option, a saved card sends nothing', async () => {
    const { endpoint } = await tokenize(false)
    expect(endpoint.received).toEqual([])
  })
})
