import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status, type Reply } from './support/endpoint.js'
import {
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  DECLINED,
  DECLINED_WHEN_SAVED,
  INTENTS,
  Service,
  type Data,
} from './support/service.js'

const ISO = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000Z')

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

function textsOf(data: Data): readonly string[] {
  return historyOf(data).map(({ text }) => text)
}

/** One item of a kind, with its history. */
async function get(service: Service, kind: string, id: string): Promise<Data> {
  const { code, data } = await service.get(`/_sandbox/${kind}/${id}/`)
  expect(code).toBe(200)
  return data
}

async function list(service: Service, kind: string, query = ''): Promise<readonly Data[]> {
  return (await service.get(`/_sandbox/newest/${kind}/${query}`)).list
}

/** A service on which a second passes before each call of the API. */
async function started() {
  const service = await Service.start()
  const start = service.clock.now()
  const endpoint = await Endpoint.start()
  const second = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    service.clock.advance(1000)
    const value = await call()
    await service.sandbox.idle()
    return value
  }
  return { service, start, endpoint, second }
}

describe('The history of an intent', () => {
  it('has what happened, in order: charges, saved card, agreement, deliveries and attempts', async () => {
    const { service, start, endpoint, second } = await started()
    endpoint.replyWith(status(500), ok)
    const customer = await service.customer({ first_name: 'Jane' })
    const { id } = (
      await second(() =>
        service.intent({
          amount: 10.5,
          customer,
          show_save_card_checkbox: true,
          recurring_data: { agreement_id: 'A-1' },
          webhook_url: endpoint.url,
        }),
      )
    ).data
    await second(() => service.pay(id, { card: DECLINED }))
    await second(() => service.pay(id, { card: CARD, saveCard: true }))
    const data = await get(service, 'intents', id)
    const [failed, paid] = data.transactions as unknown as readonly Data[]
    const deliveries = data['deliveries'] as readonly Data[]
    expect(deliveries.map(({ type }) => type)).toEqual([
      'intent.processed',
      'transaction.purchase.successful',
      'transaction.purchase.failed',
    ])
    expect(data).toMatchObject({
      id,
      account: service.sandbox.accountId,
      is_live: false,
      status: 'PROCESSED',
      customer,
      transactions: [
        { status: 'FAILED', provider: 'north', intent: id, amount: 10.5, amount_currency: 'EUR' },
        { status: 'SUCCESSFUL', intent: id },
      ],
    })
    const [processed, successful, refused] = deliveries as [Data, Data, Data]
    expect(historyOf(data)).toEqual([
      { at: ISO(start + 1000), text: 'Intent of 10.50 EUR created' },
      {
        at: ISO(start + 2000),
        text: 'Charge of 10.50 EUR at north failed: The card was declined',
        outcome: 'bad',
        transaction: failed!.id,
      },
      {
        at: ISO(start + 2000),
        text: `transaction.purchase.failed for ${endpoint.url}`,
        delivery: refused.id,
      },
      {
        at: ISO(start + 2000),
        text: 'transaction.purchase.failed, attempt 1. Your endpoint refused a valid delivery: it answered 500. Its handler, or a body parser?',
        outcome: 'bad',
        delivery: refused.id,
      },
      {
        at: ISO(start + 3000),
        text: 'Charge of 10.50 EUR at north succeeded',
        outcome: 'good',
        transaction: paid!.id,
      },
      { at: ISO(start + 3000), text: 'Card saved: Visa that ends in 4242' },
      { at: ISO(start + 3000), text: 'Agreement A-1 established at north', transaction: paid!.id },
      {
        at: ISO(start + 3000),
        text: 'transaction.purchase.failed, attempt 2. Your endpoint accepted it: it answered 204.',
        outcome: 'good',
        delivery: refused.id,
      },
      {
        at: ISO(start + 3000),
        text: `transaction.purchase.successful for ${endpoint.url}`,
        delivery: successful.id,
      },
      {
        at: ISO(start + 3000),
        text: 'transaction.purchase.successful, attempt 1. Your endpoint accepted it: it answered 204.',
        outcome: 'good',
        delivery: successful.id,
      },
      { at: ISO(start + 3000), text: `intent.processed for ${endpoint.url}`, delivery: processed.id },
      {
        at: ISO(start + 3000),
        text: 'intent.processed, attempt 1. Your endpoint accepted it: it answered 204.',
        outcome: 'good',
        delivery: processed.id,
      },
    ])
  })

  it('has attempts in a row with the same outcome as one entry, at the time of the last', async () => {
    const { service, start, endpoint, second } = await started()
    endpoint.replyWith(status(401), status(401), status(500), ok)
    const { id } = (await second(() => service.intent({ webhook_url: endpoint.url }))).data
    await second(() => service.pay(id, { card: DECLINED }))
    for (const delay of [1000, 5000, 25_000]) {
      service.clock.advance(delay)
      await service.sandbox.idle()
    }
    const attempts = historyOf(await get(service, 'intents', id)).slice(-3)
    expect(attempts.map(({ at, text, outcome }) => [at, text, outcome])).toEqual([
      [
        ISO(start + 3000),
        'transaction.purchase.failed, attempts 1 to 2. Your endpoint refused a valid delivery: it answered 401. Another secret, or a changed body?',
        'bad',
      ],
      [
        ISO(start + 8000),
        'transaction.purchase.failed, attempt 3. Your endpoint refused a valid delivery: it answered 500. Its handler, or a body parser?',
        'bad',
      ],
      [
        ISO(start + 33_000),
        'transaction.purchase.failed, attempt 4. Your endpoint accepted it: it answered 204.',
        'good',
      ],
    ])
  })

  it('says how a forgery was made', async () => {
    const { service, endpoint, second } = await started()
    const { id } = (await second(() => service.intent({ webhook_url: endpoint.url }))).data
    await second(() => service.pay(id))
    const { delivery } = historyOf(await get(service, 'intents', id)).at(-1)!
    endpoint.replyWith(status(401))
    await service.post(`/_sandbox/deliveries/${delivery!}/resend/`, { tamper: true })
    await service.sandbox.idle()
    expect(historyOf(await get(service, 'intents', id)).at(-1)).toMatchObject({
      text: 'intent.processed, attempt 2. Refused, as it must: the amount was changed after signing, and your endpoint answered 401.',
      outcome: 'good',
    })
  })

  it('says of no card that it was saved if one was chosen, and of no agreement that it was established if it was before', async () => {
    const { service, second } = await started()
    const customer = await service.customer()
    const card_token = await second(() => service.savedCard(customer))
    const recurring_data = { agreement_id: 'A' }
    const first = (await second(() => service.intent({ customer, card_token, recurring_data }))).data
    expect(textsOf(await get(service, 'intents', first.id))).toEqual([
      'Intent of 10.00 EUR created',
      'Charge of 10.00 EUR at north succeeded',
      'Agreement A established at north',
    ])
    for (const fields of [{ merchant_initiated: true }, {}]) {
      const { data } = await second(() => service.intent({ customer, card_token, recurring_data, ...fields }))
      expect(textsOf(await get(service, 'intents', data.id))).toEqual([
        'Intent of 10.00 EUR created',
        'Charge of 10.00 EUR at north succeeded',
      ])
    }
    const chosen = (await second(() => service.intent({ customer }))).data.id
    await second(() => service.pay(chosen, { cardToken: card_token }))
    expect(textsOf(await get(service, 'intents', chosen))).toHaveLength(2)
    const card = await get(service, 'card-tokens', card_token)
    expect(textsOf(card)).toEqual([
      'Card saved: Visa that ends in 4242',
      ...Array.from({ length: 4 }, () => 'Charge of 10.00 EUR at north succeeded'),
    ])
  })

  it('names each provider that was tried', async () => {
    const { service, second } = await started()
    await service.faults({ providers: { north: 'down' } })
    const { id } = (await second(() => service.intent())).data
    await second(() => service.pay(id))
    const data = await get(service, 'intents', id)
    expect(textsOf(data).slice(1)).toEqual([
      'Charge of 10.00 EUR at north failed: The provider north could not be reached',
      'Charge of 10.00 EUR at south succeeded',
    ])
  })
})

