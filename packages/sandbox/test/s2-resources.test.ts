import { describe, expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { CARD, CARD_TOKENS, CUSTOMERS, INTENTS, Service } from './support/service.js'

const mit = { merchant_initiated: true, recurring_data: { agreement_id: 'a' } }

describe('S2.1 Payment intent', () => {
  it('takes every field of the table', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const { code, data } = await service.intent({
      amount: 12.34,
      customer,
      tokenize_card: false,
      show_save_card_checkbox: false,
      show_mandatory_save_card_checkbox: false,
      allow_tokenize_card: true,
      card_token,
      card_token_data: { cvv: '123' },
      merchant_initiated: false,
      payment_type: 'UNSCHEDULED',
      recurring_data: { agreement_id: 'b5ad9fb6-90ed-4f5c-9d2f-3f2ac0ba2c1c' },
      webhook_url: endpoint.url,
    })
    expect(code).toBe(200)
    expect(data).toMatchObject({
      status: 'PROCESSED',
      amount: 12.34,
      amount_currency: 'EUR',
      operation: 'purchase',
      customer,
      card_token,
      allow_tokenize_card: true,
      agreement_id: 'b5ad9fb6-90ed-4f5c-9d2f-3f2ac0ba2c1c',
      webhook_url: endpoint.url,
    })
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
  ])('refuses %s as %j', async (field, value) => {
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
      'provider',
      { amount: 10, amount_currency: 'EUR', provider: 'west' },
      'must be one of north, south, east',
    ],
  ])('says what is wrong with %s in %j', async (field, body, problem) => {
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
  ])('takes %d %s', async (amount, amount_currency) => {
    const service = await Service.start()
    expect((await service.intent({ amount, amount_currency })).code).toBe(200)
  })

  it('takes more fields than it knows, and stores none of them', async () => {
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
  ])('rule 1: %j exclude each other', async (flags) => {
    const service = await Service.start()
    const customer = await service.customer()
    const set = Object.fromEntries(flags.map((flag) => [flag, true]))
    const { code, status } = await service.intent({ customer, ...set })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [flags[1]!]: `cannot be set together with ${flags[0]!}` }])
  })

  it('rule 1: a flag that is false excludes nothing', async () => {
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
    ['recurring_data', { recurring_data: { agreement_id: 'a' } }],
  ])('rule 2: %s needs a customer', async (_, fields) => {
    const service = await Service.start()
    const { code, status } = await service.intent(fields)
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ customer: expect.stringContaining('is needed where') as string }])
  })

  it.each([
    ['card_token', mit],
    ['recurring_data', { merchant_initiated: true, card_token: 'tok' }],
  ])('needs %s where the merchant initiates', async (field, fields) => {
    const service = await Service.start()
    const customer = await service.customer()
    const { code, status } = await service.intent({ customer, ...fields })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [field]: 'is needed where merchant_initiated is true' }])
  })

  it('needs a card token where there is a CVV', async () => {
    const service = await Service.start()
    const { code, status } = await service.intent({ card_token_data: { cvv: '123' } })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ card_token: 'is needed where card_token_data is given' }])
  })

  it.each(['ftp://localhost/', 'localhost:3000/webhooks', '/webhooks', '', 'javascript:alert(1)', 'http://'])(
    'refuses %j as webhook_url',
    async (webhook_url) => {
      const service = await Service.start()
      const { code, status } = await service.intent({ webhook_url })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ webhook_url: 'must be an address with http: or https:' }])
    },
  )

  it('keeps custom fields for the events, in any depth that can be printed', async () => {
    const service = await Service.start()
    const custom_fields = JSON.parse('{"__proto__":{"a":1},"10":"x","deep":[[["y"]]]}') as object
    const { data } = await service.intent({ custom_fields })
    expect(JSON.stringify(data['custom_fields'])).toBe(JSON.stringify(custom_fields))
  })
})

