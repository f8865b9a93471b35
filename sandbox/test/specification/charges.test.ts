import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import { CHALLENGED, DECLINED_WHEN_SAVED, INTENTS, NEEDS_CVV, Service } from '../support/service.js'

describe('Payment intents', () => {
  const path = (id: string) => `/direct/payments/intents/${id}/card_token/`

  it(
    'POST /direct/payments/intents/{intent_id}/card_token/ charges a saved card on an intent',
    holds('direct-charge'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
      const { code, data } = await service.post(path(id), { card_token })
      expect(code).toBe(200)
      expect(data).toMatchObject({ id, status: 'PROCESSED', card_token })
      await service.sandbox.idle()
      expect(endpoint.received).toHaveLength(2)
    },
  )

  it('our choice: a direct charge takes a CVV, and returns an embed_url if a challenge is required', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const needsCvv = await service.savedCard(customer, { card: NEEDS_CVV })
    const challenged = await service.savedCard(customer, { card: CHALLENGED })
    const { id } = (await service.intent({ customer })).data
    const stepped = await service.post(path(id), { card_token: challenged, card_token_data: { cvv: '123' } })
    expect(stepped.data).toMatchObject({ status: 'AWAITING_CHALLENGE' })
    expect(stepped.data.embed_url).not.toBeNull()
    const paid = await service.post(path(id), { card_token: needsCvv, card_token_data: { cvv: '123' } })
    expect(paid.data.status).toBe('PROCESSED')
  })

  it('our choice: a direct charge takes no other card than that of the intent', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: CHALLENGED })
    const other = await service.savedCard(customer)
    const { id } = (await service.intent({ customer, card_token, webhook_url: endpoint.url })).data
    const { code, status } = await service.post(path(id), { card_token: other })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ card_token: 'is settled: the intent charges another saved card' }])
    expect((await service.post(path(id), { card_token })).data.status).toBe('AWAITING_CHALLENGE')
    await service.sandbox.idle()
    expect(endpoint.received).toEqual([])
  })

  it('our choice: a declined charge of a saved card cannot be tried again by a direct charge', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: DECLINED_WHEN_SAVED })
    const { data } = await service.intent({ customer, card_token, webhook_url: endpoint.url })
    expect(data.status).toBe('FAILED')
    const { code, status } = await service.post(path(data.id), { card_token })
    expect(code).toBe(409)
    expect(status.errors).toEqual([{ id: 'has failed with its saved card: create another' }])
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
  })

  it("our choice: a direct charge refuses an unknown intent (404), another customer's card (404) and a paid intent (409)", async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const foreign = await service.savedCard(await service.customer())
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    const anonymous = (await service.intent()).data
    expect((await service.post(path('int_none'), { card_token })).code).toBe(404)
    expect(
      (await service.call('POST', path(id), { body: { card_token }, key: service.composite(true) })).code,
    ).toBe(404)
    expect((await service.post(path(id), { card_token: foreign })).code).toBe(404)
    expect((await service.post(path(id), {})).code).toBe(400)
    expect((await service.post(path(id), { card_token, card_token_data: { cvv: 'abc' } })).code).toBe(400)
    const withoutCustomer = await service.post(path(anonymous.id), { card_token })
    expect(withoutCustomer.code).toBe(400)
    expect(withoutCustomer.status.errors).toEqual([{ customer: 'is missing on this intent' }])
    expect((await service.get(`${INTENTS}${id}/`)).data.transactions).toEqual([])
    expect((await service.post(path(id), { card_token })).code).toBe(200)
    await service.sandbox.drained()
    expect((await service.post(path(id), { card_token })).code).toBe(409)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(2)
  })
})
