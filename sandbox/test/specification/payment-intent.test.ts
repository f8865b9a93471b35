import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import {
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  CHALLENGED_AND_DECLINED,
  CUSTOMERS,
  DECLINED,
  DECLINED_WHEN_SAVED,
  INTENTS,
  NEEDS_CVV,
  Service,
} from '../support/service.js'

const agreement = { payment_type: 'UNSCHEDULED', recurring_data: { agreement_id: 'agr-1' } }

describe('Payment intents', () => {
  it.each(['v1.4', 'v1.1'])(
    'payment intents are created at /api/%s/payments/intent/',
    holds('create-intent', 'path-version'),
    async (version) => {
      const service = await Service.start()
      const body = { amount: 10, amount_currency: 'EUR', operation: 'purchase' }
      const { code, data } = await service.post(`/api/${version}/payments/intent/`, body)
      expect(code).toBe(200)
      expect((await service.get(`${INTENTS}${data.id}/`)).data).toEqual(data)
    },
  )

  it(
    'a plain payment returns the embed_url of a hosted form, and is paid there',
    holds('plain-payment', 'embed-url'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const { data } = await service.intent({ webhook_url: endpoint.url })
      expect(data).toMatchObject({
        status: 'CREATED',
        embed_url: `${service.sandbox.url}/vault/form/${data.id}/`,
        saved_cards: [],
      })
      const paid = await service.pay(data.id, { card: CARD })
      expect(paid.data).toMatchObject({ status: 'PROCESSED', embed_url: null, failure: null })
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    },
  )

  it(
    'with tokenize_card the card is saved, and the answer carries its token',
    holds('tokenize-card'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const { id } = (await service.intent({ customer, tokenize_card: true })).data
      const { card_token } = (await service.pay(id)).data
      expect((await service.get(`${INTENTS}${id}/`)).data.card_token).toBe(card_token)
      expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data.customer).toBe(customer)
    },
  )

  for (const [flags, ticked, isSaved, statement] of [
    [{ show_save_card_checkbox: true }, { saveCard: true }, true, 'checkbox'],
    [{ show_save_card_checkbox: true }, { saveCard: false }, false, 'checkbox'],
    [{ show_save_card_checkbox: true }, {}, false, 'checkbox'],
    [{ show_mandatory_save_card_checkbox: true }, { saveCard: true }, true, 'mandatory-checkbox'],
  ] as const)
    it(
      `the customer chooses whether the card is saved: ${JSON.stringify([flags, ticked])}`,
      holds(statement),
      async () => {
        const service = await Service.start()
        const customer = await service.customer()
        const { data } = await service.intent({ customer, ...flags })
        expect(data).toMatchObject(flags)
        const paid = await service.pay(data.id, { card: CARD, ...ticked })
        expect(paid.data.status).toBe('PROCESSED')
        expect(paid.data.card_token !== undefined).toBe(isSaved)
        expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).count).toBe(isSaved ? 1 : 0)
      },
    )

  for (const [title, flags, ticked, problem, options] of [
    [
      'a form without an answer to the mandatory checkbox is refused',
      { show_mandatory_save_card_checkbox: true },
      {},
      'must be true: the checkbox is mandatory',
      holds('mandatory-checkbox'),
    ],
    [
      'a form whose mandatory checkbox is not ticked is refused',
      { show_mandatory_save_card_checkbox: true },
      { saveCard: false },
      'must be true: the checkbox is mandatory',
      holds('mandatory-checkbox'),
    ],
    [
      'our choice: a form that saves a card is refused if the intent shows no checkbox',
      {},
      { saveCard: true },
      'is not offered by this intent: set allow_tokenize_card or show a checkbox',
      {},
    ],
  ] as const)
    it(title, options, async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const { id } = (await service.intent({ customer, ...flags, webhook_url: endpoint.url })).data
      const { code, status } = await service.pay(id, { card: CARD, ...ticked })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ saveCard: problem }])
      expect((await service.get(`${INTENTS}${id}/`)).data).toMatchObject({
        status: 'CREATED',
        transactions: [],
      })
      await service.sandbox.idle()
      expect(endpoint.received).toEqual([])
    })

  it(
    'a standalone card token charges nothing, and the card is saved',
    holds('standalone-token'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const { code, data } = await service.post(INTENTS, { customer, webhook_url: endpoint.url })
      expect(code).toBe(200)
      expect(data).toMatchObject({
        status: 'CREATED',
        embed_url: `${service.sandbox.url}/vault/form/${data.id}/`,
        customer,
      })
      const kept = await service.pay(data.id)
      expect(kept.data).toMatchObject({ status: 'PROCESSED', embed_url: null })
      expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toMatchObject([
        { id: kept.data.card_token },
      ])
      const { data: found } = await service.get(`${CARD_TOKENS}intents/${data.id}/`)
      expect(found).toEqual(kept.data)
      expect((await service.state())['intents']).toEqual([])
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['card_token.created'])
    },
  )

  it.each([
    { tokenize_card: true, show_save_card_checkbox: true },
    { merchant_initiated: true, recurring_data: { agreement_id: 'a' } },
    { merchant_initiated: false },
    { card_token_data: {} },
    { custom_fields: { order: 1 } },
    { routing_action: 'SMART_RECURRING_SETUP' },
  ])(
    'a request that has another field than a standalone card token is a payment, which needs an amount: %j',
    holds('standalone-token'),
    async (fields) => {
      const service = await Service.start()
      const customer = await service.customer()
      const { code, status } = await service.post(INTENTS, { customer, ...fields })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ amount: 'is missing' }])
      expect((await service.state())['intents']).toEqual([])
    },
  )

  it('our choice: a standalone card token takes card_token_type and provider, and ignores unknown fields', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const body = { customer, card_token_type: 'PROVIDER', provider: 'south', future_field: 1 }
    const { id } = (await service.post(INTENTS, body)).data
    const { card_token } = (await service.pay(id)).data
    expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data).toMatchObject({
      card_token_type: 'PROVIDER',
      provider: 'south',
    })
  })

  it('our choice: a saved card pays without the mandatory checkbox, because it is saved already', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const cardToken = await service.savedCard(customer)
    const { id } = (await service.intent({ customer, show_mandatory_save_card_checkbox: true })).data
    expect((await service.pay(id, { cardToken })).data.status).toBe('PROCESSED')
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).count).toBe(1)
  })

  it(
    'with a customer and no card_token, every active token is offered, and pays',
    holds('offered-cards'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const other = await service.customer()
      const first = await service.savedCard(customer)
      const second = await service.savedCard(customer, { type: 'PROVIDER' })
      const foreign = await service.savedCard(other)
      const { data } = await service.intent({ customer })
      expect(data.saved_cards.map(({ id }) => id)).toEqual([first, second])
      expect((await service.pay(data.id, { cardToken: foreign })).code).toBe(404)
      const paid = await service.pay(data.id, { cardToken: second })
      expect(paid.data).toMatchObject({ status: 'PROCESSED', card_token: second, saved_cards: [] })
    },
  )

  it('our choice: without a customer no saved card is offered', async () => {
    const service = await Service.start()
    const card = await service.savedCard(await service.customer())
    const { data } = await service.intent()
    expect(data.saved_cards).toEqual([])
    const { code, status } = await service.pay(data.id, { cardToken: card })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ cardToken: 'is not offered: the intent has no customer' }])
  })

  it('our choice: a saved card is not saved again', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const cardToken = await service.savedCard(customer)
    const { id } = (await service.intent({ customer, show_save_card_checkbox: true })).data
    const { code, status } = await service.pay(id, { cardToken, saveCard: true })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ saveCard: 'is for a card that is not saved yet' }])
    expect((await service.pay(id, { cardToken })).data.status).toBe('PROCESSED')
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).count).toBe(1)
  })

  it('a charge of one token completes at once if no challenge is needed', holds('charge'), async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const { data } = await service.intent({ customer, card_token, webhook_url: endpoint.url })
    expect(data).toMatchObject({ status: 'PROCESSED', embed_url: null, card_token })
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
  })

  it.each([
    ['3DS', CHALLENGED, 'AWAITING_CHALLENGE', { challenge: 'pass' }],
    ['CVV re-entry', NEEDS_CVV, 'AWAITING_CVV', { cvv: '123' }],
  ])(
    'a charge of one token may be routed through the embed for %s',
    holds('step-up', 'embed-url'),
    async (_, card, status, step) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { card })
      const { data } = await service.intent({ customer, card_token, webhook_url: endpoint.url })
      expect(data).toMatchObject({
        status,
        embed_url: `${service.sandbox.url}/vault/form/${data.id}/`,
        transactions: [],
        saved_cards: [],
      })
      await service.sandbox.idle()
      expect(endpoint.received).toEqual([])
      // Nothing was brought: the step is still left.
      expect((await service.pay(data.id, {})).data.status).toBe(status)
      const paid = await service.pay(data.id, step)
      expect(paid.data).toMatchObject({ status: 'PROCESSED', embed_url: null, card_token })
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    },
  )

  it('a token with a CVV completes in one call without redirect', holds('charge-with-cvv'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: NEEDS_CVV })
    const { data } = await service.intent({ customer, card_token, card_token_data: { cvv: '123' } })
    expect(data).toMatchObject({ status: 'PROCESSED', embed_url: null })
  })

  it('a challenge may be required although a CVV was sent', holds('challenge-with-cvv'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: CHALLENGED })
    const { data } = await service.intent({ customer, card_token, card_token_data: { cvv: '123' } })
    expect(data.status).toBe('AWAITING_CHALLENGE')
    expect(data.embed_url).toContain(data.id)
  })

  it(
    'after a CIT, the merchant charges the card again with an MIT',
    holds('later-mit', 'initiator'),
    async () => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      const cit = { customer, card_token, merchant_initiated: false, ...agreement, webhook_url: endpoint.url }
      expect((await service.intent(cit)).data.status).toBe('PROCESSED')
      const mit = await service.intent({ ...cit, merchant_initiated: true })
      expect(mit.data).toMatchObject({ status: 'PROCESSED', merchant_initiated: true, agreement_id: 'agr-1' })
      await service.sandbox.idle()
      expect(endpoint.received).toHaveLength(4)
    },
  )

  it('our choice: at the form, an intent that charges a saved card takes no other card', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: CHALLENGED })
    const { id } = (await service.intent({ customer, card_token })).data
    for (const [field, value] of [
      ['card', CARD],
      ['cardToken', card_token],
    ] as const) {
      const { code, status } = await service.pay(id, { [field]: value })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ [field]: 'is settled: the intent charges a saved card' }])
    }
  })

  it.each([
    [CHALLENGED, { challenge: 'pass' }, 'PROCESSED', null],
    [CHALLENGED, { challenge: 'fail' }, 'FAILED', 'The challenge was not passed'],
    [CHALLENGED_AND_DECLINED, { challenge: 'pass' }, 'FAILED', 'The card was declined'],
    [NEEDS_CVV, { cvv: '123' }, 'PROCESSED', null],
    ['3782 822463 10005', { cvv: '1234' }, 'PROCESSED', null],
    ['5555-5555-5555-4444', { challenge: 'fail' }, 'PROCESSED', null],
    ['4000000000009995', {}, 'FAILED', 'The card has insufficient funds'],
    [DECLINED, {}, 'FAILED', 'The card was declined'],
    [DECLINED_WHEN_SAVED, {}, 'PROCESSED', null],
  ])('our choice: a test card has a fixed outcome: %s with %j is %s', async (card, step, status, failure) => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    expect((await service.pay(id, { card, ...step })).data).toMatchObject({ status, failure })
  })

  it('our choice: the form continues step by step, and keeps the data of the previous step', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, show_mandatory_save_card_checkbox: true })).data
    const first = await service.pay(id, { card: CHALLENGED, saveCard: true, provider: 'east', cvv: '123' })
    expect(first.data.status).toBe('AWAITING_CHALLENGE')
    const { data } = await service.pay(id, { challenge: 'pass' })
    expect(data).toMatchObject({ status: 'PROCESSED', transactions: [{ provider: 'east' }] })
    expect(data.card_token).toBeDefined()
  })

  it('our choice: a CVV that was sent before the challenge is not asked for again', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    expect((await service.pay(id, { card: NEEDS_CVV })).data.status).toBe('AWAITING_CVV')
    expect((await service.pay(id, { card: CHALLENGED })).data.status).toBe('AWAITING_CHALLENGE')
    // Another card: it begins again.
    expect((await service.pay(id, { card: NEEDS_CVV })).data.status).toBe('AWAITING_CVV')
    expect((await service.pay(id, { cvv: '123', challenge: 'pass' })).data.status).toBe('PROCESSED')
  })

  it('our choice: the data of a failed attempt is forgotten', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    await service.pay(id, { card: CHALLENGED })
    expect((await service.pay(id, { challenge: 'fail' })).data.status).toBe('FAILED')
    const { code, status } = await service.pay(id, { challenge: 'pass' })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ card: 'is missing' }])
  })

  it('our choice: a step without a card is refused', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    const { code, status } = await service.pay(id, { challenge: 'pass' })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ card: 'is missing' }])
  })

  it.each([
    [{ card: '4111111111111112' }, 'card', 'must be one of the published test numbers'],
    [{ card: '' }, 'card', 'must be one of the published test numbers'],
    [{ card: CARD, cvv: '12' }, 'cvv', 'must be three or four digits'],
    [{ card: CARD, cvv: '12a' }, 'cvv', 'must be three or four digits'],
    [{ card: CARD, cvv: 123 }, 'cvv', 'must be a string'],
    [{ card: 4242424242424242 }, 'card', 'must be a string'],
    [{ card: CARD, provider: 'west' }, 'provider', 'must be one of north, south, east'],
    [{ card: CARD, challenge: 'skip' }, 'challenge', 'must be one of pass, fail'],
    [{ card: CARD, save_card: true }, 'save_card', 'is not known here'],
  ])('our choice: the form refuses a wrong field: %j', async (body, field, problem) => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    const { code, status } = await service.pay(id, body)
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [field]: problem }])
    expect((await service.get(`${INTENTS}${id}/`)).data.status).toBe('CREATED')
  })

  it('our choice: a declined payment can be tried again at the form', async () => {
    const service = await Service.start()
    const { data } = await service.intent()
    const declined = await service.pay(data.id, { card: DECLINED })
    expect(declined.data).toMatchObject({ status: 'FAILED', embed_url: data.embed_url })
    const paid = await service.pay(data.id, { card: CARD })
    expect(paid.data).toMatchObject({
      status: 'PROCESSED',
      failure: null,
      transactions: [{ status: 'FAILED' }, { status: 'SUCCESSFUL' }],
    })
  })
})
