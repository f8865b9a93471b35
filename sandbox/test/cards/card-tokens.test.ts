import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { removeCard, startWithCard } from '../support/saved-card.js'
import {
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  CUSTOMERS,
  DECLINED,
  INTENTS,
  NEEDS_CVV,
  Service,
} from '../support/service.js'

/** A card token intent that the customer has not completed yet. */
async function startTokenIntent(fields: object = {}) {
  const service = await Service.start()
  const customer = await service.customer()
  const { data } = await service.post(CARD_TOKENS, { customer, ...fields })
  const details = async () => (await service.get(`${CARD_TOKENS}intents/${data.id}/`)).data
  return { service, customer, id: data.id, data, details }
}

const NOT_SAVED = { card_token: 'Card token not found' }

describe('A card token without a payment', () => {
  // Specification: standalone-token, token-intent, events-sent
  it.each([CARD_TOKENS, INTENTS])(
    'is created from customer and webhook_url in a hosted form, and charges nothing: POST %s',
    async (path) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const { data } = await service.post(path, { customer, webhook_url: endpoint.url })
      const embed_url = `${service.sandbox.url}/vault/form/${data.id}/`
      expect(data).toMatchObject({ status: 'CREATED', embed_url, customer, webhook_url: endpoint.url })
      const made = (await service.pay(data.id)).data
      expect(made).toMatchObject({ status: 'PROCESSED', failure: null, embed_url: null })
      expect((await service.get(`${CARD_TOKENS}intents/${data.id}/`)).data).toEqual(made)
      const { card_tokens, intents } = await service.state()
      expect([card_tokens, intents]).toMatchObject([[{ id: made.card_token, customer }], []])
      await service.sandbox.idle()
      expect(endpoint.types).toEqual(['card_token.created'])
    },
  )

  // Specification: standalone-token
  it('has no other field of an intent: such a request is a payment, which needs an amount', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    for (const fields of [
      { tokenize_card: true, show_save_card_checkbox: true },
      { merchant_initiated: true, recurring_data: { agreement_id: 'a' } },
      { merchant_initiated: false },
      { card_token_data: {} },
      { custom_fields: { order: 1 } },
      { routing_action: 'SMART_RECURRING_SETUP' },
      { ammount: 10, webhook_url: 'http://127.0.0.1:3000/' },
    ])
      await service.refuses(() => service.post(INTENTS, { customer, ...fields }), 400, {
        amount: 'is missing',
      })
  })

  it.each([
    [{ customer: undefined }, { customer: 'is missing' }],
    [{ customer: 'cus_none' }, { customer: 'Customer not found' }],
    [{ card_token_type: 'NONE' }, { card_token_type: 'must be one of UNIVERSAL, PROVIDER, BOTH' }],
  ])('our choice: it refuses a wrong field: %j', async (fields, problem) => {
    const service = await Service.start()
    const customer = await service.customer()
    await service.refuses(() => service.post(CARD_TOKENS, { customer, ...fields }), 400, problem)
  })

  it.each([
    ['UNIVERSAL', { vault: 'down' }, 'The vault could not be reached'],
    ['PROVIDER', { providers: { south: 'down' } }, 'The provider south could not be reached'],
    ['BOTH', { providers: { south: 'down' } }, 'The provider south could not be reached'],
  ])(
    'our choice: a %s token is not made while who would hold it is down, and can be made later: %j',
    async (card_token_type, faults, failure) => {
      const { service, id } = await startTokenIntent({ card_token_type, provider: 'south' })
      await service.faults(faults)
      const { data } = await service.pay(id)
      expect(data).toMatchObject({ status: 'FAILED', failure })
      expect(data).not.toHaveProperty('card_token')
      expect((await service.state())['card_tokens']).toEqual([])
      await service.faults({})
      expect((await service.pay(id)).data).toMatchObject({ status: 'PROCESSED', failure: null })
      await service.refuses(() => service.pay(id), 409)
    },
  )

  it('our choice: an intent of another mode, or an unknown one, answers 404; a card that is saved, 400', async () => {
    const { service, customer, id } = await startTokenIntent()
    const cardToken = await service.savedCard(customer)
    const path = `${CARD_TOKENS}intents/`
    await service.refuses(() => service.get(`${path}${id}/`, service.composite(true)), 404)
    await service.refuses(() => service.get(`${path}cti_none/`), 404)
    await service.refuses(() => service.pay(id, { card: CARD, provider: 'west' }), 400)
    await service.refuses(() => service.pay(id, { cardToken }), 400, {
      cardToken: 'is saved already: send a card',
    })
  })
})

describe('A payment that saves its card', () => {
  // Specification: tokenize-card
  it('tokenize_card saves the card once the payment succeeds, and the answer has the id of its token', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, tokenize_card: true })).data
    const cards = async () => (await service.get(`${CUSTOMERS}${customer}/cards/`)).list
    expect((await service.pay(id, { card: DECLINED })).data).not.toHaveProperty('card_token')
    expect(await cards()).toEqual([])
    const { card_token } = (await service.pay(id)).data
    expect(await cards()).toMatchObject([{ id: card_token, card_token_type: 'UNIVERSAL', customer }])
    expect((await service.get(`${INTENTS}${id}/`)).data.card_token).toBe(card_token)
  })

  // Specification: vault-down
  it('while the vault cannot be reached the payment goes through, without a token', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    await service.faults({ vault: 'down' })
    for (const card_token_type of ['UNIVERSAL', 'BOTH']) {
      const { id } = (await service.intent({ customer, tokenize_card: true, card_token_type })).data
      const { data } = await service.pay(id)
      expect(data.status).toBe('PROCESSED')
      expect(data).not.toHaveProperty('card_token')
    }
    expect((await service.state())['card_tokens']).toEqual([])
  })
})