describe('The history of', () => {
  it('a transaction has its deliveries, and no others of the intent', async () => {
    const { service, endpoint, second } = await started()
    const { id } = (await second(() => service.intent({ webhook_url: endpoint.url }))).data
    await second(() => service.pay(id, { card: DECLINED }))
    await second(() => service.pay(id))
    const [failed] = (await get(service, 'intents', id)).transactions as unknown as readonly Data[]
    const data = await get(service, 'transactions', failed!.id)
    expect(data).toMatchObject({
      id: failed!.id,
      intent: id,
      status: 'FAILED',
      account: service.sandbox.accountId,
    })
    expect(textsOf(data)).toEqual([
      'Intent of 10.00 EUR created',
      'Charge of 10.00 EUR at north failed: The card was declined',
      `transaction.purchase.failed for ${endpoint.url}`,
      'transaction.purchase.failed, attempt 1. Your endpoint accepted it: it answered 204.',
    ])
  })

  it('a card token intent has the saved card and its deliveries', async () => {
    const service = await Service.start({ cardTokenEvents: true })
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer, webhook_url: endpoint.url })).data
    expect(textsOf(await get(service, 'card-token-intents', id))).toEqual(['Created, to save a card'])
    await service.pay(id)
    await service.sandbox.drained()
    const data = await get(service, 'card-token-intents', id)
    expect(data).toMatchObject({
      id,
      account: service.sandbox.accountId,
      deliveries: [{ type: 'card_token.created' }],
    })
    expect(textsOf(data)).toEqual([
      'Created, to save a card',
      'Card saved: Visa that ends in 4242',
      `card_token.created for ${endpoint.url}`,
      'card_token.created, attempt 1. Your endpoint accepted it: it answered 204.',
    ])
  })

  it('a customer has cards, intents and agreements', async () => {
    const { service, second } = await started()
    const customer = await service.customer({ first_name: 'Jane' })
    await second(() => service.intent({ customer: undefined }))
    const card_token = await second(() => service.savedCard(customer))
    const fields = { customer, card_token, recurring_data: { agreement_id: 'A' } }
    const paid = (await second(() => service.intent(fields))).data
    const open = (await second(() => service.intent({ customer }))).data
    const data = await get(service, 'customers', customer)
    expect(data).toMatchObject({
      id: customer,
      first_name: 'Jane',
      account: service.sandbox.accountId,
      cards: [{ id: card_token }],
      intents: [{ id: open.id }, { id: paid.id }],
      agreements: [{ agreement_id: 'A', card_token }],
    })
    expect(textsOf(data)).toEqual([
      'Customer created',
      'Card saved: Visa that ends in 4242',
      'Intent of 10.00 EUR created',
      'Charge of 10.00 EUR at north succeeded',
      'Agreement A established at north',
      'Intent of 10.00 EUR created',
    ])
  })

  it('an intent has the address of its agreement, once a charge has made that', async () => {
    const { service, second } = await started()
    const customer = await service.customer()
    const agreementOf = async (card: string, agreement_id: string) => {
      const card_token = await service.savedCard(customer, { card })
      const fields = { customer, card_token, recurring_data: { agreement_id } }
      const { id } = (await second(() => service.intent(fields))).data
      return (await get(service, 'intents', id))['agreement']
    }
    const address = await agreementOf(CARD, 'A')
    expect(await list(service, 'agreements')).toMatchObject([{ key: address, agreement_id: 'A' }])
    expect(await agreementOf(DECLINED_WHEN_SAVED, 'B')).toBeNull()
    const { id } = (await second(() => service.intent())).data
    expect((await get(service, 'intents', id))['agreement']).toBeNull()
  })

  it('an agreement has its charges, under whatever id it has', async () => {
    const { service, second } = await started()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const live = service.composite(true)
    const other = await service.customer({}, live)
    const liveToken = await service.savedCard(other, { key: live })
    const ids = ['plain', 'a/b~c?d#e f%41', 'J\u00fcrgen', '~']
    for (const agreement_id of ids) {
      await second(() => service.intent({ customer, card_token, recurring_data: { agreement_id } }))
    }
    const fields = {
      customer,
      card_token,
      recurring_data: { agreement_id: 'plain' },
      merchant_initiated: true,
    }
    await second(() => service.intent(fields))
    const liveFields = { customer: other, card_token: liveToken, recurring_data: { agreement_id: 'plain' } }
    await second(() => service.intent({ ...liveFields, provider: 'east' }, live))
    const all = await list(service, 'agreements')
    expect(all.map((agreement) => agreement['agreement_id'])).toEqual(['plain', ...[...ids].reverse()])
    for (const agreement of all) {
      const key = agreement['key'] as string
      expect(key).toMatch(/^[\w%~.-]+$/)
      for (const address of [key, encodeURIComponent(key)]) {
        expect(await get(service, 'agreements', address)).toMatchObject(agreement)
      }
    }
    const { accountId } = service.sandbox
    const plain = await get(service, 'agreements', `${accountId}~test~plain`)
    expect(plain).toMatchObject({
      customer,
      card_token,
      brand: 'Visa',
      last_four: '4242',
      providers: ['north'],
    })
    expect(textsOf(plain)).toEqual([
      'Charge of 10.00 EUR at north succeeded',
      'Agreement plain established at north',
      'Charge of 10.00 EUR at north succeeded',
    ])
    expect(await get(service, 'agreements', `${accountId}~live~plain`)).toMatchObject({ providers: [] })
  })

  it('an agreement of a typed card that is not saved names no card token', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, recurring_data: { agreement_id: 'A' } })).data
    await service.pay(id)
    expect(await list(service, 'agreements')).toMatchObject([{ agreement_id: 'A', card_token: null }])
  })

  it('an item that is not there is not found', async () => {
    const service = await Service.start()
    for (const kind of [
      'intents',
      'transactions',
      'customers',
      'card-tokens',
      'card-token-intents',
      'agreements',
    ]) {
      expect((await service.get(`/_sandbox/${kind}/none/`)).code, kind).toBe(404)
    }
  })
})

