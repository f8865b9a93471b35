import { describe, expect, it } from 'vitest'
import { ok, status, type Reply } from '../support/endpoint.js'
import { listRecords as list, startWithSeconds } from '../support/records.js'
import { CHALLENGED, DECLINED, Service } from '../support/service.js'

const KINDS = ['intents', 'customers', 'card-tokens', 'transactions', 'card-token-intents', 'agreements']

/** Two customers, two cards, three intents and three transactions, in both modes, in this order. */
async function filled() {
  const { service, second, endpoint } = await startWithSeconds()
  const live = service.composite(true)
  const jane = await service.customer({ first_name: 'Jane', last_name: 'Doe', email: 'jane@example.com' })
  const ann = await second(() => service.customer({ custom_fields: { tier: 'Gold' } }, live))
  const visa = await second(() => service.savedCard(jane))
  const saved = { card: CHALLENGED, key: live, type: 'BOTH', provider: 'south' }
  const other = await second(() => service.savedCard(ann, saved))
  const intent = async (fields: object, key?: string) =>
    (await second(() => service.intent(fields, key))).data.id
  const first = await intent({ webhook_url: endpoint.url, custom_fields: { order: 'B7' }, customer: jane })
  const agreement = { customer: jane, card_token: visa, recurring_data: { agreement_id: 'Gym' } }
  const paid = await intent({ amount: 1077, ...agreement })
  const third = await intent({ amount_currency: 'JPY' }, live)
  await second(() => service.pay(third, { card: DECLINED }))
  await second(() => service.pay(first, { card: DECLINED }))
  return { service, endpoint, jane, ann, visa, other, first, paid, third }
}

