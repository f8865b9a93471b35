import { describe, expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import {
  ACCOUNTS,
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
  SIGNATURE_KEY,
} from './support/service.js'

const agreement = { payment_type: 'UNSCHEDULED', recurring_data: { agreement_id: 'agr-1' } }

describe('S4.1 Create payment intent', () => {
  it.each(['v1.4', 'v1.1'])('at /api/%s/', async (version) => {
    const service = await Service.start()
    const body = { amount: 10, amount_currency: 'EUR', operation: 'purchase' }
    const { code, data } = await service.post(`/api/${version}/payments/intent/`, body)
    expect(code).toBe(200)
    expect((await service.get(`${INTENTS}${data.id}/`)).data).toEqual(data)
  })

  it('plain payment: answers with the hosted form, and is paid there', async () => {
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
  })

  it('save the card automatically: the answer carries its token', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, tokenize_card: true })).data
    const { card_token } = (await service.pay(id)).data
    expect((await service.get(`${INTENTS}${id}/`)).data.card_token).toBe(card_token)
    expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data.customer).toBe(customer)
  })

  it.each([
    [{ show_save_card_checkbox: true }, { saveCard: true }, true],
    [{ show_save_card_checkbox: true }, { saveCard: false }, false],
    [{ show_save_card_checkbox: true }, {}, false],
    [{ show_mandatory_save_card_checkbox: true }, { saveCard: true }, true],
  ])('let the customer choose: %j with %j', async (flags, ticked, isSaved) => {
    const service = await Service.start()
    const customer = await service.customer()
    const { data } = await service.intent({ customer, ...flags })
    expect(data).toMatchObject(flags)
    const paid = await service.pay(data.id, { card: CARD, ...ticked })
    expect(paid.data.status).toBe('PROCESSED')
    expect(paid.data.card_token !== undefined).toBe(isSaved)
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).count).toBe(isSaved ? 1 : 0)
  })

  it.each([
    [{ show_mandatory_save_card_checkbox: true }, {}, 'must be true: the checkbox is mandatory'],
    [
      { show_mandatory_save_card_checkbox: true },
      { saveCard: false },
      'must be true: the checkbox is mandatory',
    ],
    [{}, { saveCard: true }, 'is not offered by this intent: set allow_tokenize_card or show a checkbox'],
  ])('let the customer choose: %j refuses %j', async (flags, ticked, problem) => {
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

  it('standalone card token: nothing is charged, and the card is kept', async () => {
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
    // S6.1: events that follow tokenization are not shown.
    await service.sandbox.idle()
    expect(endpoint.received).toEqual([])
  })

  it('show saved cards: every active token of the customer is offered, and pays', async () => {
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
  })

  it('show saved cards: without a customer none is offered', async () => {
    const service = await Service.start()
    const card = await service.savedCard(await service.customer())
    const { data } = await service.intent()
    expect(data.saved_cards).toEqual([])
    const { code, status } = await service.pay(data.id, { cardToken: card })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ cardToken: 'is not offered: the intent has no customer' }])
  })

  it('a saved card is not saved once more', async () => {
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

  it('charge one token: at once where no challenge is needed', async () => {
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
  ])('charge one token: through the embed for %s', async (_, card, status, step) => {
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
  })

  it('token plus CVV: completes in one call without redirect', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: NEEDS_CVV })
    const { data } = await service.intent({ customer, card_token, card_token_data: { cvv: '123' } })
    expect(data).toMatchObject({ status: 'PROCESSED', embed_url: null })
  })

  it('token plus CVV: a challenge may be required all the same', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: CHALLENGED })
    const { data } = await service.intent({ customer, card_token, card_token_data: { cvv: '123' } })
    expect(data.status).toBe('AWAITING_CHALLENGE')
    expect(data.embed_url).toContain(data.id)
  })

  it('CIT, then MIT: the merchant charges the card again', async () => {
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
  })

  it('at the form an intent that charges a saved card takes no other', async () => {
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
    ['4000000000009995', {}, 'FAILED', 'The funds do not suffice'],
    [DECLINED, {}, 'FAILED', 'The card was declined'],
    [DECLINED_WHEN_SAVED, {}, 'PROCESSED', null],
  ])('the card %s with %j in one step: %s', async (card, step, status, failure) => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    expect((await service.pay(id, { card, ...step })).data).toMatchObject({ status, failure })
  })

  it('the form goes on step by step, and keeps what was brought before', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, show_mandatory_save_card_checkbox: true })).data
    const first = await service.pay(id, { card: CHALLENGED, saveCard: true, provider: 'east', cvv: '123' })
    expect(first.data.status).toBe('AWAITING_CHALLENGE')
    const { data } = await service.pay(id, { challenge: 'pass' })
    expect(data).toMatchObject({ status: 'PROCESSED', transactions: [{ provider: 'east' }] })
    expect(data.card_token).toBeDefined()
  })

  it('a CVV that was brought before the challenge is not asked for again', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    expect((await service.pay(id, { card: NEEDS_CVV })).data.status).toBe('AWAITING_CVV')
    expect((await service.pay(id, { card: CHALLENGED })).data.status).toBe('AWAITING_CHALLENGE')
    // Another card: it begins anew.
    expect((await service.pay(id, { card: NEEDS_CVV })).data.status).toBe('AWAITING_CVV')
    expect((await service.pay(id, { cvv: '123', challenge: 'pass' })).data.status).toBe('PROCESSED')
  })

  it('what was brought is forgotten once it has failed', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    await service.pay(id, { card: CHALLENGED })
    expect((await service.pay(id, { challenge: 'fail' })).data.status).toBe('FAILED')
    const { code, status } = await service.pay(id, { challenge: 'pass' })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ card: 'is missing' }])
  })

  it('a step that is brought without a card is refused', async () => {
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
  ])('the form refuses %j', async (body, field, problem) => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    const { code, status } = await service.pay(id, body)
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [field]: problem }])
    expect((await service.get(`${INTENTS}${id}/`)).data.status).toBe('CREATED')
  })

  it('a declined payment can be tried again at the form', async () => {
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

describe('S4.2 Get webhook signature key', () => {
  it('answers with the secret, in the envelope of the table', async () => {
    const service = await Service.start()
    const { code, text } = await service.get(SIGNATURE_KEY)
    expect(code).toBe(200)
    expect(JSON.parse(text)).toEqual({
      status: { code: 200, message: 'OK', errors: [] },
      data: { webhook_signature_secret: service.sandbox.secret },
      count: 1,
      next: null,
      previous: null,
    })
  })

  it('gives the same secret to every key and every time', async () => {
    const service = await Service.start()
    for (const key of [service.sandbox.apiKeys.account, service.composite(false), service.composite(true)]) {
      expect((await service.get(SIGNATURE_KEY, key)).data.webhook_signature_secret).toBe(
        service.sandbox.secret,
      )
    }
  })
})

describe('S4.3 Direct charge of a saved token', () => {
  const path = (id: string) => `/direct/payments/intents/${id}/card_token/`

  it('charges the card on the intent', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    const { code, data } = await service.post(path(id), { card_token })
    expect(code).toBe(200)
    expect(data).toMatchObject({ id, status: 'PROCESSED', card_token })
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
  })

  it('takes a CVV, and leads to the form where a challenge is required', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const needsCvv = await service.savedCard(customer, { card: NEEDS_CVV })
    const challenged = await service.savedCard(customer, { card: CHALLENGED })
    const { id } = (await service.intent({ customer })).data
    const stepped = await service.post(path(id), { card_token: challenged, card_token_data: { cvv: '123' } })
    expect(stepped.data).toMatchObject({ status: 'AWAITING_CHALLENGE' })
    expect(stepped.data.embed_url).not.toBeNull()
    const paid = await service.post(path(id), { card_token: needsCvv, card_token_data: { cvv: '123' } })
    expect(paid.data.status).toBe('PROCESSED')
  })

  it("refuses what is not there, not this customer's, or paid", async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const foreign = await service.savedCard(await service.customer())
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    const anonymous = (await service.intent()).data
    expect((await service.post(path('int_none'), { card_token })).code).toBe(404)
    expect(
      (await service.call('POST', path(id), { body: { card_token }, key: service.composite(true) })).code,
    ).toBe(404)
    expect((await service.post(path(id), { card_token: foreign })).code).toBe(404)
    expect((await service.post(path(id), {})).code).toBe(400)
    expect((await service.post(path(id), { card_token, card_token_data: { cvv: 'abc' } })).code).toBe(400)
    const withoutCustomer = await service.post(path(anonymous.id), { card_token })
    expect(withoutCustomer.code).toBe(400)
    expect(withoutCustomer.status.errors).toEqual([{ customer: 'is missing on this intent' }])
    expect((await service.get(`${INTENTS}${id}/`)).data.transactions).toEqual([])
    expect((await service.post(path(id), { card_token })).code).toBe(200)
    await service.sandbox.drained()
    expect((await service.post(path(id), { card_token })).code).toBe(409)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(2)
  })
})