describe('An agreement whose first charge was forgotten', () => {
  it('has the charges that are left', async () => {
    const service = await Service.start({ keep: 2 })
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const fields = { customer, card_token, recurring_data: { agreement_id: 'A' } }
    await service.intent(fields)
    await service.intent({ ...fields, merchant_initiated: true })
    await service.intent()
    const [agreement] = await list(service, 'agreements')
    const data = await get(service, 'agreements', agreement!['key'] as string)
    expect(textsOf(data)).toEqual(['Charge of 10.00 EUR at north succeeded'])
    expect(textsOf(await get(service, 'customers', customer))).toHaveLength(4)
  })
})

describe('GET /_sandbox/newest/', () => {
  async function filled() {
    const { service, second, endpoint } = await started()
    const live = service.composite(true)
    const jane = await service.customer({ first_name: 'Jane', last_name: 'Doe', email: 'jane@example.com' })
    const ann = await second(() => service.customer({ custom_fields: { tier: 'Gold' } }, live))
    const visa = await second(() => service.savedCard(jane))
    const other = await second(() =>
      service.savedCard(ann, { card: CHALLENGED, key: live, type: 'BOTH', provider: 'south' }),
    )
    const fields = { webhook_url: endpoint.url, custom_fields: { order: 'B7' } }
    const first = (await second(() => service.intent({ ...fields, customer: jane }))).data.id
    const charge = { customer: jane, card_token: visa, recurring_data: { agreement_id: 'Gym' } }
    const second_ = (await second(() => service.intent({ amount: 1077, ...charge }))).data.id
    const third = (await second(() => service.intent({ amount_currency: 'JPY' }, live))).data.id
    await second(() => service.pay(third, { card: DECLINED }))
    await second(() => service.pay(first, { card: DECLINED }))
    return { service, endpoint, jane, ann, visa, other, first, second: second_, third }
  }

  it('lists everything of all accounts, newest first, with account and mode', async () => {
    const { service, jane, ann, visa, other, first, second, third } = await filled()
    const ids = async (kind: string) => (await list(service, kind)).map(({ id }) => id)
    expect(await ids('intents')).toEqual([third, second, first])
    expect(await ids('customers')).toEqual([ann, jane])
    expect(await ids('card-tokens')).toEqual([other, visa])
    expect((await list(service, 'transactions')).map((item) => [item['intent'], item.status])).toEqual([
      [first, 'FAILED'],
      [third, 'FAILED'],
      [second, 'SUCCESSFUL'],
    ])
    expect(await list(service, 'card-token-intents')).toMatchObject([
      { card_token: other },
      { card_token: visa },
    ])
    expect(await list(service, 'agreements')).toMatchObject([{ agreement_id: 'Gym' }])
    for (const kind of [
      'intents',
      'customers',
      'card-tokens',
      'transactions',
      'card-token-intents',
      'agreements',
    ]) {
      for (const item of await list(service, kind)) {
        expect(item).toMatchObject({
          account: service.sandbox.accountId,
          is_live: expect.any(Boolean) as boolean,
        })
      }
    }
    expect(await list(service, 'customers')).toMatchObject([
      { card_tokens: [other], cards: [{ id: other }] },
      { card_tokens: [visa], cards: [{ id: visa }] },
    ])
  })

  it('filters by text, mode and status', async () => {
    const { service, endpoint, jane, ann, visa, other, first, second, third } = await filled()
    const search = (text: string) => `search=${encodeURIComponent(text)}`
    for (const [kind, query, expected] of [
      ['intents', 'status=FAILED', [third, first]],
      ['intents', 'is_live=true', [third]],
      ['intents', 'is_live=false&status=PROCESSED', [second]],
      ['intents', search('"order":"b7"'), [first]],
      ['intents', search(jane), [second, first]],
      ['intents', search('1077.00 eur'), [second]],
      ['intents', search('1,077.00'), [second]],
      ['intents', search('gym'), [second]],
      ['intents', search(visa), [second]],
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
    ] as const) {
      const found = (await list(service, kind, `?${query}`)).map(({ id }) => id)
      expect(found, `${kind} ${query}`).toEqual(expected)
    }
    for (const [kind, query, count] of [
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
      expect(await list(service, kind, `?${query}`), `${kind} ${query}`).toHaveLength(count)
    }
    expect((await service.get('/_sandbox/newest/intents/?status=LATE')).code).toBe(400)
    expect((await service.get('/_sandbox/newest/intents/?limit=500')).code).toBe(200)
    expect((await service.get('/_sandbox/newest/intents/?limit=501')).code).toBe(400)
  })

  it('shows each card, intent to save one, and agreement with the name of its customer', async () => {
    const { service } = await started()
    const agreement = { recurring_data: { agreement_id: 'GYM' }, payment_type: 'UNSCHEDULED' }
    const save = async (details: object) => {
      const customer = await service.customer(details)
      const card_token = await service.savedCard(customer)
      await service.intent({ customer, card_token, ...agreement })
    }
    const names = async () =>
      Promise.all(
        ['card-tokens', 'card-token-intents', 'agreements'].map(
          async (kind) => (await list(service, kind))[0]!['customer_name'],
        ),
      )
    for (const [details, name] of [
      [{}, null],
      [{ email: 'ada@example.com' }, 'ada@example.com'],
      [{ first_name: 'Ada', email: 'ada@example.com' }, 'Ada'],
    ] as const) {
      agreement.recurring_data.agreement_id += 'M'
      await save(details)
      expect(await names()).toEqual([name, name, name])
    }
  })

  it('shows each intent with its reference, the name of its customer and how its deliveries went', async () => {
    const { service, endpoint, second } = await started()
    const shown = async () => {
      const [{ reference, customer_name: name, delivery_health: health }] = (await list(
        service,
        'intents',
      )) as [Data]
      return [reference, name, health]
    }
    const paid = async (fields: object, reply: Reply) => {
      endpoint.replyWith(reply)
      const { id } = (await second(() => service.intent({ webhook_url: endpoint.url, ...fields }))).data
      await second(() => service.pay(id))
      return shown()
    }
    const none = { total: 0, delivered: 0, failed: 0, forgeries_accepted: 0 }
    await service.intent()
    expect(await shown()).toEqual([null, null, none])
    const named = await service.customer({ first_name: 'Ada', last_name: 'Berger' })
    expect(await paid({ customer: named, custom_fields: { reference: 'Order 1001' } }, ok)).toEqual([
      'Order 1001',
      'Ada Berger',
      { ...none, total: 2, delivered: 2 },
    ])
    const mailed = await service.customer({ email: 'ada@example.com' })
    expect(await paid({ customer: mailed, custom_fields: { reference: 1002 } }, status(401))).toEqual([
      '1002',
      'ada@example.com',
      { ...none, total: 2, failed: 2 },
    ])
    const nameless = await service.customer()
    await service.faults({ deliveries: { delayMs: 1000 } })
    expect(await paid({ customer: nameless, custom_fields: { reference: null } }, ok)).toEqual([
      null,
      null,
      { ...none, total: 2 },
    ])
    await service.faults({})
    const [newest] = (await service.deliveries()).slice(-1)
    await service.post(`/_sandbox/deliveries/${newest!.id}/resend/`, { tamper: true })
    expect(await shown()).toMatchObject([null, null, { failed: 1, forgeries_accepted: 1 }])
  })

  it('shows each card with its customer', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const tokens = [await service.savedCard(customer), await service.savedCard(customer)]
    const without = await service.customer()
    expect(await list(service, 'customers')).toMatchObject([
      { id: without, cards: [] },
      { id: customer, cards: tokens.map((id) => ({ id })) },
    ])
  })
})

