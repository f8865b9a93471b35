import { describe, expect, it } from 'vitest'
import { CIT, MIT, startWithCard } from '../support/saved-card.js'
import { CHALLENGED, DECLINED_WHEN_SAVED, INTENTS, NEEDS_CVV, type Service } from '../support/service.js'

const PAID = ['transaction.purchase.successful', 'intent.processed']
const DECLINED = ['transaction.purchase.failed']
const NOT_THERE = 'A step of the customer is required, and the customer is not there'
const CVV = { card_token_data: { cvv: '123' } }

describe('A charge of a saved card', () => {
  // Specification: charge, charge-with-cvv
  it.each([
    ['no challenge is needed', {}, {}],
    ['the CVV that the card needs is sent', { card: NEEDS_CVV }, CVV],
  ])('completes in one call without redirect if %s', async (_, card, fields) => {
    const { service, endpoint, card_token, charge } = await startWithCard(card)
    expect((await charge(fields)).data).toMatchObject({ status: 'PROCESSED', embed_url: null, card_token })
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(PAID)
  })

  // Specification: step-up, embed-url, challenge-with-cvv
  it.each([
    ['3DS', CHALLENGED, 'AWAITING_CHALLENGE', {}, { challenge: 'pass' }],
    ['3DS, although a CVV was sent', CHALLENGED, 'AWAITING_CHALLENGE', CVV, { challenge: 'pass' }],
    ['the CVV', NEEDS_CVV, 'AWAITING_CVV', {}, { cvv: '123' }],
  ])('may need a step of the customer in the hosted form: %s', async (_, card, status, fields, step) => {
    const { service, endpoint, card_token, charge } = await startWithCard({ card })
    const { data } = await charge(fields)
    const embed_url = `${service.sandbox.url}/vault/form/${data.id}/`
    expect(data).toMatchObject({ status, embed_url, transactions: [], saved_cards: [] })
    // Nothing was brought: the step is still left.
    expect((await service.pay(data.id, {})).data.status).toBe(status)
    await service.sandbox.idle()
    expect(endpoint.received).toEqual([])
    const paid = await service.pay(data.id, step)
    expect(paid.data).toMatchObject({ status: 'PROCESSED', embed_url: null, card_token })
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(PAID)
  })
})

describe('The Direct API', () => {
  const path = (id: string) => `/direct/payments/intents/${id}/card_token/`
  const direct = (service: Service, id: string, body: object) => service.post(path(id), body)

  // Specification: direct-charge, direct-path
  it('POST /direct/payments/intents/{intent_id}/card_token/, without a version, charges a saved card on an intent', async () => {
    const { service, endpoint, customer, card_token } = await startWithCard()
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    for (const version of ['/api/v1.4', '/api/v1', '/v1.4']) {
      const options = { body: { card_token }, isUnlisted: true }
      await service.refuses(() => service.call('POST', version + path(id), options), 404)
    }
    const { code, data } = await direct(service, id, { card_token })
    expect(code).toBe(200)
    expect(data).toMatchObject({ id, status: 'PROCESSED', card_token })
    await service.sandbox.idle()
    await service.refuses(() => direct(service, id, { card_token }), 409)
    expect(endpoint.types).toEqual(PAID)
  })

  it('our choice: it takes a CVV, and returns an embed_url if a challenge is required', async () => {
    const { service, customer, card_token: needsCvv } = await startWithCard({ card: NEEDS_CVV })
    const challenged = await service.savedCard(customer, { card: CHALLENGED })
    const { id, embed_url } = (await service.intent({ customer })).data
    const stepped = await direct(service, id, { card_token: challenged, ...CVV })
    expect(stepped.data).toMatchObject({ status: 'AWAITING_CHALLENGE', embed_url })
    const paid = await direct(service, id, { card_token: needsCvv, ...CVV })
    expect(paid.data.status).toBe('PROCESSED')
  })

  it('our choice: a declined charge of a saved card cannot be tried again', async () => {
    const { service, endpoint, card_token, charge } = await startWithCard({ card: DECLINED_WHEN_SAVED })
    const { id, status } = (await charge()).data
    expect(status).toBe('FAILED')
    await service.sandbox.idle()
    await service.refuses(() => direct(service, id, { card_token }), 409, {
      id: 'has failed with its saved card: create another',
    })
    expect(endpoint.types).toEqual(DECLINED)
  })

  it("our choice: it refuses an intent that is unknown or of another mode, another customer's or another card, and wrong fields", async () => {
    const { service, customer, card_token, charge } = await startWithCard({ card: CHALLENGED })
    const other = await service.savedCard(customer)
    const foreign = await service.savedCard(await service.customer())
    const { id } = (await service.intent({ customer })).data
    const anonymous = (await service.intent()).data.id
    const live = service.composite(true)
    await service.refuses(() => direct(service, 'int_none', { card_token }), 404)
    await service.refuses(() => service.post(path(id), { card_token }, live), 404)
    await service.refuses(() => direct(service, id, { card_token: foreign }), 404)
    await service.refuses(() => direct(service, id, {}), 400)
    await service.refuses(() => direct(service, id, { card_token, card_token_data: { cvv: 'abc' } }), 400)
    await service.refuses(() => direct(service, anonymous, { card_token }), 400, {
      customer: 'is missing on this intent',
    })
    const settled = (await charge()).data.id
    await service.refuses(() => direct(service, settled, { card_token: other }), 400, {
      card_token: 'is settled: the intent charges another saved card',
    })
    expect((await direct(service, settled, { card_token })).data.status).toBe('AWAITING_CHALLENGE')
  })
})

