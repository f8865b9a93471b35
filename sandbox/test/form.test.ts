import { describe, expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import {
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  DECLINED,
  NEEDS_CVV,
  Service,
  type Answer,
} from './support/service.js'

const ENTRY = { expiry: '12/34', holder: 'Jane Doe', cvv: '123' }

/** What a browser at the form asks for: it has no key. */
function formOf(service: Service, id: string) {
  const path = `/vault/form/${id}/`
  return {
    state: (): Promise<Answer> => service.call('GET', `${path}state/`, { key: undefined }),
    pay: (body: unknown): Promise<Answer> => service.call('POST', `${path}pay/`, { key: undefined, body }),
  }
}

async function formFor(service: Service, fields: object = {}) {
  const { id } = (await service.intent(fields)).data
  return formOf(service, id)
}

describe('The page of the hosted form', () => {
  it('is at the embed_url of a payment, and of a card token intent', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const intents = [await service.intent(), await service.post(CARD_TOKENS, { customer })]
    for (const { data } of intents) {
      expect(data.embed_url).toBe(`${service.sandbox.url}/vault/form/${data.id}/`)
      const response = await fetch(data.embed_url!)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain('<title>Payment form</title>')
    }
  })

  it('is 404 where there is no such intent, and says so itself', async () => {
    const service = await Service.start()
    const response = await fetch(`${service.sandbox.url}/vault/form/int_none/`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('<title>Payment form</title>')
  })

  it('loads nothing from elsewhere, runs nothing inline, and hides its address', async () => {
    const service = await Service.start()
    const { embed_url } = (await service.intent()).data
    const { headers } = await fetch(embed_url!)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "frame-ancestors *; base-uri 'none'; form-action 'none'",
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['form/form.js', 'application/javascript; charset=utf-8'],
    ['form/form.css', 'text/css; charset=utf-8'],
    ['form/icon.svg', 'image/svg+xml'],
  ])('serves its file %s as %s, which no other page can frame', async (file, type) => {
    const service = await Service.start()
    const response = await fetch(`${service.sandbox.url}/vault/assets/${file}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await response.text()).length).toBeGreaterThan(100)
  })

  it('is not among its own files, and no file of another folder is', async () => {
    const service = await Service.start()
    for (const file of ['form/index.html', 'form/sdk.js', 'sdk/card-form.html']) {
      expect((await fetch(`${service.sandbox.url}/vault/assets/${file}`)).status).toBe(404)
    }
  })
})

describe('What the hosted form shows', () => {
  it('of a payment: the amount, and the id where the merchant gave no reference', async () => {
    const service = await Service.start()
    const { id } = (await service.intent({ amount: 12.5 })).data
    const { data } = await formOf(service, id).state()
    expect(data).toEqual({
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

  it('of a card token intent: that a card is kept, and nothing of a payment', async () => {
    const service = await Service.start()
    const { id } = (await service.post(CARD_TOKENS, { customer: await service.customer() })).data
    expect((await formOf(service, id).state()).data).toMatchObject({
      kind: 'card',
      status: 'CREATED',
      is_open: true,
      amount: null,
      amount_currency: null,
      amount_decimals: null,
      reference: id,
      save_card: 'automatic',
      is_card_settled: false,
      saved_cards: [],
    })
  })

  it.each([
    [{ reference: 'Order 7' }, 'Order 7'],
    [{ reference: '' }, undefined],
    [{ reference: 7 }, undefined],
    [{ order: 'Order 7' }, undefined],
  ])('with the custom fields %j: the reference %s', async (custom_fields, reference) => {
    const service = await Service.start()
    const { id } = (await service.intent({ custom_fields })).data
    expect((await formOf(service, id).state()).data['reference']).toBe(reference ?? id)
  })

  it.each([
    ['https://shop.example/orders/7?paid=1', 'https://shop.example/orders/7?paid=1'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['javascript:alert(1)', null],
    ['data:text/html,paid', null],
    ['https://shop.example@evil.example/', null],
    ['https://:secret@shop.example/', null],
    ['/orders/7', null],
    ['', null],
    [7, null],
  ])('with the return_url %j: the way back %s', async (return_url, expected) => {
    const service = await Service.start()
    const { id } = (await service.intent({ custom_fields: { return_url } })).data
    expect((await formOf(service, id).state()).data['return_url']).toBe(expected)
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
    const form = await formFor(service, { customer: await service.customer(), ...flags })
    expect((await form.state()).data['save_card']).toBe(expected)
  })

  it('of the customer: the saved cards, by brand and last four digits, until one is deleted', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const token = await service.savedCard(customer)
    await service.savedCard(await service.customer())
    const form = await formFor(service, { customer })
    expect((await form.state()).data.saved_cards).toEqual([{ id: token, brand: 'Visa', last_four: '4242' }])
    await service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: token })
    expect((await form.state()).data.saved_cards).toEqual([])
    const charged = await form.pay({ cardToken: token })
    expect([charged.code, charged.status.errors]).toEqual([404, [{ cardToken: 'Card token not found' }]])
  })

  it('of an intent that names a saved card: that card alone, while a step is left', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: NEEDS_CVV })
    await service.savedCard(customer)
    const form = await formFor(service, { customer, card_token })
    expect((await form.state()).data).toMatchObject({
      status: 'AWAITING_CVV',
      is_card_settled: true,
      card: { brand: 'Visa', last_four: '0127' },
      saved_cards: [],
    })
    expect((await form.pay({ card: CARD, ...ENTRY })).status.errors).toEqual([
      { card: 'is settled: the intent charges a saved card' },
    ])
    expect((await form.pay({ cvv: '123' })).data).toMatchObject({ status: 'PROCESSED', is_open: false })
  })

  it('of an unknown id: nothing', async () => {
    const service = await Service.start()
    const form = formOf(service, 'int_none')
    expect((await form.state()).code).toBe(404)
    expect((await form.pay({ card: CARD })).code).toBe(404)
  })
})

describe('Paying at the hosted form', () => {
  it('pays, tells the merchant, and then takes nothing more', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    await service.savedCard(customer)
    const form = await formFor(service, { customer, webhook_url: endpoint.url })
    expect((await form.state()).data.saved_cards).toHaveLength(1)
    expect((await form.pay({ card: '4242 4242 4242 4242', ...ENTRY })).data).toMatchObject({
      status: 'PROCESSED',
      is_open: false,
      saved_cards: [],
    })
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])

    const again = await form.pay({ card: CARD, ...ENTRY })
    expect(again.code).toBe(409)
    await service.sandbox.drained()
    expect(endpoint.types).toHaveLength(2)
  })

  it('says why it was declined, and can be tried again', async () => {
    const service = await Service.start()
    const form = await formFor(service)
    expect((await form.pay({ card: DECLINED, ...ENTRY })).data).toMatchObject({
      status: 'FAILED',
      is_open: true,
      failure: 'The card was declined',
    })
    expect((await form.pay({ card: CARD, ...ENTRY })).data).toMatchObject({
      status: 'PROCESSED',
      failure: null,
    })
  })

  it('shows the card that 3DS is for, and goes on with what became of it', async () => {
    const service = await Service.start()
    const form = await formFor(service)
    expect((await form.pay({ card: CHALLENGED, ...ENTRY })).data).toMatchObject({
      status: 'AWAITING_CHALLENGE',
      card: { brand: 'Visa', last_four: '3220' },
    })
    expect((await form.pay({ challenge: 'pass' })).data).toMatchObject({ status: 'PROCESSED', card: null })
  })

  it('keeps a card for a card token intent', async () => {
    const service = await Service.start()
    const { id } = (await service.post(CARD_TOKENS, { customer: await service.customer() })).data
    const { data } = await formOf(service, id).pay({ card: CARD, ...ENTRY })
    expect(data).toMatchObject({ kind: 'card', status: 'PROCESSED', is_open: false })
    expect((await service.get(`${CARD_TOKENS}intents/${id}/`)).data.card_token).toMatch(/^tok_/)
  })

  it.each([
    ['no test number', { card: '4111111111111111' }, 'card'],
    ['a number that is not text', { card: 4242424242424242 }, 'card'],
    ['an expiry of another form', { card: CARD, expiry: '1/34' }, 'expiry'],
    ['no such month', { card: CARD, expiry: '13/34' }, 'expiry'],
    ['an expiry that is longer', { card: CARD, expiry: '12/2034' }, 'expiry'],
    ['an expiry in the past', { card: CARD, expiry: '12/20' }, 'expiry'],
    ['a name of spaces', { card: CARD, holder: '  ' }, 'holder'],
    ['a name without end', { card: CARD, holder: 'a'.repeat(101) }, 'holder'],
    ['a CVV of letters', { card: CARD, cvv: 'abc' }, 'cvv'],
    ['another outcome of 3DS', { challenge: 'maybe' }, 'challenge'],
    ['the provider, which is not theirs to choose', { card: CARD, provider: 'east' }, 'provider'],
    ['a field that is not known', { card: CARD, amount: 1 }, 'amount'],
    ['nothing', {}, 'card'],
  ])('refuses %s, and charges nothing', async (_what, body, field) => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    const answer = await formOf(service, id).pay(body)
    expect(answer.code).toBe(400)
    expect(answer.status.errors.map((error) => Object.keys(error))).toEqual([[field]])
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data).toMatchObject({
      status: 'CREATED',
      transactions: [],
    })
  })

  it('takes a card to the end of its month, wherever on earth that is', async () => {
    const service = await Service.start()
    const form = await formFor(service)
    const now = new Date(service.clock.now())
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12)
    const expiry = `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${String(now.getUTCFullYear() % 100)}`
    service.clock.advance(end - now.getTime() - 1)
    expect((await form.pay({ card: DECLINED, expiry })).data.status).toBe('FAILED')
    service.clock.advance(1)
    expect((await form.pay({ card: CARD, expiry })).status.errors).toEqual([{ expiry: 'is in the past' }])
  })

  it('takes nothing from a page of another origin, and no form that is not JSON', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    const url = `${service.sandbox.url}/vault/form/${id}/pay/`
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { Origin: 'http://evil.example' } })
    expect(preflight.status).toBe(405)
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    const posted = await fetch(url, { method: 'POST', body: new URLSearchParams({ card: CARD }) })
    expect(posted.status).toBe(415)
    expect((await formOf(service, id).state()).data.status).toBe('CREATED')
  })

  it('repeats neither a number nor a CVV, whether it is taken or refused', async () => {
    const service = await Service.start()
    const form = await formFor(service)
    const answers = [
      await form.pay({ card: '4929123456781234', ...ENTRY, cvv: '8642' }),
      await form.pay({ card: DECLINED, ...ENTRY, cvv: '8642' }),
      await form.pay({ card: CHALLENGED, ...ENTRY, cvv: '8642' }),
      await form.state(),
    ]
    const everything = [...answers.map(({ text }) => text), ...service.lines].join('\n')
    for (const secret of ['4929123456781234', DECLINED, CHALLENGED, '8642']) {
      expect(everything).not.toContain(secret)
    }
    for (const key of [...Object.values(service.sandbox.apiKeys), service.sandbox.secret]) {
      expect(everything).not.toContain(key)
    }
  })
})