describe('GET /_sandbox/newest/', () => {
  it('lists everything of all accounts, newest first, with account and mode', async () => {
    const { service, jane, ann, visa, other, first, paid, third } = await filled()
    for (const [kind, field, expected] of [
      ['intents', 'id', [third, paid, first]],
      ['customers', 'id', [ann, jane]],
      ['card-tokens', 'id', [other, visa]],
      ['card-token-intents', 'card_token', [other, visa]],
      ['transactions', 'intent', [first, third, paid]],
      ['transactions', 'status', ['FAILED', 'FAILED', 'SUCCESSFUL']],
      ['agreements', 'agreement_id', ['Gym']],
    ] as const)
      expect(
        (await list(service, kind)).map((item) => item[field]),
        kind,
      ).toEqual(expected)
    const is_live = expect.any(Boolean) as boolean
    for (const kind of KINDS)
      for (const item of await list(service, kind))
        expect(item, kind).toMatchObject({ account: service.sandbox.accountId, is_live })
  })

  it('filters by text, mode and status', async () => {
    const { service, endpoint, jane, ann, visa, other, first, paid, third } = await filled()
    const search = (text: string) => `search=${encodeURIComponent(text)}`
    for (const [kind, query, expected] of [
      ['intents', 'status=FAILED', [third, first]],
      ['intents', 'is_live=true', [third]],
      ['intents', 'is_live=false&status=PROCESSED', [paid]],
      ['intents', search('"order":"b7"'), [first]],
      ['intents', search(jane), [paid, first]],
      ['intents', search('1077.00 eur'), [paid]],
      ['intents', search('1,077.00'), [paid]],
      ['intents', search('gym'), [paid]],
      ['intents', search(visa), [paid]],
      ['intents', search('declined'), [third, first]],
      ['intents', search(endpoint.url), [first]],
      ['customers', search('jane doe'), [jane]],
      ['customers', search('@EXAMPLE'), [jane]],
      ['customers', search('gold'), [ann]],
      ['customers', 'is_live=true&status=any', [ann]],
      ['card-tokens', search('visa 4242'), [visa]],
      ['card-tokens', search('south'), [other]],
      ['card-tokens', search(ann), [other]],
      ['card-tokens', 'is_live=true', [other]],
      ['transactions', 'status=FAILED', 2],
      ['transactions', search('10 jpy'), 1],
      ['transactions', search(first), 1],
      ['transactions', 'is_live=true', 1],
      ['card-token-intents', 'status=PROCESSED', 2],
      ['card-token-intents', search(other), 1],
      ['card-token-intents', 'is_live=false', 1],
      ['agreements', search('GYM'), 1],
      ['agreements', search('visa'), 1],
      ['agreements', 'is_live=true', 0],
    ] as const) {
      const found = (await list(service, kind, `?${query}`)).map(({ id }) => id)
      expect(typeof expected === 'number' ? found.length : found, `${kind} ${query}`).toEqual(expected)
    }
    for (const [query, code] of [
      ['status=LATE', 400],
      ['limit=500', 200],
      ['limit=501', 400],
    ] as const)
      expect((await service.get(`/_sandbox/newest/intents/?${query}`)).code, query).toBe(code)
  })

  it('shows each card, intent to save one, and agreement with the name of its customer, and the customer with its cards', async () => {
    const { service, second } = await startWithSeconds()
    for (const [details, name] of [
      [{}, null],
      [{ email: 'ada@example.com' }, 'ada@example.com'],
      [{ first_name: 'Ada', email: 'ada@example.com' }, 'Ada'],
    ] as const) {
      const customer = await second(() => service.customer(details))
      const card_token = await service.savedCard(customer)
      const recurring_data = { agreement_id: `of ${String(name)}` }
      await service.intent({ customer, card_token, recurring_data })
      for (const kind of ['card-tokens', 'card-token-intents', 'agreements'])
        expect((await list(service, kind))[0], kind).toMatchObject({ customer_name: name })
      const tokens = [card_token, await service.savedCard(customer)]
      const cards = tokens.map((id) => ({ id }))
      expect((await list(service, 'customers'))[0]).toMatchObject({
        id: customer,
        card_tokens: tokens,
        cards,
      })
    }
    await second(() => service.customer())
    expect((await list(service, 'customers'))[0]).toMatchObject({ cards: [] })
  })

  it('shows an agreement of a typed card that is not saved without a card token', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    await service.pay((await service.intent({ customer, recurring_data: { agreement_id: 'A' } })).data.id)
    expect(await list(service, 'agreements')).toMatchObject([{ agreement_id: 'A', card_token: null }])
  })

  it('shows each intent with its reference, the name of its customer and how its deliveries went', async () => {
    const { service, endpoint, second } = await startWithSeconds()
    const none = { total: 0, delivered: 0, failed: 0, forgeries_accepted: 0 }
    const expectNewest = async (reference: string | null, customer_name: string | null, counts: object) => {
      const delivery_health = { ...none, ...counts }
      expect((await list(service, 'intents'))[0]).toMatchObject({ reference, customer_name, delivery_health })
    }
    const pay = async (details: object, reference: unknown, reply: Reply) => {
      endpoint.replyWith(reply)
      const customer = await service.customer(details)
      const fields = { customer, webhook_url: endpoint.url, custom_fields: { reference } }
      const { id } = (await second(() => service.intent(fields))).data
      await second(() => service.pay(id))
    }
    await service.intent()
    await expectNewest(null, null, {})
    await pay({ first_name: 'Ada', last_name: 'Berger' }, 'Order 1001', ok)
    await expectNewest('Order 1001', 'Ada Berger', { total: 2, delivered: 2 })
    await pay({ email: 'ada@example.com' }, 1002, status(401))
    await expectNewest('1002', 'ada@example.com', { total: 2, failed: 2 })
    await service.faults({ deliveries: { delayMs: 1000 } })
    await pay({}, null, ok)
    await expectNewest(null, null, { total: 2 })
    await service.faults({})
    const [newest] = (await service.deliveries()).slice(-1)
    await service.post(`/_sandbox/deliveries/${newest!.id}/resend/`, { tamper: true })
    await expectNewest(null, null, { total: 2, failed: 1, forgeries_accepted: 1 })
  })
})

it('GET /_sandbox/providers/ counts what each provider did and has, and shows its fault', async () => {
  const service = await Service.start()
  const customer = await service.customer()
  const card_token = await service.savedCard(customer, { type: 'BOTH', provider: 'south' })
  await service.pay((await service.intent()).data.id, { card: DECLINED })
  await service.faults({ providers: { north: 'down', east: 'slow' } })
  await service.intent({ customer, card_token, recurring_data: { agreement_id: 'A' } })
  const none = { successful: 0, failed: 0, card_tokens: 0, agreements: 0 }
  const agreement = {
    key: `${service.sandbox.accountId}~test~A`,
    agreement_id: 'A',
    account: service.sandbox.accountId,
    is_live: false,
    reference: expect.stringMatching(/^ref_/) as string,
  }
  const provider = (id: string, maps_agreements: boolean, fault: string | null, counts: object) => ({
    id,
    maps_agreements,
    fault,
    counts: { ...none, ...counts },
    coverage: id === 'south' ? [agreement] : [],
  })
  expect((await service.get('/_sandbox/providers/')).list).toEqual([
    provider('north', true, 'down', { failed: 2 }),
    provider('south', true, null, { successful: 1, card_tokens: 1, agreements: 1 }),
    provider('east', false, 'slow', {}),
  ])
})
