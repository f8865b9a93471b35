import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { DECLINED, INTENTS, Service } from '../support/service.js'

const TRANSACTIONS = '/api/v1.4/transactions/'
const PROVIDERS = '/api/v1.4/providers/'

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

describe('Accounts and keys', () => {
  it('an account key lists the payment intents of its account and mode', holds('account-key'), async () => {
    const service = await Service.start()
    const { data: other } = await service.post(
      '/_sandbox/accounts/',
      { name: 'Other' },
      service.sandbox.apiKeys.organization,
    )
    const own = (await service.intent()).data
    const live = (await service.intent({}, service.composite(true))).data
    const foreign = (await service.intent({}, other.api_key)).data
    expect(idsOf((await service.get(INTENTS)).list)).toEqual([own.id])
    expect(idsOf((await service.get(INTENTS, service.composite(true))).list)).toEqual([live.id])
    expect(idsOf((await service.get(INTENTS, other.api_key)).list)).toEqual([foreign.id])
  })

  it('our choice: a list has pages, with count, next and previous, whose links keep the filters', async () => {
    const service = await Service.start()
    const made = []
    for (let i = 0; i < 5; i++) made.push((await service.intent()).data.id)
    const first = await service.get(`${INTENTS}?limit=2&amount_currency=EUR`)
    expect(idsOf(first.list)).toEqual(made.slice(0, 2))
    expect(first).toMatchObject({ count: 5, previous: null })
    expect(first.next).toBe(`${service.sandbox.url}${INTENTS}?amount_currency=EUR&limit=2&offset=2`)
    const second = await service.get(first.next!.slice(service.sandbox.url.length))
    expect(idsOf(second.list)).toEqual(made.slice(2, 4))
    expect(second.previous).toBe(`${service.sandbox.url}${INTENTS}?amount_currency=EUR&limit=2&offset=0`)
    const third = await service.get(second.next!.slice(service.sandbox.url.length))
    expect(idsOf(third.list)).toEqual(made.slice(4))
    expect(third.next).toBeNull()
  })

  it('our choice: intents are filtered by status, customer, currency and time', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const early = (await service.intent({ customer })).data
    service.clock.advance(60_000)
    const late = (await service.intent({ amount_currency: 'USD' })).data
    await service.pay(late.id)
    const time = encodeURIComponent(String(late['created']))
    for (const [query, id] of [
      ['status=PROCESSED', late.id],
      ['status=CREATED', early.id],
      [`customer=${customer}`, early.id],
      ['amount_currency=USD', late.id],
      [`created_from=${time}`, late.id],
      [`created_to=${time}`, early.id],
      ['created_from=1999-12-31&amount_currency=EUR', early.id],
    ] as const) {
      expect(idsOf((await service.get(`${INTENTS}?${query}`)).list), query).toEqual([id])
    }
    expect((await service.get(`${INTENTS}?created_to=1999-12-31`)).list).toEqual([])
  })

  it.each([
    [
      'status=DONE',
      { status: 'must be one of CREATED, AWAITING_CVV, AWAITING_CHALLENGE, PROCESSED, FAILED' },
    ],
    ['created_from=yesterday', { created_from: 'must be a date or a time in ISO 8601, such as 2025-03-27' }],
    ['created_to=2025-99-99', { created_to: 'must be a date or a time in ISO 8601, such as 2025-03-27' }],
  ])('our choice: a filter that is not valid is refused with a sentence: %s', async (query, problem) => {
    const service = await Service.start()
    const { code, status } = await service.get(`${INTENTS}?${query}`)
    expect(code).toBe(400)
    expect(status.errors).toEqual([problem])
  })

  it(
    'an account key lists the transactions of its account, and reads one',
    holds('account-key'),
    async () => {
      const service = await Service.start()
      const { id } = (await service.intent()).data
      await service.pay(id, { card: DECLINED })
      await service.pay(id)
      const { list } = await service.get(TRANSACTIONS)
      expect(list).toMatchObject([
        { intent: id, status: 'FAILED', failure: 'The card was declined', provider: 'north' },
        {
          intent: id,
          status: 'SUCCESSFUL',
          failure: null,
          amount: 10,
          amount_currency: 'EUR',
          is_live: false,
        },
      ])
      expect((await service.get(`${TRANSACTIONS}${list[0]!.id}/`)).data).toEqual(list[0])
      for (const query of ['status=FAILED', `intent=${id}&limit=1`, 'provider=north&limit=1']) {
        expect((await service.get(`${TRANSACTIONS}?${query}`)).list).toEqual([list[0]])
      }
      expect((await service.get(`${TRANSACTIONS}?provider=south`)).list).toEqual([])
      // Not in the other mode.
      const live = service.composite(true)
      expect((await service.get(TRANSACTIONS, live)).list).toEqual([])
      const missing = await service.get(`${TRANSACTIONS}${list[0]!.id}/`, live)
      expect(missing.code).toBe(404)
      expect(missing.status.message).toBe(
        'Transaction not found. Check the id, and that it is from the same account and mode.',
      )
    },
  )

  it(
    'an account key lists the providers of its account, with the agreements that each covers',
    holds('account-key'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      await service.intent({ customer, card_token, recurring_data: { agreement_id: 'agr-1' } })
      const agreementsOf = async (key?: string) =>
        (await service.get(PROVIDERS, key)).list.map((provider) => [provider.id, provider['agreements']])
      expect(await agreementsOf()).toEqual([
        ['north', ['agr-1']],
        ['south', []],
        ['east', []],
      ])
      expect(await agreementsOf(service.composite(true))).toEqual([
        ['north', []],
        ['south', []],
        ['east', []],
      ])
      expect((await service.get(`${PROVIDERS}?limit=1`)).list).toMatchObject([
        { id: 'north', account: service.sandbox.accountId, maps_agreements: true },
      ])
    },
  )
})
