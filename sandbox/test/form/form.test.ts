import { describe, expect, it } from 'vitest'
import { startWithCard } from '../support/saved-card.js'
import { CARD, CARD_TOKENS, DECLINED, NEEDS_CVV, Service, type Answer } from '../support/service.js'

const ENTRY = { expiry: '12/34', holder: 'Jane Doe', cvv: '123' }

/** What a browser at the form asks for: it has no key. */
function formOf(service: Service, id: string) {
  const path = `/vault/form/${id}/`
  return {
    id,
    state: (): Promise<Answer> => service.call('GET', `${path}state/`, { key: undefined }),
    pay: (body: unknown): Promise<Answer> => service.call('POST', `${path}pay/`, { key: undefined, body }),
  }
}

async function startForm(fields: object = {}) {
  const service = await Service.start()
  return { service, ...formOf(service, (await service.intent(fields)).data.id) }
}

describe('The page of the hosted form', () => {
  it('is at the embed_url, loads nothing from elsewhere, runs nothing inline, and hides its address', async () => {
    const { service, id } = await startForm()
    const response = await fetch(`${service.sandbox.url}/vault/form/${id}/`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<title>Payment form</title>')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "frame-ancestors *; base-uri 'none'; form-action 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('is 404 where there is no such intent, and says so itself', async () => {
    const service = await Service.start()
    const response = await fetch(`${service.sandbox.url}/vault/form/int_none/`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('<title>Payment form</title>')
    const form = formOf(service, 'int_none')
    await service.refuses(form.state, 404)
    await service.refuses(() => form.pay({ card: CARD }), 404)
  })

  it.each([
    ['form/form.js', 'application/javascript; charset=utf-8'],
    ['form/form.css', 'text/css; charset=utf-8'],
    ['form/icon.svg', 'image/svg+xml'],
    ['form/index.html', undefined],
    ['form/sdk.js', undefined],
    ['sdk/card-form.html', undefined],
  ])('serves of its folder only its files, which no other page can frame: %s as %s', async (file, type) => {
    const service = await Service.start()
    const { status, headers } = await fetch(`${service.sandbox.url}/vault/assets/${file}`)
    expect(status).toBe(type === undefined ? 404 : 200)
    if (type === undefined) return
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe('What the hosted form shows', () => {
  it('of a payment: the amount, and the id where the merchant gave no reference', async () => {
    const { id, state } = await startForm({ amount: 12.5 })
    expect((await state()).data).toEqual({
      kind: 'payment',
      is_live: false,
      status: 'CREATED',
      is_open: true,
      failure: null,
      amount: 12.5,
      amount_currency: 'EUR',
      amount_decimals: 2,
      reference: id,
      return_url: null,
      save_card: 'no',
      is_card_settled: false,
      card: null,
      saved_cards: [],
    })
  })

  it('of a card token intent: that a card is saved, and nothing of a payment', async () => {
    const service = await Service.start()
    const { id } = (await service.post(CARD_TOKENS, { customer: await service.customer() })).data
    const { state, pay } = formOf(service, id)
    const shown = { kind: 'card', amount: null, amount_currency: null, amount_decimals: null, reference: id }
    const { data } = await state()
    expect(data).toMatchObject({ ...shown, status: 'CREATED', is_open: true, save_card: 'automatic' })
    const saved = await pay({ card: CARD, ...ENTRY })
    expect(saved.data).toMatchObject({ ...shown, status: 'PROCESSED', is_open: false })
    expect((await service.get(`${CARD_TOKENS}intents/${id}/`)).data.card_token).toMatch(/^tok_/)
  })

  it.each([
    [{ reference: 'Order 7' }, 'Order 7', null],
    [{ reference: '' }, undefined, null],
    [{ reference: 7 }, undefined, null],
    [{ order: 'Order 7' }, undefined, null],
    [{ return_url: 'https://shop.example/7?paid=1' }, undefined, 'https://shop.example/7?paid=1'],
    [{ return_url: 'http://localhost:3000' }, undefined, 'http://localhost:3000/'],
    [{ return_url: 'javascript:alert(1)' }, undefined, null],
    [{ return_url: 'https://shop.example@evil.example/' }, undefined, null],
    [{ return_url: 'https://:secret@shop.example/' }, undefined, null],
    [{ return_url: '/orders/7' }, undefined, null],
    [{ return_url: 7 }, undefined, null],
  ])('with the custom fields %j: the reference %s and the way back %s', async (fields, reference, back) => {
    const { id, state } = await startForm({ custom_fields: fields })
    expect((await state()).data).toMatchObject({ reference: reference ?? id, return_url: back })
  })

  it.each([
    [{}, 'no'],
    [{ tokenize_card: true }, 'automatic'],
    [{ show_save_card_checkbox: true }, 'optional'],
    [{ show_mandatory_save_card_checkbox: true }, 'mandatory'],
    [{ allow_tokenize_card: true }, 'no'],
    [{ allow_tokenize_card: true, show_save_card_checkbox: true }, 'optional'],
  ])('with the flags %j: the checkbox is %s', async (flags, expected) => {
    const service = await Service.start()
    const { id } = (await service.intent({ customer: await service.customer(), ...flags })).data
    expect((await formOf(service, id).state()).data['save_card']).toBe(expected)
  })

  it('of the customer: the saved cards, by brand and last four digits, until one is deleted', async () => {
    const { service, customer, card_token, remove } = await startWithCard()
    await service.savedCard(await service.customer())
    const form = formOf(service, (await service.intent({ customer })).data.id)
    const shown = { id: card_token, brand: 'Visa', last_four: '4242' }
    expect((await form.state()).data.saved_cards).toEqual([shown])
    await remove()
    expect((await form.state()).data.saved_cards).toEqual([])
    const problem = { cardToken: 'Card token not found' }
    await service.refuses(() => form.pay({ cardToken: card_token }), 404, problem)
    const paid = (await form.pay({ card: CARD, ...ENTRY })).data
    expect(paid).toMatchObject({ status: 'PROCESSED', is_open: false, saved_cards: [] })
  })

  it('of an intent that names a saved card: that card alone, while a step is left', async () => {
    const { service, charge, customer, card_token } = await startWithCard({ card: NEEDS_CVV })
    await service.savedCard(customer)
    const form = formOf(service, (await charge()).data.id)
    expect((await form.state()).data).toMatchObject({
      status: 'AWAITING_CVV',
      is_card_settled: true,
      card: { brand: 'Visa', last_four: '0127' },
      saved_cards: [],
    })
    const problem = 'is settled: the intent charges a saved card'
    for (const [field, value] of Object.entries({ card: CARD, cardToken: card_token }))
      await service.refuses(() => form.pay({ [field]: value }), 400, { [field]: problem })
    expect((await form.pay({ cvv: '123' })).data).toMatchObject({ status: 'PROCESSED', is_open: false })
  })
})

describe('Paying at the hosted form', () => {
  it.each([
    ['no test number', { card: '4111111111111111' }, 'card'],
    ['an expiry of another form', { card: CARD, expiry: '1/34' }, 'expiry'],
    ['an expiry in the past', { card: CARD, expiry: '12/20' }, 'expiry'],
    ['a name of spaces', { card: CARD, holder: '  ' }, 'holder'],
    ['the provider, which is not theirs to choose', { card: CARD, provider: 'east' }, 'provider'],
    ['a field that is not known', { card: CARD, amount: 1 }, 'amount'],
    ['nothing', {}, 'card'],
  ])('refuses %s, and charges nothing', async (_what, body, field) => {
    const { service, pay } = await startForm()
    await service.refuses(() => pay(body), 400, { [field]: expect.any(String) as string })
  })

  it('takes a card to the end of its month, wherever on earth that is', async () => {
    const { service, pay } = await startForm()
    const now = new Date(service.clock.now())
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12)
    const expiry = `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${String(now.getUTCFullYear() % 100)}`
    service.clock.advance(end - now.getTime() - 1)
    expect((await pay({ card: DECLINED, expiry })).data.status).toBe('FAILED')
    service.clock.advance(1)
    await service.refuses(() => pay({ card: CARD, expiry }), 400, { expiry: 'is in the past' })
  })
})