describe('S4.4 Operations whose method and path are not given', () => {
  it('create a card token, standalone', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const webhook_url = 'http://localhost:1/webhooks'
    const { data } = await service.post(CARD_TOKENS, { customer, webhook_url })
    expect(data).toMatchObject({ customer, webhook_url, status: 'CREATED' })
    expect(data.embed_url).toBe(`${service.sandbox.url}/vault/form/${data.id}/`)
  })

  it.each([
    [{}, 'customer', 'is missing'],
    [{ customer: 'cus_none' }, 'customer', 'Customer not found'],
    [{ card_token_type: 'NONE' }, 'card_token_type', 'must be one of UNIVERSAL, PROVIDER, BOTH'],
    [{ provider: 'west' }, 'provider', 'must be one of north, south, east'],
    [{ webhook_url: 'nowhere' }, 'webhook_url', 'must be an address with http: or https:'],
  ])('create a card token: refuses %j', async (fields, field, problem) => {
    const service = await Service.start()
    const customer = field === 'customer' ? {} : { customer: await service.customer() }
    const { code, status } = await service.post(CARD_TOKENS, { ...customer, ...fields })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ [field]: problem }])
    expect((await service.state())['card_token_intents']).toEqual([])
  })

  it.each([
    [CHALLENGED, [{ challenge: 'pass' }], 'PROCESSED', null],
    [CHALLENGED, [{ challenge: 'fail' }], 'FAILED', 'The challenge was not passed'],
    [NEEDS_CVV, [{ cvv: '123' }], 'PROCESSED', null],
    [DECLINED, [], 'FAILED', 'The card was declined'],
    [DECLINED_WHEN_SAVED, [], 'PROCESSED', null],
  ])('card token intent details: %s with %j ends %s', async (card, steps, status, failure) => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    await service.pay(id, { card })
    for (const step of steps) {
      expect((await service.get(`${CARD_TOKENS}intents/${id}/`)).data.status).toMatch(/^AWAITING_/)
      await service.pay(id, step)
    }
    const { data } = await service.get(`${CARD_TOKENS}intents/${id}/`)
    expect(data).toMatchObject({ status, failure })
    expect(data.card_token !== undefined).toBe(status === 'PROCESSED')
  })

  it('card token intent details: it fails while the vault cannot be reached, and can be tried again', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    await service.faults({ vault: 'down' })
    expect((await service.pay(id)).data).toMatchObject({
      status: 'FAILED',
      failure: 'The vault could not be reached',
    })
    await service.faults({})
    expect((await service.pay(id)).data).toMatchObject({ status: 'PROCESSED', failure: null })
    expect((await service.pay(id)).code).toBe(409)
  })

  it('card token intent details: not of another mode, and none that is not there', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    expect((await service.get(`${CARD_TOKENS}intents/${id}/`, service.composite(true))).code).toBe(404)
    expect((await service.get(`${CARD_TOKENS}intents/cti_none/`)).code).toBe(404)
  })

  it('a card token intent takes a card that is not saved yet', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const cardToken = await service.savedCard(customer)
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    const { code, status } = await service.pay(id, { cardToken })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ cardToken: 'is saved already: send a card' }])
    expect((await service.pay(id, { card: CARD, provider: 'west' })).code).toBe(400)
  })

  it('get card token: not of another mode, and none that is not there', async () => {
    const service = await Service.start()
    const id = await service.savedCard(await service.customer())
    expect((await service.get(`${CARD_TOKENS}${id}/`)).code).toBe(200)
    expect((await service.get(`${CARD_TOKENS}${id}/`, service.composite(true))).code).toBe(404)
    const { code, status } = await service.get(`${CARD_TOKENS}tok_none/`)
    expect(code).toBe(404)
    expect(status.errors).toEqual([{ id: 'Card token not found' }])
  })

  it.each([
    [NEEDS_CVV, { card_token_data: { cvv: '123' } }, 'PROCESSED', null],
    [NEEDS_CVV, {}, 'FAILED', 'A step of the customer is required, and the customer is not there'],
    [
      CHALLENGED,
      { card_token_data: { cvv: '123' } },
      'FAILED',
      'A step of the customer is required, and the customer is not there',
    ],
    [DECLINED_WHEN_SAVED, {}, 'FAILED', 'The card was declined'],
  ])('charge card token: %s with %j answers %s at once', async (card, fields, status, failure) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const id = await service.savedCard(customer, { card })
    const body = { amount: 10, amount_currency: 'EUR', customer, webhook_url: endpoint.url, ...fields }
    const { code, data } = await service.post(`${CARD_TOKENS}${id}/charge/`, { ...body, card_token: id })
    expect(code).toBe(200)
    expect(data).toMatchObject({ status, failure, embed_url: null, card_token: id })
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(
      status === 'PROCESSED'
        ? ['transaction.purchase.successful', 'intent.processed']
        : ['transaction.purchase.failed'],
    )
  })

  it('charge card token: for merchant-initiated charges', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const id = await service.savedCard(customer, { card: CHALLENGED })
    const body = { amount: 10, amount_currency: 'EUR', customer, ...agreement }
    const { data } = await service.intent({ ...body, card_token: id, merchant_initiated: false })
    await service.pay(data.id, { challenge: 'pass' })
    const mit = await service.post(`${CARD_TOKENS}${id}/charge/`, { ...body, merchant_initiated: true })
    expect(mit.data).toMatchObject({ status: 'PROCESSED', embed_url: null })
  })

  it('charge card token: refuses what does not fit, and charges nothing', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const id = await service.savedCard(customer)
    const path = `${CARD_TOKENS}${id}/charge/`
    const body = { amount: 10, amount_currency: 'EUR', customer }
    const other = await service.post(path, { ...body, card_token: 'tok_other' })
    expect(other.code).toBe(400)
    expect(other.status.errors).toEqual([{ card_token: 'must be that of the path, or missing' }])
    expect((await service.post(path, { ...body, webhook_url: 'nowhere' })).code).toBe(400)
    expect((await service.post(path, { ...body, card_token_data: { cvv: '1' } })).code).toBe(400)
    expect((await service.post(path, { ...body, customer: await service.customer() })).code).toBe(404)
    expect((await service.post(`${CARD_TOKENS}tok_none/charge/`, body)).code).toBe(404)
    expect((await service.post(path, { amount: 10, amount_currency: 'EUR' })).code).toBe(400)
    expect((await service.state())['intents']).toEqual([])
  })

  it('customers: create, list, and their saved cards', async () => {
    const service = await Service.start()
    const customer = await service.customer({ first_name: 'Jane' })
    const first = await service.savedCard(customer)
    const second = await service.savedCard(customer)
    expect((await service.get(CUSTOMERS)).list).toMatchObject([{ id: customer, first_name: 'Jane' }])
    const { list, count, next } = await service.get(`${CUSTOMERS}${customer}/cards/?limit=1`)
    expect(list.map(({ id }) => id)).toEqual([first])
    expect(count).toBe(2)
    expect(next).toBe(`${service.sandbox.url}${CUSTOMERS}${customer}/cards/?limit=1&offset=1`)
    expect((await fetch(next!, { headers: { 'X-Api-Key': service.sandbox.apiKeys.account } })).status).toBe(
      200,
    )
    expect((await service.get(`${CUSTOMERS}${customer}/cards/?offset=1`)).list.map(({ id }) => id)).toEqual([
      second,
    ])
  })

  it.each([{ first_name: 1 }, { email: null }, { phone_number: 3725555555 }, { custom_fields: 'x' }, []])(
    'customers: refuses %j',
    async (body) => {
      const service = await Service.start()
      expect((await service.post(CUSTOMERS, body)).code).toBe(400)
      expect((await service.get(CUSTOMERS)).count).toBe(0)
    },
  )

  it('accounts: create and list, with the key of the organization', async () => {
    const service = await Service.start()
    const { organization } = service.sandbox.apiKeys
    const { code, data } = await service.post(ACCOUNTS, { name: 'Berlin' }, organization)
    expect(code).toBe(200)
    expect(data.name).toBe('Berlin')
    const { list, count } = await service.get(ACCOUNTS, organization)
    expect(count).toBe(2)
    expect(list.map(({ id }) => id)).toEqual([service.sandbox.accountId, data.id])
    // Its keys work, and reach nothing of the first account.
    const customer = await service.customer()
    expect((await service.get(CUSTOMERS, data.api_key)).list).toEqual([])
    expect((await service.get(`${CUSTOMERS}${customer}/`, data.api_key)).code).toBe(400)
  })

  it.each([{}, { name: '' }, { name: 1 }])('accounts: refuses %j', async (body) => {
    const service = await Service.start()
    expect((await service.post(ACCOUNTS, body, service.sandbox.apiKeys.organization)).code).toBe(400)
  })
})

describe('S4.5 Client SDK calls', () => {
  it('saveCard true needs allow_tokenize_card on the intent', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const plain = (await service.intent({ customer })).data
    expect((await service.pay(plain.id, { card: CARD, saveCard: true })).code).toBe(400)
    const { data } = await service.intent({ customer, allow_tokenize_card: true })
    const paid = await service.pay(data.id, { card: CARD, saveCard: true })
    expect(paid.data.card_token).toMatch(/^tok_/)
  })

  it('with allow_tokenize_card the card is saved only if saveCard says so', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { data } = await service.intent({ customer, allow_tokenize_card: true })
    expect((await service.pay(data.id)).data).not.toHaveProperty('card_token')
  })

  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])(
    'a card intent of the type %s keeps such a token',
    async (type) => {
      const service = await Service.start()
      const customer = await service.customer()
      const { data } = await service.post(CARD_TOKENS, { customer, card_token_type: type })
      const { card_token } = (await service.pay(data.id)).data
      expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data.card_token_type).toBe(type)
    },
  )
})
