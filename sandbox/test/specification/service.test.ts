import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import {
  ACCOUNTS,
  CARD,
  CARD_TOKENS,
  CUSTOMERS,
  INTENTS,
  PAYMENT_METHOD,
  Service,
} from '../support/service.js'

const cit = { merchant_initiated: false, recurring_data: { agreement_id: 'agr-1' } }

describe('Payment intents', () => {
  it(
    'an answer to a merchant has a token, the brand and four digits, and never a card number',
    holds('no-card-number'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      for (const path of [
        `${CARD_TOKENS}${card_token}/`,
        `${CUSTOMERS}${customer}/cards/`,
        '/_sandbox/newest/card-tokens/',
      ]) {
        const { text } = await service.get(path)
        expect(text).toContain('"last_four":"4242"')
        expect(text).not.toContain(CARD)
      }
    },
  )

  it('our choice: a charge is customer-initiated unless merchant_initiated is true', async () => {
    const service = await Service.start()
    expect((await service.intent()).data).toMatchObject({ merchant_initiated: false })
  })

  it('a card token belongs to exactly one customer', holds('one-customer'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const id = await service.savedCard(customer)
    expect((await service.get(`${CARD_TOKENS}${id}/`)).data.customer).toBe(customer)
    expect((await service.intent({ customer: await service.customer(), card_token: id })).code).toBe(404)
  })

  it(
    'the record of a customer holds the references to its saved cards',
    holds('customer-cards'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      expect((await service.get(`${CUSTOMERS}${customer}/`)).data['card_tokens']).toEqual([])
      const cards = [await service.savedCard(customer), await service.savedCard(customer)]
      expect((await service.get(`${CUSTOMERS}${customer}/`)).data['card_tokens']).toEqual(cards)
      await service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: cards[0] })
      expect((await service.get(`${CUSTOMERS}${customer}/`)).data['card_tokens']).toEqual([cards[1]])
    },
  )

  it('payment_type UNSCHEDULED is kept, and shown in the intent', holds('intent-fields'), async () => {
    const service = await Service.start()
    const { data } = await service.intent({ payment_type: 'UNSCHEDULED' })
    expect(data['payment_type']).toBe('UNSCHEDULED')
    expect((await service.get(`${INTENTS}${data.id}/`)).data['payment_type']).toBe('UNSCHEDULED')
    expect((await service.intent()).data['payment_type']).toBeNull()
  })

  it('our choice: another payment_type answers 400, and says which is known', async () => {
    const service = await Service.start()
    const { code, status } = await service.intent({ payment_type: 'RECURRING' })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ payment_type: 'must be one of UNSCHEDULED' }])
  })

  it.each([
    ['a UUID', '3f1c2e9a-7f0e-4f57-9d3e-0b1f4f5f6a7b'],
    ['any string with spaces', 'any unique string, with spaces'],
    ['a string of 100,000 characters', 'x'.repeat(100_000)],
  ])('agreement_id can be %s', holds('agreement-id'), async (_, agreement_id) => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const charge = { customer, card_token, recurring_data: { agreement_id } }
    expect((await service.intent(charge)).data.status).toBe('PROCESSED')
    const mit = await service.intent({ ...charge, merchant_initiated: true })
    expect(mit.data).toMatchObject({ status: 'PROCESSED', agreement_id })
  })

  it.each([
    [
      'with a customer that gave a name',
      { first_name: '\u00c5sa' },
      { first_name: '\u00c5sa', last_name: '' },
    ],
    ['with a customer without names', {}, { first_name: '', email: '', phone_number: '' }],
    ['without a customer', undefined, { first_name: '', last_name: '', email: '', phone_number: '' }],
  ])(
    'billing_data of an intent event consists of strings, %s',
    holds('billing-data'),
    async (_, details, expected) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = details && (await service.customer(details))
      const { data } = await service.intent({ customer, webhook_url: endpoint.url })
      await service.pay(data.id)
      await service.sandbox.idle()
      const [first, second] = endpoint.events as unknown as [
        { transaction: { billing_data: unknown } },
        { data: { intent: { billing_data: unknown; method: unknown } } },
      ]
      expect(second.data.intent.billing_data).toMatchObject(expected)
      // In a transaction event it is an object or null.
      if (details === undefined) expect(first.transaction.billing_data).toBeNull()
      else expect(first.transaction.billing_data).toMatchObject(expected)
      expect(second.data.intent.method).toEqual({
        display_name: PAYMENT_METHOD,
        id: expect.stringMatching(/^pm_/) as string,
      })
    },
  )
})

