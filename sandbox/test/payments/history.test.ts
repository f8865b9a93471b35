import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from '../support/endpoint.js'
import { listRecords as list, readRecord as read, startWithSeconds } from '../support/records.js'
import { CARD, CARD_TOKENS, DECLINED, DECLINED_WHEN_SAVED, Service, type Data } from '../support/service.js'

interface Entry {
  readonly at: string
  readonly text: string
  readonly outcome?: 'good' | 'bad'
  readonly delivery?: string
  readonly transaction?: string
}

function historyOf(data: Data): readonly Entry[] {
  return data['history'] as readonly Entry[]
}

async function textsOf(service: Service, kind: string, id: string): Promise<readonly string[]> {
  return historyOf(await read(service, kind, id)).map(({ text }) => text)
}

const CREATED = 'Intent of 10.00 EUR created'
const SUCCEEDED = 'Charge of 10.00 EUR at north succeeded'
const SAVED = 'Card saved: Visa that ends in 4242'
const KINDS = ['intents', 'transactions', 'customers', 'card-tokens', 'card-token-intents', 'agreements']

describe('The history of an intent', () => {
  it('has what happened, in order: charges, saved card, agreement, deliveries and attempts', async () => {
    const { service, at, endpoint, second } = await startWithSeconds()
    endpoint.replyWith(status(500), ok)
    const customer = await service.customer({ first_name: 'Jane' })
    const fields = {
      amount: 10.5,
      customer,
      show_save_card_checkbox: true,
      recurring_data: { agreement_id: 'A-1' },
      webhook_url: endpoint.url,
    }
    const { id } = (await second(() => service.intent(fields))).data
    await second(() => service.pay(id, { card: DECLINED }))
    await second(() => service.pay(id, { card: CARD, saveCard: true }))
    const data = await read(service, 'intents', id)
    const account = service.sandbox.accountId
    expect(data).toMatchObject({ id, account, is_live: false, status: 'PROCESSED', customer })
    expect(data.transactions).toMatchObject([
      { status: 'FAILED', provider: 'north', intent: id, amount: 10.5, amount_currency: 'EUR' },
      { status: 'SUCCESSFUL', intent: id },
    ])
    const [failed, paid] = (data.transactions as unknown as readonly Data[]).map((each) => each.id)
    const deliveries = (data['deliveries'] as readonly Data[]).map((each) => [each['type'], each.id])
    expect(deliveries.map(([type]) => type)).toEqual([
      'intent.processed',
      'transaction.purchase.successful',
      'transaction.purchase.failed',
    ])
    const [processed, successful, refused] = deliveries as [string, string][]
    const [accepted, good] = ['Your endpoint accepted it: it answered 204.', { outcome: 'good' }]
    const sent = ([type, delivery]: [string, string]) => [
      { at: at(3), text: `${type} for ${endpoint.url}`, delivery },
      { at: at(3), text: `${type}, attempt 1. ${accepted}`, ...good, delivery },
    ]
    const [first, delivery] = refused!
    const answer = 'Your endpoint refused a valid delivery: it answered 500. Its handler, or a body parser?'
    const bad = { at: at(2), outcome: 'bad' }
    expect(historyOf(data)).toEqual([
      { at: at(1), text: 'Intent of 10.50 EUR created' },
      { ...bad, text: 'Charge of 10.50 EUR at north failed: The card was declined', transaction: failed },
      { at: at(2), text: `${first} for ${endpoint.url}`, delivery },
      { ...bad, text: `${first}, attempt 1. ${answer}`, delivery },
      { at: at(3), text: 'Charge of 10.50 EUR at north succeeded', ...good, transaction: paid },
      { at: at(3), text: SAVED },
      { at: at(3), text: 'Agreement A-1 established at north', transaction: paid },
      { at: at(3), text: `${first}, attempt 2. ${accepted}`, ...good, delivery },
      ...sent(successful!),
      ...sent(processed!),
    ])
  })

  it('has attempts in a row with the same outcome as one entry, at the time of the last', async () => {
    const { service, at, endpoint, second } = await startWithSeconds()
    endpoint.replyWith(status(401), status(401), status(500), ok)
    const { id } = (await second(() => service.intent({ webhook_url: endpoint.url }))).data
    await second(() => service.pay(id, { card: DECLINED }))
    for (const delay of [1000, 5000, 25_000]) {
      service.clock.advance(delay)
      await service.sandbox.idle()
    }
    const refused = 'Your endpoint refused a valid delivery: it answered'
    const type = 'transaction.purchase.failed'
    const attempts = historyOf(await read(service, 'intents', id)).slice(-3)
    expect(attempts.map((entry) => [entry.at, entry.text, entry.outcome])).toEqual([
      [at(3), `${type}, attempts 1 to 2. ${refused} 401. Another secret, or a changed body?`, 'bad'],
      [at(8), `${type}, attempt 3. ${refused} 500. Its handler, or a body parser?`, 'bad'],
      [at(33), `${type}, attempt 4. Your endpoint accepted it: it answered 204.`, 'good'],
    ])
  })

  it('says how a forgery was made', async () => {
    const { service, endpoint, second } = await startWithSeconds()
    const { id } = (await second(() => service.intent({ webhook_url: endpoint.url }))).data
    await second(() => service.pay(id))
    const { delivery } = historyOf(await read(service, 'intents', id)).at(-1)!
    endpoint.replyWith(status(401))
    await second(() => service.post(`/_sandbox/deliveries/${delivery!}/resend/`, { tamper: true }))
    expect(historyOf(await read(service, 'intents', id)).at(-1)).toMatchObject({
      text: 'intent.processed, attempt 2. Refused, as it must: the amount was changed after signing, and your endpoint answered 401.',
      outcome: 'good',
    })
  })

  it('says only once that a card was saved and an agreement established', async () => {
    const { service, second } = await startWithSeconds()
    const customer = await service.customer()
    const card_token = await second(() => service.savedCard(customer))
    const fields = { customer, card_token, recurring_data: { agreement_id: 'A' } }
    for (const [extra, expected] of [
      [{}, [CREATED, SUCCEEDED, 'Agreement A established at north']],
      [{ merchant_initiated: true }, [CREATED, SUCCEEDED]],
      [{}, [CREATED, SUCCEEDED]],
    ] as const) {
      const { id } = (await second(() => service.intent({ ...fields, ...extra }))).data
      expect(await textsOf(service, 'intents', id)).toEqual(expected)
    }
    const chosen = (await second(() => service.intent({ customer }))).data.id
    await second(() => service.pay(chosen, { cardToken: card_token }))
    expect(await textsOf(service, 'intents', chosen)).toEqual([CREATED, SUCCEEDED])
    const charges = Array.from({ length: 4 }, () => SUCCEEDED)
    expect(await textsOf(service, 'card-tokens', card_token)).toEqual([SAVED, ...charges])
  })
})

