import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import {
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  CUSTOMERS,
  DECLINED,
  INTENTS,
  NEEDS_CVV,
  Service,
  type Answer,
} from '../support/service.js'

async function remove(service: Service, customer: string, id: string): Promise<Answer> {
  return service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: id })
}

describe('Customers and saved cards', () => {
  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])(
    'a deleted %s token is removed from every vault that holds it, and no longer offered or chargeable',
    holds('deleted-card'),
    async (type) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const kept = await service.savedCard(customer)
      const card_token = await service.savedCard(customer, { type })
      const offered = await service.intent({ customer })
      expect(offered.data.saved_cards.map(({ id }) => id)).toEqual([kept, card_token])

      await remove(service, customer, card_token)

      expect((await service.get(`${CARD_TOKENS}${card_token}/`)).code).toBe(404)
      expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list.map(({ id }) => id)).toEqual([kept])
      expect((await service.intent({ customer })).data.saved_cards.map(({ id }) => id)).toEqual([kept])
      expect(await service.provider('north')).toMatchObject({ counts: { card_tokens: 0 } })
      const charge = await service.intent({ customer, card_token, webhook_url: endpoint.url })
      expect(charge.code).toBe(404)
      await service.sandbox.idle()
      expect(endpoint.received).toEqual([])
    },
  )

  it(
    'an MIT that depends on a removed card fails on its next attempt, until a new card is attached',
    holds('deleted-card-charge'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const old = await service.savedCard(customer)
      const recurring_data = { agreement_id: 'agr-1' }
      const cit = { customer, merchant_initiated: false, payment_type: 'UNSCHEDULED', recurring_data }
      const mit = { ...cit, merchant_initiated: true }
      await service.intent({ ...cit, card_token: old })
      expect((await service.intent({ ...mit, card_token: old })).data.status).toBe('PROCESSED')

      await remove(service, customer, old)
      expect((await service.intent({ ...mit, card_token: old })).code).toBe(404)

      const next = await service.savedCard(customer)
      expect((await service.intent({ ...mit, card_token: next })).data.failure).toBe(
        'The agreement is for another card token',
      )
      expect((await service.intent({ ...cit, card_token: next })).data.status).toBe('PROCESSED')
      expect((await service.intent({ ...mit, card_token: next })).data.status).toBe('PROCESSED')
    },
  )

  it('our choice: a new card for an agreement ends the coverage of the old one at all providers', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const old = await service.savedCard(customer)
    const cit = { customer, merchant_initiated: false, recurring_data: { agreement_id: 'agr-1' } }
    await service.intent({ ...cit, card_token: old })
    await remove(service, customer, old)
    const card_token = await service.savedCard(customer)
    await service.intent({ ...cit, card_token, provider: 'east' })
    const mit = await service.intent({ ...cit, merchant_initiated: true, card_token, provider: 'north' })
    expect(mit.data.failure).toBe('The provider north has no coverage of this agreement')
  })

  it.each([
    ['3DS', CHALLENGED, { challenge: 'pass' }],
    ['the CVV', NEEDS_CVV, { cvv: '123' }],
  ])(
    'a charge that waits for %s fails when its card is deleted, and cannot be completed',
    holds('deleted-card'),
    async (_, card, step) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { card })
      const other = await service.savedCard(customer, { card })
      const fields = { customer, webhook_url: endpoint.url }
      const { id } = (await service.intent({ ...fields, card_token, provider: 'south' })).data
      const untouched = (await service.intent({ ...fields, card_token: other })).data
      await remove(service, customer, card_token)
      expect((await service.get(`${INTENTS}${id}/`)).data).toMatchObject({
        status: 'FAILED',
        failure: 'The saved card was deleted',
        embed_url: null,
        transactions: [{ provider: 'south', status: 'FAILED' }],
      })
      expect((await service.pay(id, step)).code).toBe(409)
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['transaction.purchase.failed'])
      expect((await service.get(`${INTENTS}${untouched.id}/`)).data).toEqual(untouched)
    },
  )

  it('our choice: if the customer had chosen the deleted card, another one can pay', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const cardToken = await service.savedCard(customer, { card: CHALLENGED })
    const { id } = (await service.intent({ customer })).data
    expect((await service.pay(id, { cardToken })).data.status).toBe('AWAITING_CHALLENGE')
    await remove(service, customer, cardToken)
    expect((await service.pay(id, { challenge: 'pass' })).code).toBe(400)
    expect((await service.pay(id)).data).toMatchObject({
      status: 'PROCESSED',
      transactions: [{ status: 'FAILED' }, { status: 'SUCCESSFUL' }],
    })
  })
})