describe('Versions', () => {
  it(
    'the version is a segment of the path: v1.4 and v1.1 for payment intents, v1 for the signature key',
    holds('path-version'),
    async () => {
      const service = await Service.start()
      const body = { amount: 10, amount_currency: 'EUR', operation: 'purchase' }
      for (const version of ['v1.4', 'v1.1']) {
        const { code, data } = await service.post(`/api/${version}/payments/intent/`, body)
        expect({ code, status: data.status }).toEqual({ code: 200, status: 'CREATED' })
      }
      const { code, data } = await service.get('/api/v1/organizations/get-webhook-signature-key/')
      expect(code).toBe(200)
      expect(data.webhook_signature_secret).toBe(service.sandbox.secret)
    },
  )

  it('the path of the Direct API has no version segment', holds('direct-path'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const { id } = (await service.intent({ customer })).data
    const path = `/direct/payments/intents/${id}/card_token/`
    for (const version of ['/api/v1.4', '/api/v1', '/v1.4'])
      expect(
        (await service.call('POST', version + path, { body: { card_token }, isUnlisted: true })).code,
      ).toBe(404)
    expect((await service.post(path, { card_token })).data).toMatchObject({ id, status: 'PROCESSED' })
  })

  it('our choice: another version of a path answers 404', async () => {
    const service = await Service.start()
    for (const path of ['/api/v1.5/payments/intent/', '/api/v1.1/customers/', '/api/v1.4/direct/']) {
      expect((await service.call('POST', path, { body: {}, isUnlisted: true })).code).toBe(404)
    }
  })
})

describe('Responses', () => {
  const FIX = 'Use the id of a customer from the same account and mode.'

  it(
    'customer not found: 400 in every operation, with the id and what to do',
    holds('customer-not-found'),
    async () => {
      const service = await Service.start()
      const id = await service.customer({}, service.composite(true))
      const answers = [
        await service.get(`${CUSTOMERS}${id}/`),
        await service.get(`${CUSTOMERS}${id}/cards/`),
        await service.intent({ customer: id }),
        await service.intent({ customer: id, card_token: 'tok' }),
        await service.post(CARD_TOKENS, { customer: id }),
        await service.post(INTENTS, { customer: id }),
        await service.post(`${CARD_TOKENS}delete/`, { customer: id, to_delete_customer_card_token: 'tok' }),
        await service.post(`${CARD_TOKENS}tok/charge/`, { customer: id, amount: 1, amount_currency: 'EUR' }),
      ]
      for (const { code, status } of answers) {
        expect(code).toBe(400)
        expect(status.message).toBe(`There is no customer ${id} in this account and mode. ${FIX}`)
      }
    },
  )

  it('our choice: a message never repeats a value that does not look like an id', async () => {
    const service = await Service.start()
    const { status } = await service.intent({ customer: CARD })
    expect(status.message).toBe(`There is no customer with this id in this account and mode. ${FIX}`)
  })

  it('card token not found: 404, with a sentence of its own', holds('token-not-found'), async () => {
    const service = await Service.start()
    const { code, status } = await service.get(`${CARD_TOKENS}tok_none/`)
    expect(code).toBe(404)
    expect(status.message).toBe(
      'The card token was deleted, or belongs to another customer, account or mode. Fetch the saved cards of the customer again.',
    )
  })

  it('our choice: a wrong path answers 404, and says that paths end with a slash', async () => {
    const service = await Service.start()
    const { code, status } = await service.call('GET', ACCOUNTS.slice(0, -1), { isUnlisted: true })
    expect(code).toBe(404)
    expect(status.message).toBe(
      'There is nothing like this; every path under /api/ and /direct/ ends with a slash',
    )
  })

  it(
    'an agreement that a new id names is a new agreement without a CIT',
    holds('fresh-agreement'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      await service.intent({ customer, card_token, ...cit })
      const fresh = { merchant_initiated: true, recurring_data: { agreement_id: 'fresh' } }
      expect((await service.intent({ customer, card_token, ...fresh })).data.failure).toBe(
        'There was no CIT with this agreement_id',
      )
    },
  )
})
