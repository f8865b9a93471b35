import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import {
  ACCOUNTS,
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  CUSTOMERS,
  DECLINED,
  DECLINED_WHEN_SAVED,
  NEEDS_CVV,
  Service,
} from '../support/service.js'

const agreement = { payment_type: 'UNSCHEDULED', recurring_data: { agreement_id: 'agr-1' } }

describe('Customers and saved cards', () => {
  it(
    'a standalone card token is created with customer and webhook_url; the answer has an embed_url',
    holds('standalone-token'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const webhook_url = 'http://localhost:1/webhooks'
      const { data } = await service.post(CARD_TOKENS, { customer, webhook_url })
      expect(data).toMatchObject({ customer, webhook_url, status: 'CREATED' })
      expect(data.embed_url).toBe(`${service.sandbox.url}/vault/form/${data.id}/`)
    },
  )

  it.each([
    [{}, 'customer', 'is missing'],
    [{ customer: 'cus_none' }, 'customer', 'Customer not found'],
    [{ card_token_type: 'NONE' }, 'card_token_type', 'must be one of UNIVERSAL, PROVIDER, BOTH'],
    [{ provider: 'west' }, 'provider', 'must be one of north, south, east'],
    [{ webhook_url: 'nowhere' }, 'webhook_url', 'must be an address with http: or https:'],
  ])('our choice: the creation of a card token refuses a wrong field: %j', async (fields, field, problem) => {
    const service = await Service.start()
    const customer = field === 'customer' ? {} : { customer: await service.customer() }
    const { code, status } = await service.post(CARD_TOKENS, { ...customer, ...fields })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [field]: problem }])
    expect((await service.state())['card_token_intents']).toEqual([])
  })

  it('the details of a card token intent return its outcome', holds('token-intent'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    expect((await service.get(`${CARD_TOKENS}intents/${id}/`)).data.status).toBe('CREATED')
    const { card_token } = (await service.pay(id)).data
    const { data } = await service.get(`${CARD_TOKENS}intents/${id}/`)
    expect(data).toMatchObject({ status: 'PROCESSED', failure: null, card_token })
    expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data.customer).toBe(customer)
  })

  it.each([
    [CHALLENGED, [{ challenge: 'pass' }], 'PROCESSED', null],
    [CHALLENGED, [{ challenge: 'fail' }], 'FAILED', 'The challenge was not passed'],
    [NEEDS_CVV, [{ cvv: '123' }], 'PROCESSED', null],
    [DECLINED, [], 'FAILED', 'The card was declined'],
    [DECLINED_WHEN_SAVED, [], 'PROCESSED', null],
  ])(
    'our choice: a card token intent ends as its test card says: %s with %j is %s',
    async (card, steps, status, failure) => {
      const service = await Service.start()
      const customer = await service.customer()
      const { id } = (await service.post(CARD_TOKENS, { customer })).data
      await service.pay(id, { card })
      for (const step of steps) {
        expect((await service.get(`${CARD_TOKENS}intents/${id}/`)).data.status).toMatch(/^AWAITING_/)
        await service.pay(id, step)
      }
      const { data } = await service.get(`${CARD_TOKENS}intents/${id}/`)
      expect(data).toMatchObject({ status, failure })
      expect(data.card_token !== undefined).toBe(status === 'PROCESSED')
    },
  )

  it('our choice: a card token intent fails while the vault is unreachable, and can be tried again', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    await service.faults({ vault: 'down' })
    expect((await service.pay(id)).data).toMatchObject({
      status: 'FAILED',
      failure: 'The vault could not be reached',
    })
    await service.faults({})
    expect((await service.pay(id)).data).toMatchObject({ status: 'PROCESSED', failure: null })
    expect((await service.pay(id)).code).toBe(409)
  })

  it('our choice: a card token intent of another mode, or an unknown one, answers 404', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    expect((await service.get(`${CARD_TOKENS}intents/${id}/`, service.composite(true))).code).toBe(404)
    expect((await service.get(`${CARD_TOKENS}intents/cti_none/`)).code).toBe(404)
  })

  it('our choice: a card token intent refuses a card that is saved already', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const cardToken = await service.savedCard(customer)
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    const { code, status } = await service.pay(id, { cardToken })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ cardToken: 'is saved already: send a card' }])
    expect((await service.pay(id, { card: CARD, provider: 'west' })).code).toBe(400)
  })

  it(
    'a card token of another mode, or an unknown one, answers 404',
    holds('token-not-found', 'one-mode'),
    async () => {
      const service = await Service.start()
      const id = await service.savedCard(await service.customer())
      expect((await service.get(`${CARD_TOKENS}${id}/`)).code).toBe(200)
      expect((await service.get(`${CARD_TOKENS}${id}/`, service.composite(true))).code).toBe(404)
      const { code, status } = await service.get(`${CARD_TOKENS}tok_none/`)
      expect(code).toBe(404)
      expect(status.errors).toEqual([{ id: 'Card token not found' }])
    },
  )

  it(
    'the dedicated charge endpoint charges with a CVV, and returns the status directly',
    holds('dedicated-charge'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { card: NEEDS_CVV })
      const { code, data } = await service.post(`${CARD_TOKENS}${card_token}/charge/`, {
        amount: 10,
        amount_currency: 'EUR',
        customer,
        card_token,
        card_token_data: { cvv: '123' },
        webhook_url: endpoint.url,
      })
      expect(code).toBe(200)
      expect(data).toMatchObject({ status: 'PROCESSED', failure: null, embed_url: null, card_token })
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    },
  )

  it.each([
    [NEEDS_CVV, {}, 'FAILED', 'A step of the customer is required, and the customer is not there'],
    [
      CHALLENGED,
      { card_token_data: { cvv: '123' } },
      'FAILED',
      'A step of the customer is required, and the customer is not there',
    ],
    [DECLINED_WHEN_SAVED, {}, 'FAILED', 'The card was declined'],
  ])(
    'our choice: the dedicated charge endpoint does not wait for the customer: %s with %j is %s',
    async (card, fields, status, failure) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const id = await service.savedCard(customer, { card })
      const body = { amount: 10, amount_currency: 'EUR', customer, webhook_url: endpoint.url, ...fields }
      const { code, data } = await service.post(`${CARD_TOKENS}${id}/charge/`, { ...body, card_token: id })
      expect(code).toBe(200)
      expect(data).toMatchObject({ status, failure, embed_url: null, card_token: id })
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['transaction.purchase.failed'])
    },
  )

  it(
    'the dedicated charge endpoint takes merchant-initiated charges',
    holds('dedicated-charge'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const id = await service.savedCard(customer, { card: CHALLENGED })
      const body = { amount: 10, amount_currency: 'EUR', customer, ...agreement }
      const { data } = await service.intent({ ...body, card_token: id, merchant_initiated: false })
      await service.pay(data.id, { challenge: 'pass' })
      const mit = await service.post(`${CARD_TOKENS}${id}/charge/`, { ...body, merchant_initiated: true })
      expect(mit.data).toMatchObject({ status: 'PROCESSED', embed_url: null })
    },
  )

  it('our choice: the dedicated charge endpoint refuses a card token that differs from the path', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const id = await service.savedCard(customer)
    const path = `${CARD_TOKENS}${id}/charge/`
    const body = { amount: 10, amount_currency: 'EUR', customer }
    const other = await service.post(path, { ...body, card_token: 'tok_other' })
    expect(other.code).toBe(400)
    expect(other.status.errors).toEqual([{ card_token: 'must be that of the path, or missing' }])
    expect((await service.post(path, { ...body, webhook_url: 'nowhere' })).code).toBe(400)
    expect((await service.post(path, { ...body, card_token_data: { cvv: '1' } })).code).toBe(400)
    expect((await service.post(path, { ...body, customer: await service.customer() })).code).toBe(404)
    expect((await service.post(`${CARD_TOKENS}tok_none/charge/`, body)).code).toBe(404)
    expect((await service.post(path, { amount: 10, amount_currency: 'EUR' })).code).toBe(400)
    expect((await service.state())['intents']).toEqual([])
  })

  it('customers are created and listed, and their saved cards are managed', holds('customers'), async () => {
    const service = await Service.start()
    const customer = await service.customer({ first_name: 'Jane' })
    const first = await service.savedCard(customer)
    const second = await service.savedCard(customer)
    expect((await service.get(CUSTOMERS)).list).toMatchObject([{ id: customer, first_name: 'Jane' }])
    const { list, count, next } = await service.get(`${CUSTOMERS}${customer}/cards/?limit=1`)
    expect(list.map(({ id }) => id)).toEqual([first])
    expect(count).toBe(2)
    expect(next).toBe(`${service.sandbox.url}${CUSTOMERS}${customer}/cards/?limit=1&offset=1`)
    expect((await fetch(next!, { headers: { 'X-Api-Key': service.sandbox.apiKeys.account } })).status).toBe(
      200,
    )
    expect((await service.get(`${CUSTOMERS}${customer}/cards/?offset=1`)).list.map(({ id }) => id)).toEqual([
      second,
    ])
    const removal = { customer, to_delete_customer_card_token: first }
    expect((await service.post(`${CARD_TOKENS}delete/`, removal)).code).toBe(200)
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list.map(({ id }) => id)).toEqual([second])
    const charge = { amount: 10, amount_currency: 'EUR', customer }
    expect((await service.post(`${CARD_TOKENS}${first}/charge/`, charge)).code).toBe(404)
    expect((await service.post(`${CARD_TOKENS}${second}/charge/`, charge)).data.status).toBe('PROCESSED')
  })

  // Each in an array of its own: Vitest spreads an array into the arguments of the test.
  it.each([
    [{ first_name: 1 }],
    [{ email: null }],
    [{ phone_number: 3725555555 }],
    [{ custom_fields: 'x' }],
    [[]],
  ])('our choice: the creation of a customer refuses a wrong body: %j', async (body) => {
    const service = await Service.start()
    expect((await service.post(CUSTOMERS, body)).code).toBe(400)
    expect((await service.get(CUSTOMERS)).count).toBe(0)
  })

  it('accounts are created and listed with the organization key', holds('organization-key'), async () => {
    const service = await Service.start()
    const { organization } = service.sandbox.apiKeys
    const { code, data } = await service.post(ACCOUNTS, { name: 'Berlin' }, organization)
    expect(code).toBe(200)
    expect(data.name).toBe('Berlin')
    const { list, count } = await service.get(ACCOUNTS, organization)
    expect(count).toBe(2)
    expect(list.map(({ id }) => id)).toEqual([service.sandbox.accountId, data.id])
    // Its keys work, and reach nothing of the first account.
    const customer = await service.customer()
    expect((await service.get(CUSTOMERS, data.api_key)).list).toEqual([])
    expect((await service.get(`${CUSTOMERS}${customer}/`, data.api_key)).code).toBe(400)
  })

  it.each([{}, { name: '' }, { name: 1 }])(
    'our choice: the creation of an account refuses a wrong name: %j',
    async (body) => {
      const service = await Service.start()
      expect((await service.post(ACCOUNTS, body, service.sandbox.apiKeys.organization)).code).toBe(400)
    },
  )
})