describe('S2.2 Card token', () => {
  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])('%s lives where the table says', async (type) => {
    const service = await Service.start()
    const customer = await service.customer()
    const id = await service.savedCard(customer, { type, provider: 'east' })
    const { data } = await service.get(`${CARD_TOKENS}${id}/`)
    expect(data).toMatchObject({
      id,
      customer,
      card_token_type: type,
      provider: type === 'UNIVERSAL' ? null : 'east',
      brand: 'Visa',
      last_four: '4242',
      is_live: false,
    })
    expect((await service.state())['vault']).toEqual({ card_tokens: type === 'PROVIDER' ? [] : [id] })
    expect((await service.provider('east'))['card_tokens']).toEqual(type === 'UNIVERSAL' ? [] : [id])
    expect((await service.provider('north'))['card_tokens']).toEqual([])
  })

  it('is UNIVERSAL unless told otherwise', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { data } = await service.post(CARD_TOKENS, { customer })
    expect(data.card_token_type).toBe('UNIVERSAL')
  })

  it.each([
    ['UNIVERSAL', 'north', 'PROCESSED'],
    ['UNIVERSAL', 'east', 'PROCESSED'],
    ['PROVIDER', 'east', 'PROCESSED'],
    ['PROVIDER', 'north', 'FAILED'],
    ['BOTH', 'east', 'PROCESSED'],
    ['BOTH', 'north', 'PROCESSED'],
  ])('%s of south, charged at %s: %s', async (type, provider, status) => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type, provider: 'east' })
    const { code, data } = await service.intent({ customer, card_token, provider })
    expect(code).toBe(200)
    expect(data.status).toBe(status)
    expect(data.transactions).toMatchObject([{ provider }])
    expect(data.failure).toBe(status === 'FAILED' ? 'The token is scoped to another provider' : null)
  })

  it('PROVIDER goes to its provider where none is asked for', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'PROVIDER', provider: 'east' })
    const { data } = await service.intent({ customer, card_token })
    expect(data).toMatchObject({ status: 'PROCESSED', transactions: [{ provider: 'east' }] })
  })

  it.each([
    ['UNIVERSAL', 'FAILED'],
    ['PROVIDER', 'PROCESSED'],
    ['BOTH', 'PROCESSED'],
  ])('%s is charged while the vault is down: %s', async (type, status) => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type })
    await service.faults({ vault: 'down' })
    const { data } = await service.intent({ customer, card_token })
    expect(data.status).toBe(status)
    expect(data.failure).toBe(status === 'FAILED' ? 'The vault could not be reached' : null)
  })

  it('of a payment lives where the intent says', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const intent = { customer, tokenize_card: true, card_token_type: 'PROVIDER', provider: 'east' }
    const { id } = (await service.intent(intent)).data
    const { data } = await service.pay(id)
    expect((await service.get(`${CARD_TOKENS}${data.card_token!}/`)).data).toMatchObject({
      card_token_type: 'PROVIDER',
      provider: 'east',
    })
  })
})

describe('S2.3 Customer', () => {
  it('has the fields of billing_data, and custom fields', async () => {
    const service = await Service.start()
    const details = {
      first_name: 'Jane',
      last_name: 'Doe',
      email: 'jane.doe@example.com',
      phone_number: '+3725555555',
      custom_fields: { loyalty: 'gold' },
    }
    const { code, data } = await service.post(CUSTOMERS, details)
    expect(code).toBe(200)
    expect(data).toMatchObject(details)
    expect((await service.get(`${CUSTOMERS}${data.id}/`)).data).toEqual(data)
  })

  it('needs none of them', async () => {
    const service = await Service.start()
    const { data } = await service.post(CUSTOMERS, {})
    expect(data).toMatchObject({ first_name: null, email: null, custom_fields: null })
  })

  it('is not found in another mode, nor by another account', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const other = await service.post(
      '/api/v1.4/accounts/',
      { name: 'Other' },
      service.sandbox.apiKeys.organization,
    )
    for (const key of [service.composite(true), other.data.api_key]) {
      expect((await service.get(`${CUSTOMERS}${customer}/`, key)).code).toBe(400)
      expect((await service.get(`${CUSTOMERS}${customer}/cards/`, key)).code).toBe(400)
      expect((await service.get(CUSTOMERS, key)).list).toEqual([])
      const refused = await service.intent({ customer }, key)
      expect(refused.code).toBe(400)
      expect(refused.status.errors).toEqual([{ customer: 'Customer not found' }])
    }
  })

  it('is listed in pages', async () => {
    const service = await Service.start()
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await service.customer())
    const first = await service.get(`${CUSTOMERS}?limit=2`)
    expect(first.list.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first).toMatchObject({
      count: 5,
      next: `${service.sandbox.url}${CUSTOMERS}?limit=2&offset=2`,
      previous: null,
    })
    const last = await service.get(`${CUSTOMERS}?limit=2&offset=4`)
    expect(last.list.map(({ id }) => id)).toEqual(ids.slice(4))
    expect(last).toMatchObject({
      count: 5,
      next: null,
      previous: `${service.sandbox.url}${CUSTOMERS}?limit=2&offset=2`,
    })
    const second = await service.get(`${CUSTOMERS}?limit=4&offset=1`)
    expect(second).toMatchObject({
      next: null,
      previous: `${service.sandbox.url}${CUSTOMERS}?limit=4&offset=0`,
    })
    expect((await service.get(`${CUSTOMERS}?limit=5`)).next).toBeNull()
  })

  it.each(['limit=0', 'limit=101', 'limit=ten', 'offset=-1', 'limit=1e1'])('refuses ?%s', async (query) => {
    const service = await Service.start()
    const { code, status } = await service.get(`${CUSTOMERS}?${query}`)
    expect(code).toBe(400)
    expect(status.errors).toHaveLength(1)
  })
})