describe('Customers and saved cards', () => {
  it('a payment with tokenize_card saves the card once it succeeds', holds('tokenize-card'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, tokenize_card: true })).data
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toEqual([])
    const { data } = await service.pay(id, { card: CARD })
    expect(data.status).toBe('PROCESSED')
    const { list } = await service.get(`${CUSTOMERS}${customer}/cards/`)
    expect(list).toMatchObject([{ id: data.card_token, card_token_type: 'UNIVERSAL', customer }])
  })

  it('a payment that fails saves no card', holds('tokenize-card'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, tokenize_card: true })).data
    const { data } = await service.pay(id, { card: DECLINED })
    expect(data.status).toBe('FAILED')
    expect(data).not.toHaveProperty('card_token')
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toEqual([])
  })

  it.each(['UNIVERSAL', 'BOTH'])(
    'while the vault is unreachable the payment goes through, and no %s token is created',
    holds('vault-down'),
    async (card_token_type) => {
      const service = await Service.start()
      const customer = await service.customer()
      const { id } = (await service.intent({ customer, tokenize_card: true, card_token_type })).data
      await service.faults({ vault: 'down' })
      const { data } = await service.pay(id)
      expect(data.status).toBe('PROCESSED')
      expect(data).not.toHaveProperty('card_token')
      expect((await service.state())['card_tokens']).toEqual([])
      expect(await service.provider('north')).toMatchObject({ counts: { card_tokens: 0 } })
    },
  )

  it('our choice: a PROVIDER token does not need the vault of the service', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, tokenize_card: true, card_token_type: 'PROVIDER' })).data
    await service.faults({ vault: 'down' })
    expect((await service.pay(id)).data.card_token).toMatch(/^tok_/)
  })
})

describe('Agreements', () => {
  const cit = { merchant_initiated: false, recurring_data: { agreement_id: 'agr-1' } }

  it(
    'a CIT establishes an agreement once the challenge is completed',
    holds('agreement-established'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { card: CHALLENGED })
      const { data } = await service.intent({ customer, card_token, ...cit })
      expect(data.status).toBe('AWAITING_CHALLENGE')
      expect((await service.state())['agreements']).toEqual([])
      await service.pay(data.id, { challenge: 'pass' })
      expect((await service.state())['agreements']).toMatchObject([{ agreement_id: 'agr-1', card_token }])
      // Of a charge by the merchant the customer knows nothing: it is not challenged.
      const mit = await service.intent({ customer, card_token, ...cit, merchant_initiated: true })
      expect(mit.data).toMatchObject({ status: 'PROCESSED', embed_url: null })
    },
  )

  it('a failed challenge establishes no agreement', holds('agreement-established'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: CHALLENGED })
    const { data } = await service.intent({ customer, card_token, ...cit })
    const failed = await service.pay(data.id, { challenge: 'fail' })
    expect(failed.data).toMatchObject({ status: 'FAILED', failure: 'The challenge was not passed' })
    expect((await service.state())['agreements']).toEqual([])
  })

  it(
    'a first payment establishes an agreement with the card that it saves',
    holds('agreement-established'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const { data } = await service.intent({ customer, tokenize_card: true, ...cit })
      const { card_token } = (await service.pay(data.id)).data
      expect((await service.state())['agreements']).toMatchObject([{ card_token }])
      const mit = await service.intent({ customer, card_token, ...cit, merchant_initiated: true })
      expect(mit.data.status).toBe('PROCESSED')
    },
  )

  it('our choice: a CIT with a typed card that is not saved establishes the agreement for that card', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { data } = await service.intent({ customer, ...cit })
    expect((await service.pay(data.id)).data.status).toBe('PROCESSED')
    expect((await service.state())['agreements']).toMatchObject([
      { agreement_id: 'agr-1', customer, card_token: null },
    ])
    expect((await service.provider('north'))['coverage']).toHaveLength(1)
    // The first saved token of the same card that charges it becomes its token; another card does not fit.
    const other = await service.savedCard(customer, { card: '5555555555554444' })
    const mit = { ...cit, merchant_initiated: true }
    expect((await service.intent({ customer, card_token: other, ...mit })).data.failure).toBe(
      'The agreement is for another card',
    )
    const card_token = await service.savedCard(customer)
    expect((await service.intent({ customer, card_token, ...mit })).data.status).toBe('PROCESSED')
    expect((await service.state())['agreements']).toMatchObject([{ agreement_id: 'agr-1', card_token }])
    const second = await service.savedCard(customer)
    expect((await service.intent({ customer, card_token: second, ...mit })).data.failure).toBe(
      'The agreement is for another card token',
    )
  })

  it('our choice: an MIT does not change the reference of the provider', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.intent({ customer, card_token, ...cit })
    const { coverage: before } = await service.provider('north')
    await service.intent({ customer, card_token, ...cit, merchant_initiated: true })
    expect((await service.provider('north'))['coverage']).toEqual(before)
  })

  it(
    'a CIT with another card is declined while the first card exists',
    holds('agreement-charges'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const first = await service.savedCard(customer)
      const second = await service.savedCard(customer)
      await service.intent({ customer, card_token: first, ...cit })
      const { data } = await service.intent({ customer, card_token: second, ...cit })
      expect(data.failure).toBe('The agreement is for another card token')
    },
  )

  it('our choice: a second CIT with the same card keeps the coverage of other providers', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.intent({ customer, card_token, ...cit })
    await service.intent({ customer, card_token, ...cit, provider: 'east' })
    const mit = { customer, card_token, ...cit, merchant_initiated: true, provider: 'north' }
    expect((await service.intent(mit)).data.status).toBe('PROCESSED')
  })

  it('our choice: the same agreement_id in another mode is another agreement', async () => {
    const service = await Service.start()
    const live = service.composite(true)
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.intent({ customer, card_token, ...cit })
    const other = await service.customer({}, live)
    const otherCard = await service.savedCard(other, { key: live })
    const mit = { customer: other, card_token: otherCard, ...cit, merchant_initiated: true }
    expect((await service.intent(mit, live)).data.failure).toBe('There was no CIT with this agreement_id')
  })
})
