import { describe, expect, it } from 'vitest'
import { removeCard } from '../support/saved-card.js'
import { CARD, CARD_TOKENS, CUSTOMERS, INTENTS, Service } from '../support/service.js'

const NOT_FOUND = { customer: 'Customer not found' }
const FIX = 'Use the id of a customer from the same account and mode.'

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

describe('Customers', () => {
  it('our choice: a customer has the fields of billing_data, and custom fields, all of them optional', async () => {
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
    const empty = Object.fromEntries(Object.keys(details).map((name) => [name, null]))
    expect((await service.post(CUSTOMERS, {})).data).toMatchObject(empty)
  })

  // Specification: customers, customer-cards
  it('customers are created and listed, and refer to their saved cards, which can be deleted', async () => {
    const service = await Service.start()
    const customer = await service.customer({ first_name: 'Jane' })
    const card_tokens = [await service.savedCard(customer), await service.savedCard(customer)] as const
    const { list } = await service.get(CUSTOMERS)
    expect(list).toMatchObject([{ id: customer, first_name: 'Jane', card_tokens }])
    expect(idsOf((await service.get(`${CUSTOMERS}${customer}/cards/`)).list)).toEqual(card_tokens)
    expect((await removeCard(service, customer, card_tokens[0])).code).toBe(200)
    expect((await service.get(`${CUSTOMERS}${customer}/`)).data['card_tokens']).toEqual([card_tokens[1]])
    expect(idsOf((await service.get(`${CUSTOMERS}${customer}/cards/`)).list)).toEqual([card_tokens[1]])
  })

  // Specification: customer-not-found, one-mode
  it('a customer that does not exist, or is of another account or mode, is 400 in every operation, with the fix', async () => {
    const service = await Service.start()
    const other = await service.account('B')
    const amount = { amount: 1, amount_currency: 'EUR' }
    for (const customer of [
      await service.customer({}, service.composite(true)),
      await service.customer({}, other.api_key),
    ])
      for (const call of [
        () => service.get(`${CUSTOMERS}${customer}/`),
        () => service.get(`${CUSTOMERS}${customer}/cards/`),
        () => service.intent({ customer }),
        () => service.intent({ customer, card_token: 'tok' }),
        () => service.post(CARD_TOKENS, { customer }),
        () => service.post(INTENTS, { customer }),
        () => removeCard(service, customer, 'tok'),
        () => service.post(`${CARD_TOKENS}tok/charge/`, { customer, ...amount }),
      ]) {
        const { status } = await service.refuses(call, 400)
        expect(status.message).toBe(`There is no customer ${customer} in this account and mode. ${FIX}`)
      }
    expect((await service.get(CUSTOMERS)).list).toEqual([])
  })

  it('our choice: a message never repeats a value that does not look like an id', async () => {
    const service = await Service.start()
    for (const customer of [CARD, 'cus_none']) {
      const { status } = await service.refuses(() => service.intent({ customer }), 400, NOT_FOUND)
      expect(status.message).toBe(`There is no customer with this id in this account and mode. ${FIX}`)
    }
  })

  it('our choice: a list refuses a page that does not exist', async () => {
    const service = await Service.start()
    for (const query of ['limit=0', 'limit=101', 'limit=ten', 'offset=-1', 'limit=1e1']) {
      const { status } = await service.refuses(() => service.get(`${CUSTOMERS}?${query}`), 400)
      expect(status.errors, query).toHaveLength(1)
    }
  })
})
