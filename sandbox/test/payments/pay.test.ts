import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { startWithCard } from '../support/saved-card.js'
import {
  CARD,
  CHALLENGED,
  CHALLENGED_AND_DECLINED,
  CUSTOMERS,
  DECLINED,
  DECLINED_WHEN_SAVED,
  NEEDS_CVV,
  Service,
} from '../support/service.js'

describe('Paying an intent', () => {
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

  it('our choice: a declined payment is 200 and FAILED, and can be tried again; a paid one is 409', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id, embed_url } = (await service.intent({ webhook_url: endpoint.url })).data
    const { code, data } = await service.pay(id, { card: DECLINED })
    expect(code).toBe(200)
    expect(data).toMatchObject({ status: 'FAILED', failure: 'The card was declined', embed_url })
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
    expect((await service.pay(id)).data).toMatchObject({
      status: 'PROCESSED',
      failure: null,
      transactions: [{ status: 'FAILED' }, { status: 'SUCCESSFUL' }],
    })
    await service.refuses(() => service.pay(id), 409, { id: 'is completed already' })
    expect(endpoint.received).toHaveLength(3)
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

  it('our choice: another card begins again, and the data of a failed attempt is not used', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    for (const [body, status] of [
      [{ card: NEEDS_CVV }, 'AWAITING_CVV'],
      [{ card: CHALLENGED, cvv: '123' }, 'AWAITING_CHALLENGE'],
      [{ card: NEEDS_CVV }, 'AWAITING_CVV'],
      [{ card: CHALLENGED }, 'AWAITING_CHALLENGE'],
      [{ challenge: 'fail' }, 'FAILED'],
    ] as const)
      expect((await service.pay(id, body)).data.status).toBe(status)
    await service.refuses(() => service.pay(id, { challenge: 'pass' }), 400, { card: 'is missing' })
    expect((await service.pay(id, { card: NEEDS_CVV })).data.status).toBe('AWAITING_CVV')
    expect((await service.pay(id, { cvv: '123', challenge: 'pass' })).data.status).toBe('PROCESSED')
  })
})

const MANDATORY = { show_mandatory_save_card_checkbox: true }

describe('The checkbox to save the card', () => {
  // Specification: checkbox, mandatory-checkbox
  it.each([
    [{ show_save_card_checkbox: true }, { saveCard: true }, 1],
    [{ show_save_card_checkbox: true }, { saveCard: false }, 0],
    [{ show_save_card_checkbox: true }, {}, 0],
    [MANDATORY, { saveCard: true }, 1],
  ] as const)('lets the customer choose: %j with %j saves %i cards', async (flags, ticked, count) => {
    const service = await Service.start()
    const customer = await service.customer()
    const { data } = await service.intent({ customer, ...flags })
    expect(data).toMatchObject(flags)
    const paid = (await service.pay(data.id, { card: CARD, ...ticked })).data
    expect(paid.status).toBe('PROCESSED')
    const { list } = await service.get(`${CUSTOMERS}${customer}/cards/`)
    expect(list.map(({ id }) => id)).toEqual(count === 0 ? [] : [paid.card_token])
    expect(paid.card_token !== undefined).toBe(count === 1)
  })

  // Specification: mandatory-checkbox
  it('must be ticked where it is mandatory, and (our choice) only where it is shown', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    for (const [flags, ticked, saveCard] of [
      [MANDATORY, {}, 'must be true: the checkbox is mandatory'],
      [MANDATORY, { saveCard: false }, 'must be true: the checkbox is mandatory'],
      [{}, { saveCard: true }, 'is not offered by this intent: set allow_tokenize_card or show a checkbox'],
    ] as const) {
      const { id } = (await service.intent({ customer, ...flags })).data
      await service.refuses(() => service.pay(id, { card: CARD, ...ticked }), 400, { saveCard })
    }
  })
})

describe('The saved cards of the customer', () => {
  // Specification: offered-cards
  it('with a customer and no card_token, every active token is offered, and pays', async () => {
    const { service, customer, card_token: first } = await startWithCard()
    const second = await service.savedCard(customer, { type: 'PROVIDER' })
    const foreign = await service.savedCard(await service.customer())
    const { data } = await service.intent({ customer })
    expect(data.saved_cards.map(({ id }) => id)).toEqual([first, second])
    await service.refuses(() => service.pay(data.id, { cardToken: foreign }), 404)
    const paid = await service.pay(data.id, { cardToken: second })
    expect(paid.data).toMatchObject({ status: 'PROCESSED', card_token: second, saved_cards: [] })
  })

  it('our choice: without a customer no saved card is offered', async () => {
    const { service, card_token } = await startWithCard()
    const { data } = await service.intent()
    expect(data.saved_cards).toEqual([])
    await service.refuses(() => service.pay(data.id, { cardToken: card_token }), 400, {
      cardToken: 'is not offered: the intent has no customer',
    })
  })

  it('our choice: a saved card is not saved again, and pays without the mandatory checkbox', async () => {
    const { service, customer, card_token: cardToken } = await startWithCard()
    const { id } = (await service.intent({ customer, ...MANDATORY })).data
    await service.refuses(() => service.pay(id, { cardToken, saveCard: true }), 400, {
      saveCard: 'is for a card that is not saved yet',
    })
    expect((await service.pay(id, { cardToken })).data.status).toBe('PROCESSED')
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).count).toBe(1)
  })
})
