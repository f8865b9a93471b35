import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import { CARD_TOKENS, CHALLENGED, CUSTOMERS, DECLINED, INTENTS, Service } from '../support/service.js'

const cit = {
  merchant_initiated: false,
  payment_type: 'UNSCHEDULED',
  recurring_data: { agreement_id: 'agr-1' },
}
const mit = { ...cit, merchant_initiated: true }

describe('Responses', () => {
  it(
    'more than one of the exclusive flags answers 400, in the envelope',
    holds('exclusive-flags', 'envelope'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const { code, text } = await service.intent({
        customer,
        tokenize_card: true,
        show_save_card_checkbox: true,
      })
      expect(code).toBe(400)
      expect(JSON.parse(text)).toEqual({
        status: {
          code: 400,
          message: 'The request is not valid',
          errors: [{ show_save_card_checkbox: 'cannot be set together with tokenize_card' }],
        },
        data: null,
        count: 0,
        next: null,
        previous: null,
      })
    },
  )

  it('a customer that is not found answers 400', holds('customer-not-found'), async () => {
    const service = await Service.start()
    const { code, status } = await service.intent({ customer: 'cus_none' })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ customer: 'Customer not found' }])
  })

  it(
    "a card token that is unknown, deleted or another customer's answers 404, and nothing is charged",
    holds('token-not-found'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const foreign = await service.savedCard(await service.customer())
      const deleted = await service.savedCard(customer)
      await service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: deleted })
      for (const card_token of ['tok_none', foreign, deleted]) {
        const { code, status } = await service.intent({ customer, card_token, webhook_url: endpoint.url })
        expect(code).toBe(404)
        expect(status.errors).toEqual([{ card_token: 'Card token not found' }])
        const removal = await service.post(`${CARD_TOKENS}delete/`, {
          customer,
          to_delete_customer_card_token: card_token,
        })
        expect(removal.code).toBe(404)
        expect(removal.status.errors).toEqual([{ to_delete_customer_card_token: 'Card token not found' }])
      }
      expect((await service.state())['intents']).toEqual([])
      await service.sandbox.idle()
      expect(endpoint.received).toEqual([])
      // Not even who may not have it deleted it.
      expect((await service.get(`${CARD_TOKENS}${foreign}/`)).code).toBe(200)
    },
  )

  it('a payment proceeds although the vault cannot save the card', holds('vault-down'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, tokenize_card: true })).data
    await service.faults({ vault: 'down' })
    expect((await service.pay(id)).data.status).toBe('PROCESSED')
    expect((await service.get(`${INTENTS}${id}/`)).data).not.toHaveProperty('card_token')
    await service.faults({})
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toEqual([])
  })

  it('a PROVIDER token fails at another provider', holds('provider-token'), async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'PROVIDER', provider: 'east' })
    const { code, data } = await service.intent({
      customer,
      card_token,
      provider: 'north',
      webhook_url: endpoint.url,
    })
    expect(code).toBe(200)
    expect(data.status).toBe('FAILED')
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
  })

  it(
    'a challenge that is required although a CVV was sent returns an embed_url',
    holds('challenge-with-cvv'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { card: CHALLENGED })
      const { data } = await service.intent({ customer, card_token, card_token_data: { cvv: '123' } })
      expect(data.embed_url).toBe(`${service.sandbox.url}/vault/form/${data.id}/`)
      expect((await service.pay(data.id, { challenge: 'pass' })).data.status).toBe('PROCESSED')
    },
  )

  for (const [reason, change, failure, statement] of [
    [
      'a fresh agreement_id',
      { recurring_data: { agreement_id: 'fresh' } },
      'There was no CIT with this agreement_id',
      'fresh-agreement',
    ],
    [
      'a provider without coverage',
      { provider: 'east' },
      'The provider east has no coverage of this agreement',
      'not-covered',
    ],
  ] as const)
    it(`an MIT is declined for ${reason}`, holds(statement), async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      await service.intent({ customer, card_token, ...cit })
      const charge = { customer, card_token, ...mit, webhook_url: endpoint.url, ...change }
      const { code, data } = await service.intent(charge)
      expect(code).toBe(200)
      expect(data).toMatchObject({ status: 'FAILED', failure, embed_url: null })
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['transaction.purchase.failed'])
      // There is nothing that the customer could do at the form.
      expect((await service.pay(data.id)).code).toBe(409)
    })

  it(
    "an MIT is declined for another token or another customer than the agreement's",
    holds('agreement-charges'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      await service.intent({ customer, card_token, ...cit })
      const second = await service.savedCard(customer)
      expect((await service.intent({ customer, card_token: second, ...mit })).data.failure).toBe(
        'The agreement is for another card token',
      )
      const other = await service.customer()
      const otherCard = await service.savedCard(other)
      for (const charge of [cit, mit]) {
        expect(
          (await service.intent({ customer: other, card_token: otherCard, ...charge })).data.failure,
        ).toBe('The agreement is that of another customer')
      }
      expect((await service.intent({ customer, card_token, ...mit })).data.status).toBe('PROCESSED')
    },
  )

  it('an MIT fails after the deletion of its card', holds('deleted-card-charge'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.intent({ customer, card_token, ...cit })
    await service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: card_token })
    expect((await service.intent({ customer, card_token, ...mit })).code).toBe(404)
  })

  it('our choice: a declined charge answers 200 with the status FAILED, and sends no event of a success', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    const { code, data } = await service.pay(id, { card: DECLINED })
    expect(code).toBe(200)
    expect(data).toMatchObject({ status: 'FAILED', failure: 'The card was declined' })
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
  })

  it('our choice: paying a paid intent again answers 409, and sends nothing', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.idle()
    const { code, status } = await service.pay(id)
    expect(code).toBe(409)
    expect(status.errors).toEqual([{ id: 'is completed already' }])
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    expect((await service.get(`${INTENTS}${id}/`)).data.transactions).toHaveLength(1)
  })

  it('our choice: an unknown intent answers 404', async () => {
    const service = await Service.start()
    expect((await service.pay('int_none')).code).toBe(404)
    expect((await service.get(`${INTENTS}int_none/`)).code).toBe(404)
  })
})
