import { describe, expect, it } from 'vitest'
import { CARD, CARD_TOKENS, CHALLENGED, NEEDS_CVV, Service } from '../support/service.js'

const ENTRY = { expiry: '12/34', holder: 'Jane Doe', cvv: '123' }
const NO_FLAG = { saveCard: 'needs allow_tokenize_card on the intent' }
const NOT_TICKED = { saveCard: 'must be true: the checkbox is mandatory' }
const MANDATORY = { show_mandatory_save_card_checkbox: true }

async function cardIntent(service: Service, fields: object = {}): Promise<string> {
  const body = { customer: await service.customer(), ...fields }
  return (await service.post(CARD_TOKENS, body)).data.id
}

/** The requests that the SDK sends with a public key. */
function vaultOf(service: Service, key: string) {
  const collect = (body: object) => service.post('/vault/cards/', body, key)
  return {
    collect,
    collected: async (card = CARD) => (await collect({ card, ...ENTRY })).data.id,
    pay: (id: string, body: object) => service.post(`/vault/intents/${id}/pay/`, body, key),
    createCardToken: (id: string, body: object) =>
      service.post(`/vault/card-intents/${id}/card-token/`, body, key),
  }
}

/** A sandbox with an intent, and the requests of its SDK and of that of another account. */
async function startVault() {
  const service = await Service.start()
  const { id } = (await service.intent()).data
  const vault = vaultOf(service, service.sandbox.apiKeys.public)
  const foreign = vaultOf(service, (await service.account('B')).public_api_key)
  return { service, id, vault, foreign }
}

describe('Pages of other origins', () => {
  it('may load /sdk.js as a module, and show its card form, which loads nothing from elsewhere', async () => {
    const { sandbox } = await Service.start()
    const sdk = await fetch(`${sandbox.url}/sdk.js`)
    expect(sdk.headers.get('content-type')).toMatch(/^(text|application)\/javascript; charset=utf-8$/)
    expect(sdk.headers.get('access-control-allow-origin')).toBe('*')
    expect(sdk.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(await sdk.text()).toContain('export class Client')
    const form = await fetch(`${sandbox.url}/vault/card-form/`)
    expect(form.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = form.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('frame-ancestors *')
  })

  it.each(['/vault/intents/any/pay/', '/vault/card-intents/any/card-token/'])(
    'may call %s, with no credentials but the key',
    async (path) => {
      const service = await Service.start()
      const preflight = await service.call('OPTIONS', path, { key: undefined })
      expect(preflight.code).toBe(200)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
      expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type, X-Api-Key')
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
      for (const [key, code] of [
        [undefined, 401],
        [service.sandbox.apiKeys.public, 404],
      ] as const) {
        const answer = await service.refuses(() => service.call('POST', path, { key, body: {} }), code)
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      }
    },
  )
})

describe('The key of a call to the vault', () => {
  const secret = 'is a secret key, which must never be in a browser: send the public key of the account'

  it.each([
    ['missing', () => undefined, 401, 'is missing'],
    ['empty', () => '', 401, 'is missing'],
    ['unknown', () => 'public_key_0000', 401, 'is not known'],
    ['the account key', (s: Service) => s.sandbox.apiKeys.account, 403, secret],
    ['the organization key', (s: Service) => s.sandbox.apiKeys.organization, 403, secret],
    ['a joined organization key', (s: Service) => s.composite(false), 403, secret],
    [
      'revoked',
      async (s: Service) => {
        const { data } = await s.post('/_sandbox/keys/', { type: 'account' })
        await s.post(`/_sandbox/keys/${data.id}/revoke/`)
        return data.public_api_key
      },
      401,
      'is revoked',
    ],
  ])('is refused, and nothing is paid or saved: %s', async (_, keyOf, code, problem) => {
    const { service, id, vault } = await startVault()
    const other = await cardIntent(service)
    const cardData = await vault.collected()
    const key = await keyOf(service)
    for (const [path, body] of [
      ['/vault/cards/', { card: CARD }],
      [`/vault/intents/${id}/pay/`, { cardData }],
      [`/vault/card-intents/${other}/card-token/`, { cardData }],
    ] as const) {
      const call = () => service.call('POST', path, { key, body })
      await service.refuses(call, code, { 'X-Api-Key': problem })
    }
  })

  // Specification: public-key
  it('finds intents of its own account and mode only, and pays those', async () => {
    const { service, id, vault, foreign } = await startVault()
    const card = await cardIntent(service)
    const live = (await service.intent({}, service.composite(true))).data.id
    const cardData = await vault.collected()
    for (const call of [
      () => foreign.pay(id, { cardData }),
      () => foreign.createCardToken(card, { cardData }),
      () => vault.pay(live, { cardData }),
    ])
      await service.refuses(call, 404, { id: 'Intent not found' })
    expect((await vault.pay(id, { cardData })).data.status).toBe('PROCESSED')
  })
})

describe('Collected card data', () => {
  it('is an id, and what a page may show of the card', async () => {
    const { service, vault } = await startVault()
    const { data, text } = await vault.collect({ card: '4242-4242-4242-4242', ...ENTRY, cvv: '8642' })
    expect(data).toEqual({ id: expect.stringMatching(/^cdt_/) as string, brand: 'Visa', last_four: '4242' })
    expect(text + service.lines.join()).not.toContain('8642')
    expect(JSON.stringify(await service.state())).not.toContain(data.id)
  })

  it.each([
    ['no card', {}, 'card'],
    ['a field that is not known', { card: CARD, saveCard: true }, 'saveCard'],
  ])('is not made of %s', async (_what, body, field) => {
    const { service, vault } = await startVault()
    await service.refuses(() => vault.collect(body), 400, { [field]: expect.any(String) as string })
  })

  it('is for one use, by the account and mode that collected it', async () => {
    const { service, id: paid, vault, foreign } = await startVault()
    const used = await vault.collected()
    expect((await vault.pay(paid, { cardData: used })).data.status).toBe('PROCESSED')
    const { id } = (await service.intent()).data
    for (const cardData of [await foreign.collected(), used, 'cdt_none'])
      await service.refuses(() => vault.pay(id, { cardData }), 400, {
        cardData: 'is not known, or was used already: collect the card again',
      })
  })

  it.each([
    [{}, { saveCard: true }, 400, NO_FLAG],
    [{ show_save_card_checkbox: true }, { saveCard: true }, 400, NO_FLAG],
    [{ tokenize_card: true }, { saveCard: true }, 400, NO_FLAG],
    [MANDATORY, {}, 400, NO_FLAG],
    [MANDATORY, { saveCard: true }, 400, NO_FLAG],
    [{ ...MANDATORY, allow_tokenize_card: true }, {}, 400, NOT_TICKED],
    ['paid', {}, 409, { id: 'is completed already' }],
  ])('is not used up by a call that is refused: %j with %j', async (intent, body, code, problem) => {
    const { service, vault } = await startVault()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, ...(typeof intent === 'object' && intent) })).data
    if (intent === 'paid') await service.pay(id)
    const cardData = await vault.collected()
    await service.refuses(() => vault.pay(id, { cardData, ...body }), code, problem)
    const next = (await service.intent({ customer, allow_tokenize_card: true })).data.id
    expect((await vault.pay(next, { cardData, saveCard: true })).data.status).toBe('PROCESSED')
  })
})