describe('GET /_sandbox/providers/', () => {
  it('counts what each provider did and holds, and shows its fault', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'BOTH', provider: 'south' })
    const { id } = (await service.intent()).data
    await service.pay(id, { card: DECLINED })
    await service.faults({ providers: { north: 'down', east: 'slow' } })
    const recurring_data = { agreement_id: 'A' }
    await service.post(INTENTS, { amount: 1, amount_currency: 'EUR', customer, card_token, recurring_data })
    const { list: providers, count } = await service.get('/_sandbox/providers/')
    expect(count).toBe(3)
    expect(providers).toEqual([
      {
        id: 'north',
        maps_agreements: true,
        fault: 'down',
        counts: { successful: 0, failed: 2, card_tokens: 0, agreements: 0 },
        coverage: [],
      },
      {
        id: 'south',
        maps_agreements: true,
        fault: null,
        counts: { successful: 1, failed: 0, card_tokens: 1, agreements: 1 },
        coverage: [
          {
            key: `${service.sandbox.accountId}~test~A`,
            agreement_id: 'A',
            account: service.sandbox.accountId,
            is_live: false,
            reference: expect.stringMatching(/^ref_/) as string,
          },
        ],
      },
      {
        id: 'east',
        maps_agreements: false,
        fault: 'slow',
        counts: { successful: 0, failed: 0, card_tokens: 0, agreements: 0 },
        coverage: [],
      },
    ])
  })
})