describe('A card token', () => {
  // Specification: token-types, get-token, one-customer
  it.each([
    ['UNIVERSAL', null, 'FAILED'],
    ['PROVIDER', 'east', 'PROCESSED'],
    ['BOTH', 'east', 'PROCESSED'],
  ])(
    'of type %s is in the vault, at the provider of its transaction, or in both, and can be read',
    async (type, provider, withoutVault) => {
      const { service, customer, card_token, charge } = await startWithCard({ type, provider: 'east' })
      const shown = { id: card_token, customer, brand: 'Visa', last_four: '4242', is_live: false }
      const { data } = await service.get(`${CARD_TOKENS}${card_token}/`)
      expect(data).toMatchObject({ ...shown, card_token_type: type, provider })
      await service.faults({ vault: 'down' })
      expect((await charge({ provider: 'east' })).data.status).toBe(withoutVault)
    },
  )

  // Specification: no-card-number
  it('an answer to a merchant has the token, the brand and four digits, and never a card number', async () => {
    const { service, customer, card_token } = await startWithCard()
    for (const path of [
      `${CARD_TOKENS}${card_token}/`,
      `${CUSTOMERS}${customer}/cards/`,
      '/_sandbox/newest/card-tokens/',
    ]) {
      const { text } = await service.get(path)
      expect(text).toContain('"last_four":"4242"')
      expect(text).not.toContain(CARD)
    }
  })

  // Specification: token-not-found, one-customer, one-mode
  it('that is unknown, deleted, or of another customer or mode answers 404, and nothing is charged or deleted', async () => {
    const { service, endpoint, customer, card_token: deleted, charge, remove } = await startWithCard()
    const live = service.composite(true)
    const foreign = await service.savedCard(await service.customer())
    const other = await service.savedCard(await service.customer({}, live), { key: live })
    await remove()
    for (const card_token of ['tok_none', foreign, deleted, other]) {
      await service.refuses(() => charge({ card_token }), 404, NOT_SAVED)
      await service.refuses(() => removeCard(service, customer, card_token), 404, {
        to_delete_customer_card_token: 'Card token not found',
      })
    }
    for (const card_token of ['tok_none', deleted, other]) {
      const call = () => service.get(`${CARD_TOKENS}${card_token}/`)
      const { status } = await service.refuses(call, 404, { id: 'Card token not found' })
      expect(status.message).toBe(
        'The card token was deleted, or belongs to another customer, account or mode. Fetch the saved cards of the customer again.',
      )
    }
    await service.sandbox.idle()
    expect(endpoint.received).toEqual([])
  })
})

describe('The deletion of a card token', () => {
  // Specification: delete-card, deleted-card
  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])(
    'by customer and to_delete_customer_card_token removes a %s token everywhere: it is neither offered nor charged',
    async (type) => {
      const { service, endpoint, customer, card_token: left, charge, remove } = await startWithCard()
      const card_token = await service.savedCard(customer, { type })
      const offered = async () => (await service.intent({ customer })).data.saved_cards.map(({ id }) => id)
      expect(await offered()).toEqual([left, card_token])
      expect((await remove(card_token)).data.id).toBe(card_token)
      expect(await offered()).toEqual([left])
      await service.refuses(() => service.get(`${CARD_TOKENS}${card_token}/`), 404)
      expect((await service.state())['card_tokens']).toMatchObject([{ id: left }])
      await service.refuses(() => charge({ card_token }), 404, NOT_SAVED)
      await service.sandbox.idle()
      expect(endpoint.received).toEqual([])
    },
  )

  // Specification: deleted-card
  it.each([
    ['3DS', CHALLENGED, { challenge: 'pass' }],
    ['the CVV', NEEDS_CVV, { cvv: '123' }],
  ])('ends a charge that waits for %s: it fails, and cannot be completed', async (_, card, step) => {
    const { service, endpoint, customer, charge, remove } = await startWithCard({ card })
    const { id } = (await charge({ provider: 'south' })).data
    const untouched = (await charge({ card_token: await service.savedCard(customer, { card }) })).data
    await remove()
    expect((await service.get(`${INTENTS}${id}/`)).data).toMatchObject({
      status: 'FAILED',
      failure: 'The saved card was deleted',
      embed_url: null,
      transactions: [{ provider: 'south', status: 'FAILED' }],
    })
    await service.sandbox.idle()
    await service.refuses(() => service.pay(id, step), 409)
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
    expect((await service.get(`${INTENTS}${untouched.id}/`)).data).toEqual(untouched)
  })

  it('our choice: if the customer had chosen the deleted card at the form, another one can pay', async () => {
    const { service, customer, card_token, remove } = await startWithCard({ card: CHALLENGED })
    const { id } = (await service.intent({ customer })).data
    expect((await service.pay(id, { cardToken: card_token })).data.status).toBe('AWAITING_CHALLENGE')
    await remove()
    await service.refuses(() => service.pay(id, { challenge: 'pass' }), 400)
    expect((await service.pay(id)).data).toMatchObject({
      status: 'PROCESSED',
      transactions: [{ status: 'FAILED' }, { status: 'SUCCESSFUL' }],
    })
  })
})