describe('The calls to the vault', () => {
  // Specification: card-intent
  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])(
    'save a card with the card_token_type of the card intent: %s',
    async (card_token_type) => {
      const { service, vault } = await startVault()
      const id = await cardIntent(service, { card_token_type })
      const { card_token } = (await vault.createCardToken(id, { cardData: await vault.collected() })).data
      expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data.card_token_type).toBe(card_token_type)
    },
  )

  it('do without the CVV only where the card does', async () => {
    const { id, vault } = await startVault()
    for (const [fields, status] of [
      [{}, 'AWAITING_CVV'],
      [{ cvv: '123' }, 'PROCESSED'],
    ] as const) {
      const cardData = (await vault.collect({ card: NEEDS_CVV, ...fields })).data.id
      expect((await vault.pay(id, { cardData })).data.status).toBe(status)
    }
  })

  it('answer with the status, its reason and the token', async () => {
    const { service, vault } = await startVault()
    const id = await cardIntent(service)
    const shown = { id, failure: null, card_token: null }
    const first = await vault.createCardToken(id, { cardData: await vault.collected(CHALLENGED) })
    expect(first.data).toEqual({ ...shown, status: 'AWAITING_CHALLENGE' })
    const { data } = await vault.createCardToken(id, { challenge: 'fail' })
    expect(data).toEqual({ ...shown, status: 'FAILED', failure: 'The challenge was not passed' })
  })

  it.each([
    ['nothing', {}],
    ['a card number', { card: CARD }],
    ['a saved card', { cardToken: 'tok_any' }],
    ['a card that is not text', { cardData: { id: 'cdt_any' } }],
    ['saveCard that is not a boolean', { cardData: 'cdt_any', saveCard: 'true' }],
  ])('refuse to pay with %s', async (_what, body) => {
    const { service, id, vault } = await startVault()
    await service.refuses(() => vault.pay(id, body), 400)
  })

  it('refuse an intent of the other kind, saveCard for a card token, and a card token that is made already', async () => {
    const { service, id, vault } = await startVault()
    const card = await cardIntent(service)
    const cardData = await vault.collected()
    await service.refuses(() => vault.pay(card, { cardData }), 404, {
      id: 'This is a card token intent: use createCardToken',
    })
    await service.refuses(() => vault.createCardToken(id, { cardData }), 404, {
      id: 'This is a payment intent: use pay',
    })
    await service.refuses(() => vault.createCardToken(card, { cardData, saveCard: true }), 400)
    expect((await vault.createCardToken(card, { cardData })).code).toBe(200)
    const next = await vault.collected()
    await service.refuses(() => vault.createCardToken(card, { cardData: next }), 409)
  })
})
