import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import { INTENTS, NEEDS_CVV, Service } from '../support/service.js'

const mit = { merchant_initiated: true, recurring_data: { agreement_id: 'a' } }

async function refusedWithoutCustomer(fields: object) {
  const service = await Service.start()
  const { code, status } = await service.intent(fields)
  expect(code).toBe(400)
  expect(status.errors).toEqual([{ customer: expect.stringContaining('is needed where') as string }])
  expect((await service.state())['intents']).toEqual([])
}

describe('Payment intents', () => {
  const recurring = {
    payment_type: 'UNSCHEDULED',
    recurring_data: { agreement_id: 'b5ad9fb6-90ed-4f5c-9d2f-3f2ac0ba2c1c' },
  }

  it(
    'a charge takes every documented field, by the customer and then by the merchant',
    holds('plain-payment', 'intent-fields', 'initiator'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      // A card that is not charged without its CVV.
      const card_token = await service.savedCard(customer, { card: NEEDS_CVV })
      for (const merchant_initiated of [false, true]) {
        const { code, data } = await service.post(INTENTS, {
          amount: 12.34,
          amount_currency: 'USD',
          operation: 'purchase',
          customer,
          card_token,
          card_token_data: { cvv: '123' },
          merchant_initiated,
          ...recurring,
          webhook_url: endpoint.url,
        })
        expect(code).toBe(200)
        expect(data).toMatchObject({
          status: 'PROCESSED',
          amount: 12.34,
          amount_currency: 'USD',
          operation: 'purchase',
          customer,
          card_token,
          merchant_initiated,
          payment_type: 'UNSCHEDULED',
          agreement_id: recurring.recurring_data.agreement_id,
          webhook_url: endpoint.url,
        })
        await service.sandbox.idle()
      }
      expect(endpoint.received).toHaveLength(4)
    },
  )

  const FLAGS = {
    tokenize_card: false,
    show_save_card_checkbox: false,
    show_mandatory_save_card_checkbox: false,
    allow_tokenize_card: false,
  }

  it.each(Object.keys(FLAGS))('an intent takes %s as true or false', holds('intent-fields'), async (name) => {
    const service = await Service.start()
    const customer = await service.customer()
    for (const flags of [FLAGS, { ...FLAGS, [name]: true }]) {
      const { code, data } = await service.intent({ customer, ...flags })
      expect(code).toBe(200)
      expect(data).toMatchObject(flags)
    }
  })

  it.each([
    ['amount', '10'],
    ['amount', null],
    ['amount', [10]],
    ['amount_currency', 978],
    ['operation', 'refund'],
    ['operation', true],
    ['customer', 1],
    ['tokenize_card', 'true'],
    ['show_save_card_checkbox', 1],
    ['show_mandatory_save_card_checkbox', 'false'],
    ['allow_tokenize_card', null],
    ['card_token', {}],
    ['card_token_data', '123'],
    ['merchant_initiated', 'false'],
    ['payment_type', 'SCHEDULED'],
    ['recurring_data', []],
    ['webhook_url', 1],
    ['card_token_type', 'universal'],
    ['custom_fields', []],
    ['routing_action', 'SMART'],
  ])('our choice: refuses a value of another kind: %s as %j', async (field, value) => {
    const service = await Service.start()
    const { code, status } = await service.intent({ [field]: value })
    expect(code).toBe(400)
    expect(status.errors).toContainEqual({ [field]: expect.any(String) as string })
    expect((await service.state())['intents']).toEqual([])
  })

  it.each([
    ['amount', { amount_currency: 'EUR' }, 'is missing'],
    ['amount_currency', { amount: 10 }, 'is missing'],
    ['amount', { amount: 0, amount_currency: 'EUR' }, 'must be above 0'],
    ['amount', { amount: -1, amount_currency: 'EUR' }, 'must be above 0'],
    ['amount', { amount: 1e14, amount_currency: 'EUR' }, 'is too large'],
    ['amount', { amount: 0.001, amount_currency: 'EUR' }, 'must have at most 2 decimals in this currency'],
    ['amount', { amount: 10.5, amount_currency: 'JPY' }, 'must have at most 0 decimals in this currency'],
    [
      'amount_currency',
      { amount: 10, amount_currency: 'EURO' },
      'must be the code of a currency, such as EUR',
    ],
    [
      'amount_currency',
      { amount: 10, amount_currency: 'eur' },
      'must be the code of a currency, such as EUR',
    ],
    [
      'amount_currency',
      { amount: 10, amount_currency: 'XQZ' },
      'must be the code of a currency, such as EUR',
    ],
    [
      'card_token_data.cvv',
      { amount: 10, amount_currency: 'EUR', card_token_data: { cvv: '12' } },
      'must be three or four digits',
    ],
    ['card_token_data.cvv', { card_token_data: { cvv: 123 } }, 'must be a string'],
    ['recurring_data.agreement_id', { recurring_data: {} }, 'is missing'],
    [
      'recurring_data.agreement_id',
      { recurring_data: { agreement_id: '' } },
      'must NOT have fewer than 1 characters',
    ],
    [
      'recurring_data.agreement_id',
      { amount: 10, amount_currency: 'EUR', recurring_data: { agreement_id: 'x\ud800' } },
      'must be well-formed: it has half of a surrogate pair',
    ],
    [
      'provider',
      { amount: 10, amount_currency: 'EUR', provider: 'west' },
      'must be one of north, south, east',
    ],
  ])('our choice: names the wrong field: %s of %j', async (field, body, problem) => {
    const service = await Service.start()
    const { code, status } = await service.post(INTENTS, body)
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [field]: problem }])
    expect((await service.state())['intents']).toEqual([])
  })

  it.each([
    [10, 'JPY'],
    [10.123, 'KWD'],
    [0.07, 'EUR'],
    [1.1, 'USD'],
    [90_071_992_547_409, 'EUR'],
  ])(
    'our choice: takes amounts with the decimals of their currency: %d %s',
    async (amount, amount_currency) => {
      const service = await Service.start()
      expect((await service.intent({ amount, amount_currency })).code).toBe(200)
    },
  )

  it('our choice: unknown fields are accepted and not stored', async () => {
    const service = await Service.start()
    const { code, data } = await service.intent({ future_field: 'of the next version' })
    expect(code).toBe(200)
    expect(data).not.toHaveProperty('future_field')
    expect(JSON.stringify(await service.state())).not.toContain('future_field')
  })

  it.each([
    [['tokenize_card', 'show_save_card_checkbox']],
    [['tokenize_card', 'show_mandatory_save_card_checkbox']],
    [['show_save_card_checkbox', 'show_mandatory_save_card_checkbox']],
    [['tokenize_card', 'show_save_card_checkbox', 'show_mandatory_save_card_checkbox']],
  ])('%j are mutually exclusive: 400', holds('exclusive-flags'), async (flags) => {
    const service = await Service.start()
    const customer = await service.customer()
    const set = Object.fromEntries(flags.map((flag) => [flag, true]))
    const { code, status } = await service.intent({ customer, ...set })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [flags[1]!]: `cannot be set together with ${flags[0]!}` }])
  })

  it('a flag that is false excludes nothing', holds('exclusive-flags'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    expect(
      (await service.intent({ customer, tokenize_card: true, show_save_card_checkbox: false })).code,
    ).toBe(200)
  })

  it.each([
    ['tokenize_card', { tokenize_card: true }],
    ['show_save_card_checkbox', { show_save_card_checkbox: true }],
    ['show_mandatory_save_card_checkbox', { show_mandatory_save_card_checkbox: true }],
    ['allow_tokenize_card', { allow_tokenize_card: true }],
    ['card_token', { card_token: 'tok' }],
  ])('%s needs a customer', holds('customer-needed'), (_, fields) => refusedWithoutCustomer(fields))

  it('our choice: recurring_data needs a customer', () =>
    refusedWithoutCustomer({ recurring_data: { agreement_id: 'a' } }))

  it.each([
    ['card_token', mit],
    ['recurring_data', { merchant_initiated: true, card_token: 'tok' }],
  ])(
    'our choice: a merchant-initiated charge needs a saved card and an agreement: %s',
    async (field, fields) => {
      const service = await Service.start()
      const customer = await service.customer()
      const { code, status } = await service.intent({ customer, ...fields })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ [field]: 'is needed where merchant_initiated is true' }])
    },
  )

  it('our choice: card_token_data needs a card_token', async () => {
    const service = await Service.start()
    const { code, status } = await service.intent({ card_token_data: { cvv: '123' } })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ card_token: 'is needed where card_token_data is given' }])
  })

  it.each(['ftp://localhost/', 'localhost:3000/webhooks', '/webhooks', '', 'javascript:alert(1)', 'http://'])(
    'our choice: refuses a webhook_url that is not an address: %j',
    async (webhook_url) => {
      const service = await Service.start()
      const { code, status } = await service.intent({ webhook_url })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ webhook_url: 'must be an address with http: or https:' }])
    },
  )

  it('our choice: custom_fields of an intent are in its events', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const custom_fields = JSON.parse('{"__proto__":{"a":1},"10":"x","deep":[[["y"]]]}') as object
    const { data } = await service.intent({ custom_fields, webhook_url: endpoint.url })
    await service.pay(data.id)
    await service.sandbox.idle()
    const [transaction, intent] = endpoint.events as unknown as [
      { intent: { custom_fields: object } },
      { data: { intent: { custom_fields: object; active_transaction: { custom_fields: object } } } },
    ]
    for (const sent of [
      data['custom_fields'],
      transaction.intent.custom_fields,
      intent.data.intent.custom_fields,
      intent.data.intent.active_transaction.custom_fields,
    ])
      expect(JSON.stringify(sent)).toBe(JSON.stringify(custom_fields))
  })
})
