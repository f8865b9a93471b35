import { describe, expect, it } from 'vitest'
import { Endpoint, fieldOf } from '../support/endpoint.js'
import { MIT, startWithCard } from '../support/saved-card.js'
import { INTENTS, NEEDS_CVV, Service } from '../support/service.js'

const FLAGS = {
  tokenize_card: false,
  show_save_card_checkbox: false,
  show_mandatory_save_card_checkbox: false,
  allow_tokenize_card: false,
}

const NO_ADDRESS = 'must be an address with http: or https:'

const [TOKENIZE, OPTIONAL, MANDATORY] = Object.keys(FLAGS) as [string, string, string]

describe('The fields of a payment intent', () => {
  // Specification: plain-payment, intent-fields, initiator, later-mit
  it('a charge takes every documented field, by the customer and then by the merchant', async () => {
    // A card that is not charged without its CVV.
    const { service, endpoint, customer, card_token } = await startWithCard({ card: NEEDS_CVV })
    for (const merchant_initiated of [false, true]) {
      const shown = {
        amount: 12.34,
        amount_currency: 'USD',
        operation: 'purchase',
        customer,
        card_token,
        merchant_initiated,
        payment_type: 'UNSCHEDULED',
        webhook_url: endpoint.url,
      }
      const { code, data } = await service.post(INTENTS, {
        ...shown,
        card_token_data: { cvv: '123' },
        recurring_data: { agreement_id: 'agr-1' },
      })
      expect(code).toBe(200)
      expect(data).toMatchObject({ ...shown, status: 'PROCESSED', agreement_id: 'agr-1' })
      await service.sandbox.idle()
    }
    expect(endpoint.received).toHaveLength(4)
    expect((await service.intent()).data).toMatchObject({ payment_type: null, agreement_id: null })
  })

  // Specification: intent-fields
  it.each(Object.keys(FLAGS))('it takes %s as true or false', async (name) => {
    const service = await Service.start()
    const customer = await service.customer()
    for (const flags of [FLAGS, { ...FLAGS, [name]: true }]) {
      const { code, data } = await service.intent({ customer, ...flags })
      expect(code).toBe(200)
      expect(data).toMatchObject(flags)
    }
  })

  // Specification: exclusive-flags
  it.each([
    [TOKENIZE, OPTIONAL],
    [TOKENIZE, MANDATORY],
    [OPTIONAL, MANDATORY],
    [TOKENIZE, OPTIONAL, MANDATORY],
  ])('only one of the flags that save the card can be true: %s and %s answer 400', async (...flags) => {
    const service = await Service.start()
    const customer = await service.customer()
    const set = Object.fromEntries(flags.map((flag) => [flag, true]))
    const problem = { [flags[1]]: `cannot be set together with ${flags[0]}` }
    await service.refuses(() => service.intent({ customer, ...set }), 400, problem)
  })

  // Specification: customer-needed
  it.each([
    [TOKENIZE, { [TOKENIZE]: true }],
    [OPTIONAL, { [OPTIONAL]: true }],
    [MANDATORY, { [MANDATORY]: true }],
    ['card_token', { card_token: 'tok' }],
    ['allow_tokenize_card (our choice)', { allow_tokenize_card: true }],
    ['recurring_data (our choice)', { recurring_data: { agreement_id: 'a' } }],
  ])('%s needs a customer', async (_, fields) => {
    const service = await Service.start()
    await service.refuses(() => service.intent(fields), 400, {
      customer: expect.stringContaining('is needed where') as string,
    })
  })

  it.each([
    ['card_token', MIT, 'merchant_initiated is true'],
    ['recurring_data', { merchant_initiated: true, card_token: 'tok' }, 'merchant_initiated is true'],
    ['card_token', { card_token_data: { cvv: '123' } }, 'card_token_data is given'],
  ])('our choice: %s is needed with %j', async (field, fields, where) => {
    const service = await Service.start()
    const customer = await service.customer()
    await service.refuses(() => service.intent({ customer, ...fields }), 400, {
      [field]: `is needed where ${where}`,
    })
  })

  it.each<[field: string, value: unknown, problem?: string]>([
    ['amount', '10'],
    ['operation', 'refund'],
    ['tokenize_card', 'true'],
    ['allow_tokenize_card', null],
    ['recurring_data', []],
    ['card_token_type', 'universal'],
    ['routing_action', 'SMART'],
    ['amount', undefined, 'is missing'],
    ['amount_currency', undefined, 'is missing'],
    ['payment_type', 'RECURRING', 'must be one of UNSCHEDULED'],
    ['provider', 'west', 'must be one of north, south, east'],
    ['card_token_data.cvv', '12', 'must be three or four digits'],
    ['card_token_data.cvv', 123, 'must be a string'],
    ['recurring_data.agreement_id', undefined, 'is missing'],
    ['recurring_data.agreement_id', '', 'must NOT have fewer than 1 characters'],
    ['recurring_data.agreement_id', 'x\ud800', 'must be well-formed: it has half of a surrogate pair'],
    ['webhook_url', 'ftp://localhost/', NO_ADDRESS],
  ])('our choice: it names the wrong field: %s as %j', async (field, value, problem) => {
    const service = await Service.start()
    const [name, inner] = field.split('.') as [string, string?]
    const fields = { [name]: inner === undefined ? value : { [inner]: value } }
    const { status } = await service.refuses(() => service.intent(fields), 400)
    expect(status.errors).toContainEqual({ [field]: problem ?? (expect.any(String) as string) })
  })

  it('our choice: unknown fields are accepted and not stored', async () => {
    const service = await Service.start()
    const { code, data } = await service.intent({ future_field: 'of the next version' })
    expect(code).toBe(200)
    expect(data).not.toHaveProperty('future_field')
    expect(JSON.stringify(await service.state())).not.toContain('future_field')
  })

  it('our choice: custom_fields are in the events of an intent, exactly as they were sent', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const text = '{"__proto__":{"a":1},"10":"x","deep":[[["y"]]]}'
    const custom_fields = JSON.parse(text) as object
    const { data } = await service.intent({ custom_fields, webhook_url: endpoint.url })
    await service.pay(data.id)
    await service.sandbox.idle()
    const [transaction, intent] = endpoint.events
    for (const sent of [
      data['custom_fields'],
      fieldOf(transaction, 'intent.custom_fields'),
      fieldOf(intent, 'data.intent.custom_fields'),
      fieldOf(intent, 'data.intent.active_transaction.custom_fields'),
    ])
      expect(JSON.stringify(sent)).toBe(JSON.stringify(custom_fields))
  })
})