describe('The dedicated charge of a card token', () => {
  // Specification: dedicated-charge
  it('charges with a CVV, by the merchant, and returns the status directly', async () => {
    const { service, endpoint, card_token, chargeDirectly } = await startWithCard({ card: NEEDS_CVV })
    const { code, data } = await chargeDirectly(CVV)
    expect(code).toBe(200)
    const shown = { status: 'PROCESSED', card_token, merchant_initiated: true, agreement_id: null }
    expect(data).toMatchObject({ ...shown, failure: null, embed_url: null })
    expect((await service.get(`${INTENTS}${data.id}/`)).data).toMatchObject(shown)
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(PAID)
  })

  // Specification: dedicated-charge
  it('takes merchant_initiated and the recurring_data of an agreement, which needs no step of the customer', async () => {
    const { service, charge, chargeDirectly } = await startWithCard({ card: CHALLENGED })
    const { id } = (await charge(CIT)).data
    await service.pay(id, { challenge: 'pass' })
    expect((await chargeDirectly(MIT)).data).toMatchObject({ status: 'PROCESSED', embed_url: null })
  })

  it.each([
    [NEEDS_CVV, {}, NOT_THERE],
    [CHALLENGED, CVV, NOT_THERE],
    [DECLINED_WHEN_SAVED, {}, 'The card was declined'],
    [undefined, { recurring_data: { agreement_id: 'new' } }, 'There was no CIT with this agreement_id'],
  ])('our choice: it does not wait for the customer: %s with %j fails', async (card, fields, failure) => {
    const { service, endpoint, card_token, chargeDirectly } = await startWithCard(card ? { card } : {})
    const { code, data } = await chargeDirectly(fields)
    expect(code).toBe(200)
    expect(data).toMatchObject({ status: 'FAILED', failure, embed_url: null, card_token })
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(DECLINED)
  })

  it.each([
    [{ card_token: 'tok_other' }, { card_token: 'must be that of the path, or missing' }],
    [{ merchant_initiated: false }, { merchant_initiated: 'must be true here, or missing' }],
    [{ customer: undefined }, { customer: 'is needed where card_token is given' }],
  ])('our choice: it refuses wrong fields: %j', async (fields, problem) => {
    const { service, chargeDirectly } = await startWithCard()
    await service.refuses(() => chargeDirectly(fields), 400, problem)
  })
})
