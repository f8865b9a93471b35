import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { CARD, CARD_TOKENS, CUSTOMERS, Service } from '../support/service.js'

describe('Customers and saved cards', () => {
  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])(
    'a %s token lives in the vault, at the provider, or in both, as documented',
    holds('token-types', 'get-token'),
    async (type) => {
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
      const atEast = type === 'UNIVERSAL' ? 0 : 1
      expect(await service.provider('east')).toMatchObject({ counts: { card_tokens: atEast } })
      expect(await service.provider('north')).toMatchObject({ counts: { card_tokens: 0 } })
      await service.faults({ vault: 'down' })
      const charge = await service.intent({ customer, card_token: id, provider: 'east' })
      expect(charge.data.status).toBe(type === 'UNIVERSAL' ? 'FAILED' : 'PROCESSED')
    },
  )

  it('our choice: a token is UNIVERSAL by default', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { data } = await service.post(CARD_TOKENS, { customer })
    expect(data.card_token_type).toBe('UNIVERSAL')
  })

  for (const [type, provider, status, statement] of [
    ['UNIVERSAL', 'north', 'PROCESSED', 'universal-token'],
    ['UNIVERSAL', 'east', 'PROCESSED', 'universal-token'],
    ['PROVIDER', 'east', 'PROCESSED', 'provider-token'],
    ['PROVIDER', 'north', 'FAILED', 'provider-token'],
    ['BOTH', 'east', 'PROCESSED', 'both-token'],
    ['BOTH', 'north', 'PROCESSED', 'both-token'],
  ] as const)
    it(`a ${type} token made at east and charged at ${provider} is ${status}`, holds(statement), async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { type, provider: 'east' })
      const { code, data } = await service.intent({ customer, card_token, provider })
      expect(code).toBe(200)
      expect(data.status).toBe(status)
      expect(data.transactions).toMatchObject([{ provider }])
      expect(data.failure).toBe(status === 'FAILED' ? 'The token is scoped to another provider' : null)
    })

  it('a PROVIDER token is charged at its own provider by default', holds('provider-token'), async () => {
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
  ])(
    'our choice: a charge while the vault is down depends on the type of the token: %s is %s',
    async (type, status) => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { type })
      await service.faults({ vault: 'down' })
      const { data } = await service.intent({ customer, card_token })
      expect(data.status).toBe(status)
      expect(data.failure).toBe(status === 'FAILED' ? 'The vault could not be reached' : null)
    },
  )

  it.each([
    ['with the vault down', { vault: 'down' }, ['south SUCCESSFUL']],
    [
      'with the vault and the first provider down',
      { vault: 'down', providers: { north: 'down' } },
      ['south SUCCESSFUL'],
    ],
    [
      'with the vault and its provider down',
      { vault: 'down', providers: { south: 'down' } },
      ['south FAILED'],
    ],
    ['with the first provider down', { providers: { north: 'down' } }, ['north FAILED', 'south SUCCESSFUL']],
    ['with everything up', {}, ['north SUCCESSFUL']],
  ])('a BOTH token is usable in both ways: %s', holds('both-token'), async (_, faults, expected) => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'BOTH', provider: 'south' })
    await service.faults(faults)
    const { data } = await service.intent({ customer, card_token })
    expect(data.transactions.map(({ provider, status }) => `${provider} ${status}`)).toEqual(expected)
  })

  it('our choice: if no provider can get the card, the charge fails once, at the first', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.faults({ vault: 'down' })
    const { data } = await service.intent({ customer, card_token })
    expect(data.failure).toBe('The vault could not be reached')
    expect(data.transactions).toMatchObject([{ provider: 'north', status: 'FAILED' }])
  })

  it('our choice: a charge that names a provider that cannot get the card fails there', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'BOTH', provider: 'south' })
    await service.faults({ vault: 'down' })
    const { data } = await service.intent({ customer, card_token, provider: 'north' })
    expect(data.failure).toBe('The vault could not be reached')
    expect(data.transactions).toMatchObject([{ provider: 'north', status: 'FAILED' }])
  })

  it('our choice: card_token_type on an intent sets the type of the card that its payment saves', async () => {
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

describe('Customers and saved cards', () => {
  it.each([
    [{}, ['customer', 'to_delete_customer_card_token']],
    [{ customer: 'cus' }, ['to_delete_customer_card_token']],
    [{ to_delete_customer_card_token: 'tok' }, ['customer']],
    [{ customer: 1, to_delete_customer_card_token: 2 }, ['customer', 'to_delete_customer_card_token']],
  ])('our choice: the deletion of a saved card refuses wrong fields: %j', async (body, fields) => {
    const service = await Service.start()
    const { code, status } = await service.post(`${CARD_TOKENS}delete/`, body)
    expect(code).toBe(400)
    expect(status.errors.flatMap((error) => Object.keys(error))).toEqual(fields)
  })

  it(
    'a saved card is deleted with customer and to_delete_customer_card_token',
    holds('delete-card'),
    async () => {
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
    },
  )
})