describe('The history of', () => {
  it('a transaction has its deliveries, and no others of the intent', async () => {
    const { service, endpoint, second } = await startWithSeconds()
    const intent = (await second(() => service.intent({ webhook_url: endpoint.url }))).data.id
    await second(() => service.pay(intent, { card: DECLINED }))
    await second(() => service.pay(intent))
    const [failed] = (await read(service, 'intents', intent)).transactions as unknown as readonly Data[]
    const { id } = failed!
    const account = service.sandbox.accountId
    expect(await read(service, 'transactions', id)).toMatchObject({ id, intent, status: 'FAILED', account })
    expect(await textsOf(service, 'transactions', id)).toEqual([
      CREATED,
      'Charge of 10.00 EUR at north failed: The card was declined',
      `transaction.purchase.failed for ${endpoint.url}`,
      'transaction.purchase.failed, attempt 1. Your endpoint accepted it: it answered 204.',
    ])
  })

  it('a card token intent has the saved card and its deliveries', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer, webhook_url: endpoint.url })).data
    const kind = 'card-token-intents'
    expect(await textsOf(service, kind, id)).toEqual(['Created, to save a card'])
    await service.pay(id)
    await service.sandbox.drained()
    const deliveries = [{ type: 'card_token.created' }]
    const account = service.sandbox.accountId
    expect(await read(service, kind, id)).toMatchObject({ id, account, deliveries })
    expect(await textsOf(service, kind, id)).toEqual([
      'Created, to save a card',
      SAVED,
      `card_token.created for ${endpoint.url}`,
      'card_token.created, attempt 1. Your endpoint accepted it: it answered 204.',
    ])
  })

  it('a customer has cards, intents and agreements', async () => {
    const { service, second } = await startWithSeconds()
    const customer = await service.customer({ first_name: 'Jane' })
    await second(() => service.intent())
    const card_token = await second(() => service.savedCard(customer))
    const fields = { customer, card_token, recurring_data: { agreement_id: 'A' } }
    const paid = (await second(() => service.intent(fields))).data
    const open = (await second(() => service.intent({ customer }))).data
    expect(await read(service, 'customers', customer)).toMatchObject({
      id: customer,
      first_name: 'Jane',
      account: service.sandbox.accountId,
      cards: [{ id: card_token }],
      intents: [{ id: open.id }, { id: paid.id }],
      agreements: [{ agreement_id: 'A', card_token }],
    })
    const established = 'Agreement A established at north'
    expect(await textsOf(service, 'customers', customer)).toEqual([
      'Customer created',
      SAVED,
      CREATED,
      SUCCEEDED,
      established,
      CREATED,
    ])
  })

  it('an agreement has its charges, under whatever id it has', async () => {
    const { service, second } = await startWithSeconds()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const live = service.composite(true)
    const other = await service.customer({}, live)
    const liveToken = await service.savedCard(other, { key: live })
    const charge = (agreement_id: string, extra: object = {}, key?: string) =>
      second(() => service.intent({ customer, card_token, recurring_data: { agreement_id }, ...extra }, key))
    const ids = ['plain', 'a/b~c?d#e f%41', 'J\u00fcrgen', '~']
    for (const agreement_id of ids) await charge(agreement_id)
    await charge('plain', { merchant_initiated: true })
    await charge('plain', { customer: other, card_token: liveToken, provider: 'east' }, live)
    const all = await list(service, 'agreements')
    expect(all.map((agreement) => agreement['agreement_id'])).toEqual(['plain', ...ids.reverse()])
    for (const agreement of all) {
      const key = agreement['key'] as string
      expect(key).toMatch(/^[\w%~.-]+$/)
      for (const address of [key, encodeURIComponent(key)])
        expect(await read(service, 'agreements', address)).toMatchObject(agreement)
    }
    const address = (mode: string) => `${service.sandbox.accountId}~${mode}~plain`
    const shown = { customer, card_token, brand: 'Visa', last_four: '4242', providers: ['north'] }
    expect(await read(service, 'agreements', address('test'))).toMatchObject(shown)
    expect(await read(service, 'agreements', address('live'))).toMatchObject({ providers: [] })
    const established = 'Agreement plain established at north'
    const texts = await textsOf(service, 'agreements', address('test'))
    expect(texts).toEqual([SUCCEEDED, established, SUCCEEDED])
  })

  it('an intent has the address of its agreement, once a charge has made that', async () => {
    const { service, second } = await startWithSeconds()
    const customer = await service.customer()
    const agreementOf = async (fields: object) => {
      const { id } = (await second(() => service.intent({ customer, ...fields }))).data
      return (await read(service, 'intents', id))['agreement']
    }
    const card_token = await service.savedCard(customer)
    const address = await agreementOf({ card_token, recurring_data: { agreement_id: 'A' } })
    expect(await list(service, 'agreements')).toMatchObject([{ key: address, agreement_id: 'A' }])
    const declined = await service.savedCard(customer, { card: DECLINED_WHEN_SAVED })
    const failed = await agreementOf({ card_token: declined, recurring_data: { agreement_id: 'B' } })
    expect([failed, await agreementOf({})]).toEqual([null, null])
  })

  it('an agreement whose first charge is not stored any more has the charges that are left', async () => {
    const service = await Service.start({ keep: 2 })
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const fields = { customer, card_token, recurring_data: { agreement_id: 'A' } }
    await service.intent(fields)
    await service.intent({ ...fields, merchant_initiated: true })
    await service.intent()
    const [agreement] = await list(service, 'agreements')
    expect(await textsOf(service, 'agreements', agreement!['key'] as string)).toEqual([SUCCEEDED])
    expect(await textsOf(service, 'customers', customer)).toHaveLength(4)
  })

  it.each(KINDS)('an item of %s that does not exist is not found', async (kind) => {
    const service = await Service.start()
    expect((await service.get(`/_sandbox/${kind}/none/`)).code).toBe(404)
  })
})
