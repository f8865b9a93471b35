import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { CUSTOMERS, Service } from '../support/service.js'

describe('Customers and saved cards', () => {
  it('our choice: a customer has the fields of billing_data, and custom fields', async () => {
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

  it('our choice: every field of a customer is optional', async () => {
    const service = await Service.start()
    const { data } = await service.post(CUSTOMERS, {})
    expect(data).toMatchObject({ first_name: null, email: null, custom_fields: null })
  })

  it(
    'a customer is not found in another mode, or by another account: 400',
    holds('customer-not-found', 'one-mode'),
    async () => {
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
    },
  )

  it('our choice: customers are listed in pages', async () => {
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

  it.each(['limit=0', 'limit=101', 'limit=ten', 'offset=-1', 'limit=1e1'])(
    'our choice: a list refuses a page that does not exist: ?%s',
    async (query) => {
      const service = await Service.start()
      const { code, status } = await service.get(`${CUSTOMERS}?${query}`)
      expect(code).toBe(400)
      expect(status.errors).toHaveLength(1)
    },
  )
})