describe('S2.4 Agreement', () => {
  it('is one id of the merchant, under which each provider keeps a reference of its own', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const cit = { customer, card_token, merchant_initiated: false, payment_type: 'UNSCHEDULED' }
    await service.intent({ ...cit, recurring_data: { agreement_id: 'agr-1' } })
    const { accountId } = service.sandbox
    expect((await service.state())['agreements']).toEqual([
      { agreement_id: 'agr-1', account: accountId, is_live: false, customer, card_token },
    ])
    expect((await service.provider('north'))['coverage']).toEqual([
      {
        agreement_id: 'agr-1',
        account: accountId,
        is_live: false,
        reference: expect.stringMatching(/^ref_/) as string,
      },
    ])
  })

  it('is never covered by a provider that maps no agreements', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const charge = { customer, card_token, provider: 'east', recurring_data: { agreement_id: 'agr-1' } }
    expect((await service.intent({ ...charge, merchant_initiated: false })).data.status).toBe('PROCESSED')
    expect(await service.provider('east')).toMatchObject({ maps_agreements: false, coverage: [] })
    const declined = await service.intent({ ...charge, merchant_initiated: true })
    expect(declined.data).toMatchObject({
      status: 'FAILED',
      failure: 'The provider east has no coverage of this agreement',
    })
  })
})

describe('S2.5 Account, organization and keys', () => {
  it('an organization contains accounts, and both have keys', async () => {
    const service = await Service.start()
    const { accountId, organizationId, apiKeys } = service.sandbox
    const state = await service.state()
    expect(state['organization']).toMatchObject({ id: organizationId })
    expect(state['accounts']).toMatchObject([{ id: accountId }])
    const shown = state['keys']!.map(({ type, account }) => [type, account])
    expect(shown).toEqual([
      ['account', accountId],
      ['organization', null],
    ])
    expect(new Set(Object.values(apiKeys)).size).toBe(3)
  })
})

describe('S2.6 Save-card request fields for delete', () => {
  it.each([
    [{}, ['customer', 'to_delete_customer_card_token']],
    [{ customer: 'cus' }, ['to_delete_customer_card_token']],
    [{ to_delete_customer_card_token: 'tok' }, ['customer']],
    [{ customer: 1, to_delete_customer_card_token: 2 }, ['customer', 'to_delete_customer_card_token']],
  ])('refuses %j', async (body, fields) => {
    const service = await Service.start()
    const { code, status } = await service.post(`${CARD_TOKENS}delete/`, body)
    expect(code).toBe(400)
    expect(status.errors.flatMap((error) => Object.keys(error))).toEqual(fields)
  })

  it('deletes the card of the customer', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const id = await service.savedCard(customer, { card: CARD })
    const { code, data } = await service.post(`${CARD_TOKENS}delete/`, {
      customer,
      to_delete_customer_card_token: id,
    })
    expect(code).toBe(200)
    expect(data.id).toBe(id)
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toEqual([])
  })
})
