import { describe, expect, it } from 'vitest'
import { startWithSeconds } from '../support/records.js'
import { CHALLENGED, DECLINED, type Service } from '../support/service.js'

const KINDS = ['intents', 'customers', 'card-tokens', 'transactions', 'card-token-intents', 'agreements']

const list = async (service: Service, kind: string, query = '') =>
  (await service.get(`/_sandbox/newest/${kind}/${query}`)).list
const read = async (service: Service, kind: string, id: string) =>
  (await service.get(`/_sandbox/${kind}/${encodeURIComponent(id)}/`)).data

/** Two customers, two cards, three intents and three transactions, in both modes, in this order. */
async function filled() {
  const { service, second, endpoint } = await startWithSeconds()
  const live = service.composite(true)
  const jane = await service.customer({ first_name: 'Jane', last_name: 'Doe', email: 'jane@example.com' })
  const ann = await second(() => service.customer({ email: 'ann@example.com' }, live))
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
  it('lists everything of all accounts, newest first, with account, mode and the name of the customer', async () => {
    const { service, jane, ann, visa, other, first, paid, third } = await filled()
    const [Jane, Ann] = ['Jane Doe', 'ann@example.com']
    for (const [kind, field, expected] of [
      ['intents', 'id', [third, paid, first]],
      ['intents', 'customer_name', [null, Jane, Jane]],
      ['customers', 'id', [ann, jane]],
      ['customers', 'customer_name', [Ann, Jane]],
      ['card-tokens', 'id', [other, visa]],
      ['card-tokens', 'customer_name', [Ann, Jane]],
      ['card-token-intents', 'card_token', [other, visa]],
      ['card-token-intents', 'customer_name', [Ann, Jane]],
      ['transactions', 'intent', [first, third, paid]],
      ['transactions', 'status', ['FAILED', 'FAILED', 'SUCCESSFUL']],
      ['transactions', 'customer_name', [Jane, null, Jane]],
      ['agreements', 'agreement_id', ['Gym']],
      ['agreements', 'customer_name', [Jane]],
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
      ['customers', 'is_live=true&status=any', [ann]],
      ['card-tokens', search('visa 4242'), [visa]],
      ['card-tokens', search('south'), [other]],
      ['card-tokens', search(ann), [other]],
      ['transactions', 'status=FAILED', 2],
      ['transactions', search('10 jpy'), 1],
      ['transactions', search(first), 1],
      ['card-token-intents', 'status=PROCESSED', 2],
      ['card-token-intents', search(other), 1],
      ['agreements', search('GYM'), 1],
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

  it('has a page for each item, which shows the same', async () => {
    const { service } = await filled()
    for (const kind of KINDS) {
      for (const item of await list(service, kind))
        expect(await read(service, kind, item.id), kind).toMatchObject(item)
      expect((await service.get(`/_sandbox/${kind}/none/`)).code, kind).toBe(404)
    }
  })

  it('has an agreement under whatever id it has, also without a card that is saved', async () => {
    const { service, second } = await startWithSeconds()
    const customer = await service.customer()
    const ids = ['plain', 'a/b~c?d#e f%41', 'J\u00fcrgen', '~']
    for (const agreement_id of ids) {
      const { id } = (await second(() => service.intent({ customer, recurring_data: { agreement_id } }))).data
      await second(() => service.pay(id))
    }
    const all = await list(service, 'agreements')
    expect(all.map((agreement) => agreement['agreement_id'])).toEqual(ids.reverse())
    for (const agreement of all) {
      expect(await read(service, 'agreements', agreement.id)).toEqual(agreement)
      expect(agreement).toMatchObject({ customer, card_token: null, brand: 'Visa', last_four: '4242' })
    }
  })
})
