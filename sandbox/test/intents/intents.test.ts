import { describe, expect, it } from 'vitest'
import { INTENTS, Service } from '../support/service.js'

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

describe('A payment intent', () => {
  // Specification: create-intent, path-version, plain-payment, embed-url
  it.each(['v1.4', 'v1.1'])('is created at /api/%s/payments/intent/', async (version) => {
    const service = await Service.start()
    const body = { amount: 10, amount_currency: 'EUR', operation: 'purchase' }
    const { code, data } = await service.post(`/api/${version}/payments/intent/`, body)
    expect(code).toBe(200)
    const embed_url = `${service.sandbox.url}/vault/form/${data.id}/`
    expect(data).toMatchObject({ status: 'CREATED', merchant_initiated: false, embed_url, saved_cards: [] })
    expect((await service.get(`${INTENTS}${data.id}/`)).data).toEqual(data)
  })

  it('our choice: that is not known answers 404', async () => {
    const service = await Service.start()
    await service.refuses(() => service.get(`${INTENTS}int_none/`), 404)
    await service.refuses(() => service.pay('int_none'), 404)
  })
})

describe('The list of payment intents', () => {
  // Specification: account-key
  it('has those of the account and mode of the key', async () => {
    const service = await Service.start()
    const other = await service.account('B')
    for (const key of [service.sandbox.apiKeys.account, service.composite(true), other.api_key]) {
      const { id } = (await service.intent({}, key)).data
      expect(idsOf((await service.get(INTENTS, key)).list)).toEqual([id])
    }
  })

  it('our choice: has pages, with count, next and previous, whose links keep the filters', async () => {
    const service = await Service.start()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push((await service.intent()).data.id)
    const page = (offset: number) => `${INTENTS}?amount_currency=EUR&limit=2&offset=${offset}`
    const { url } = service.sandbox
    for (const [path, expected, next, previous] of [
      [`${INTENTS}?limit=2&amount_currency=EUR`, made.slice(0, 2), url + page(2), null],
      [page(2), made.slice(2, 4), url + page(4), url + page(0)],
      [page(4), made.slice(4), null, url + page(2)],
      [page(1), made.slice(1, 3), url + page(3), url + page(0)],
    ] as const) {
      const answer = await service.get(path)
      expect(idsOf(answer.list)).toEqual(expected)
      expect(answer).toMatchObject({ count: 5, next, previous })
    }
  })

  it('our choice: is filtered by status, customer, currency and time', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const early = (await service.intent({ customer })).data.id
    service.clock.advance(60_000)
    const { id: late, created } = (await service.intent({ amount_currency: 'USD' })).data
    await service.pay(late)
    const time = encodeURIComponent(String(created))
    for (const [query, ...expected] of [
      ['status=PROCESSED', late],
      ['status=CREATED', early],
      [`customer=${customer}`, early],
      ['amount_currency=USD', late],
      [`created_from=${time}`, late],
      [`created_to=${time}`, early],
      ['created_from=1999-12-31&amount_currency=EUR', early],
      ['created_to=1999-12-31'],
    ] as const)
      expect(idsOf((await service.get(`${INTENTS}?${query}`)).list), query).toEqual(expected)
  })

  it.each([
    ['status=DONE', 'must be one of CREATED, AWAITING_CVV, AWAITING_CHALLENGE, PROCESSED, FAILED'],
    ['created_from=yesterday', 'must be a date or a time in ISO 8601, such as 2025-03-27'],
    ['created_to=2025-99-99', 'must be a date or a time in ISO 8601, such as 2025-03-27'],
  ])('our choice: refuses a filter that is not valid with a sentence: %s', async (query, problem) => {
    const service = await Service.start()
    const name = query.split('=')[0]!
    await service.refuses(() => service.get(`${INTENTS}?${query}`), 400, { [name]: problem })
  })
})
