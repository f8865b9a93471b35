import { describe, expect, it } from 'vitest'
import { manualClock } from '../server/index.js'
import { getCollectedCard } from '../server/cards/cards.js'
import { checkOptions } from '../server/options.js'
import { RunningService as InnerService } from '../server/service.js'
import { Endpoint } from './support/endpoint.js'
import { ACCOUNTS, CARD, CARD_TOKENS, CHALLENGED, DECLINED, Service, type Answer } from './support/service.js'
import { COLLECTED_CARDS } from '../server/cards/cards.js'

const ENTRY = { expiry: '12/34', holder: 'Jane Doe', cvv: '123' }

/** The calls of the SDK, with the public key unless told otherwise. */
function sdkOf(service: Service, key: string | undefined = service.sandbox.apiKeys.public) {
  const post = (path: string) => (body: unknown) => service.call('POST', path, { key, body })
  return {
    collect: post('/vault/cards/'),
    pay: (id: string, body: unknown): Promise<Answer> => post(`/vault/intents/${id}/pay/`)(body),
    createCardToken: (id: string, body: unknown): Promise<Answer> =>
      post(`/vault/card-intents/${id}/card-token/`)(body),
    async collected(card: string): Promise<string> {
      return (await this.collect({ card, ...ENTRY })).data.id
    },
  }
}

async function cardIntent(service: Service, fields: object = {}): Promise<string> {
  const body = { customer: await service.customer(), ...fields }
  return (await service.post(CARD_TOKENS, body)).data.id
}

/** A second account, with a valid public key. */
async function otherPublicKey(service: Service): Promise<string> {
  const { data } = await service.post(ACCOUNTS, { name: 'B' }, service.sandbox.apiKeys.organization)
  return data.public_api_key
}

describe('/sdk.js', () => {
  it('is a module that pages of every origin may load', async () => {
    const service = await Service.start()
    const response = await fetch(`${service.sandbox.url}/sdk.js`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript; charset=utf-8$/)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(await response.text()).toContain('export class Client')
  })

  it('shows its card form in a frame, on a page that loads nothing from elsewhere', async () => {
    const service = await Service.start()
    const response = await fetch(`${service.sandbox.url}/vault/card-form/`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('content-security-policy')).toContain('frame-ancestors *')
  })
})

describe('The public key', () => {
  const CALLS = [
    ['collect', (service: Service, key: string | undefined) => keyed(service, key).collect({ card: CARD })],
    [
      'pay',
      async (service: Service, key: string | undefined) => {
        const { id } = (await service.intent()).data
        const cardData = await sdkOf(service).collected(CARD)
        const answer = await keyed(service, key).pay(id, { cardData })
        expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.transactions).toEqual([])
        return answer
      },
    ],
    [
      'createCardToken',
      async (service: Service, key: string | undefined) => {
        const id = await cardIntent(service)
        const cardData = await sdkOf(service).collected(CARD)
        const answer = await keyed(service, key).createCardToken(id, { cardData })
        expect((await service.get(`${CARD_TOKENS}intents/${id}/`)).data.status).toBe('CREATED')
        return answer
      },
    ],
  ] as const

  function keyed(service: Service, key: string | undefined) {
    const call = (path: string, body: unknown) => service.call('POST', path, { key, body })
    return {
      collect: (body: unknown) => call('/vault/cards/', body),
      pay: (id: string, body: unknown) => call(`/vault/intents/${id}/pay/`, body),
      createCardToken: (id: string, body: unknown) => call(`/vault/card-intents/${id}/card-token/`, body),
    }
  }

  describe.each(CALLS)('of %s', (_name, call) => {
    it.each([
      ['missing', undefined],
      ['empty', ''],
      ['unknown', 'public_key_0000'],
    ])('is refused with 401 where it is %s', async (_what, key) => {
      const service = await Service.start()
      expect((await call(service, key)).code).toBe(401)
    })

    it('is refused with 401 once it is revoked', async () => {
      const service = await Service.start()
      const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
      const key = data.public_api_key
      await service.post(`/_sandbox/keys/${data.id}/revoke/`)
      const answer = await call(service, key)
      expect([answer.code, answer.status.errors]).toEqual([401, [{ 'X-Api-Key': 'is revoked' }]])
    })

    it.each([
      ['an account', (service: Service) => service.sandbox.apiKeys.account],
      ['the organization', (service: Service) => service.sandbox.apiKeys.organization],
      ['the organization for an account', (service: Service) => service.composite(false)],
    ])('is refused with 403 where it is the secret key of %s', async (_what, keyOf) => {
      const service = await Service.start()
      const answer = await call(service, keyOf(service))
      expect(answer.code).toBe(403)
      expect(answer.status.errors).toEqual([
        {
          'X-Api-Key':
            'is a secret key, which must never be in a browser: send the public key of the account',
        },
      ])
    })
  })

  it.each(CALLS.slice(1))("of %s finds no intent of another account's", async (_name, call) => {
    const service = await Service.start()
    const answer = await call(service, await otherPublicKey(service))
    expect([answer.code, answer.status.errors]).toEqual([404, [{ id: 'Intent not found' }]])
  })

  it('finds no intent of live mode, since it is for test mode', async () => {
    const service = await Service.start()
    const { id } = (await service.intent({}, service.composite(true))).data
    const sdk = sdkOf(service)
    expect((await sdk.pay(id, { cardData: await sdk.collected(CARD) })).code).toBe(404)
  })
})

describe('Calls from pages of other origins', () => {
  it.each(['/vault/intents/any/pay/', '/vault/card-intents/any/card-token/'])(
    'are allowed to %s, with no credentials but the key',
    async (path) => {
      const service = await Service.start()
      const preflight = await service.call('OPTIONS', path, { key: undefined })
      expect(preflight.code).toBe(200)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
      expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type, X-Api-Key')
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
      for (const key of [undefined, service.sandbox.apiKeys.public]) {
        const answer = await service.call('POST', path, { key, body: {} })
        expect(answer.code).toBe(key === undefined ? 401 : 404)
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      }
    },
  )

  it.each(['/vault/cards/', '/api/v1.4/payments/intent/', '/_sandbox/keys/'])(
    'are not allowed to %s',
    async (path) => {
      const service = await Service.start()
      const preflight = await service.call('OPTIONS', path, { isUnlisted: true })
      expect(preflight.code).toBe(405)
      const answer = await service.call('POST', path, { key: service.sandbox.apiKeys.public, body: {} })
      expect(answer.code).toBeGreaterThanOrEqual(400)
      for (const { headers } of [preflight, answer]) {
        expect(headers.get('access-control-allow-origin')).toBeNull()
      }
    },
  )
})

describe('collect', () => {
  it('gives an id that stands for the card, and what a page may show of it', async () => {
    const service = await Service.start()
    const { data, text } = await sdkOf(service).collect({
      card: '4242-4242-4242-4242',
      ...ENTRY,
      cvv: '8642',
    })
    expect(data).toEqual({ id: expect.stringMatching(/^cdt_/) as string, brand: 'Visa', last_four: '4242' })
    expect(text).not.toContain('8642')
    expect(service.lines.join()).not.toContain('8642')
    const { text: state } = await service.get('/_sandbox/overview/')
    expect(state).not.toContain(data.id)
  })

  it.each([
    ['no card', {}, 'card'],
    ['no test number', { card: '4111111111111111' }, 'card'],
    ['an expiry in the past', { card: CARD, expiry: '12/20' }, 'expiry'],
    ['a CVV of letters', { card: CARD, cvv: 'abc' }, 'cvv'],
    ['a name of spaces', { card: CARD, holder: ' ' }, 'holder'],
    ['a field that is not known', { card: CARD, saveCard: true }, 'saveCard'],
  ])('refuses %s', async (_what, body, field) => {
    const service = await Service.start()
    const answer = await sdkOf(service).collect(body)
    expect(answer.code).toBe(400)
    expect(answer.status.errors.map((error) => Object.keys(error))).toEqual([[field]])
  })

  it('keeps a thousand cards, and lets go of the oldest first', () => {
    const scope = { accountId: 'acc', isLive: false }
    const card = { brand: 'Visa', lastFour: '4242', isChallenged: false, needsCvv: false }
    const service = new InnerService(checkOptions({ clock: manualClock() }))
    for (let count = 0; count <= 1000; count++) {
      service.store.insert(COLLECTED_CARDS, { id: `cdt_${count}`, scope, card, hasCvv: true })
    }
    const get = (id: string, of = scope) => getCollectedCard(service, id, of)
    expect(() => get('cdt_0')).toThrow('cardData: is not known, or was used already')
    expect(get('cdt_1').card).toBe(card)
    expect(() => get('cdt_2', { ...scope, isLive: true })).toThrow('cardData: is not known')
  })
})

describe('pay', () => {
  it('pays with what was collected, and tells the merchant', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const sdk = sdkOf(service)
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    const { data } = await sdk.pay(id, { cardData: await sdk.collected(CARD) })
    expect(data).toEqual({ id, status: 'PROCESSED', failure: null, card_token: null })
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
  })

  it('saves the card where allow_tokenize_card is set', async () => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, allow_tokenize_card: true })).data
    const { data } = await sdk.pay(id, { cardData: await sdk.collected(CARD), saveCard: true })
    const { list } = await service.get(`/api/v1.4/customers/${customer}/cards/`)
    expect(list.map((card) => card.id)).toEqual([data.card_token])
  })

  it.each([{}, { show_save_card_checkbox: true }, { tokenize_card: true }])(
    'refuses saveCard without allow_tokenize_card, whatever the form would do: %j',
    async (flags) => {
      const service = await Service.start()
      const sdk = sdkOf(service)
      const { id } = (await service.intent({ customer: await service.customer(), ...flags })).data
      const cardData = await sdk.collected(CARD)
      const answer = await sdk.pay(id, { cardData, saveCard: true })
      expect(answer.code).toBe(400)
      expect(answer.status.errors).toEqual([{ saveCard: 'needs allow_tokenize_card on the intent' }])
      // The card was not used up.
      expect((await sdk.pay(id, { cardData })).data.status).toBe('PROCESSED')
    },
  )

  it.each([
    ['the mandatory checkbox', { show_mandatory_save_card_checkbox: true, allow_tokenize_card: true }],
    ['a paid intent', {}],
  ])('does not use the card up if it refuses the call: %s', async (what, flags) => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, ...flags })).data
    if (what === 'a paid intent') await service.pay(id)
    const cardData = await sdk.collected(CARD)
    expect((await sdk.pay(id, { cardData })).code).toBe(what === 'a paid intent' ? 409 : 400)
    const next = (await service.intent({ customer, allow_tokenize_card: true })).data.id
    expect((await sdk.pay(next, { cardData, saveCard: true })).data.status).toBe('PROCESSED')
    // It can be used once.
    const third = (await service.intent()).data.id
    expect((await sdk.pay(third, { cardData })).code).toBe(400)
  })

  it.each([{}, { saveCard: true }])(
    'says that a mandatory checkbox needs allow_tokenize_card in the SDK, whatever saveCard is: %j',
    async (body) => {
      const service = await Service.start()
      const sdk = sdkOf(service)
      const customer = await service.customer()
      const { id } = (await service.intent({ customer, show_mandatory_save_card_checkbox: true })).data
      const { code, status } = await sdk.pay(id, { cardData: await sdk.collected(CARD), ...body })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ saveCard: 'needs allow_tokenize_card on the intent' }])
    },
  )

  it('does without the CVV only where the card does', async () => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const { id } = (await service.intent()).data
    const bare = (await sdk.collect({ card: '4000000000000127' })).data.id
    expect((await sdk.pay(id, { cardData: bare })).data.status).toBe('AWAITING_CVV')
    const whole = (await sdk.collect({ card: '4000000000000127', cvv: '123' })).data.id
    expect((await sdk.pay(id, { cardData: whole })).data.status).toBe('PROCESSED')
  })

  it('says why a card was declined', async () => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const { id } = (await service.intent()).data
    const { data } = await sdk.pay(id, { cardData: await sdk.collected(DECLINED) })
    expect(data).toEqual({ id, status: 'FAILED', failure: 'The card was declined', card_token: null })
  })

  it('takes a collected card once, and only from the account that collected it', async () => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const other = sdkOf(service, await otherPublicKey(service))
    const foreign = await other.collected(CARD)
    const used = await sdk.collected(CARD)
    const first = (await service.intent()).data.id
    expect((await sdk.pay(first, { cardData: used })).data.status).toBe('PROCESSED')
    const { id } = (await service.intent()).data
    for (const cardData of [foreign, used, 'cdt_none']) {
      const answer = await sdk.pay(id, { cardData })
      expect([answer.code, answer.status.errors]).toEqual([
        400,
        [{ cardData: 'is not known, or was used already: collect the card again' }],
      ])
    }
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.transactions).toEqual([])
  })

  it.each([
    ['nothing', {}, 400],
    ['a card number', { card: CARD }, 400],
    ['a saved card', { cardToken: 'tok_any' }, 400],
    ['a card that is not text', { cardData: { id: 'cdt_any' } }, 400],
    ['saveCard that is not a boolean', { cardData: 'cdt_any', saveCard: 'true' }, 400],
  ])('refuses %s', async (_what, body, code) => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    expect((await sdkOf(service).pay(id, body)).code).toBe(code)
  })

  it('refuses what is paid already, and a card token intent', async () => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const { id } = (await service.intent()).data
    await service.pay(id)
    expect((await sdk.pay(id, { cardData: await sdk.collected(CARD) })).code).toBe(409)
    const answer = await sdk.pay(await cardIntent(service), { cardData: await sdk.collected(CARD) })
    expect([answer.code, answer.status.errors]).toEqual([
      404,
      [{ id: 'This is a card token intent: use createCardToken' }],
    ])
  })
})

describe('createCardToken', () => {
  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])('keeps a card as %s', async (card_token_type) => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const id = await cardIntent(service, { card_token_type })
    const { data } = await sdk.createCardToken(id, { cardData: await sdk.collected(CARD) })
    expect(data).toMatchObject({ id, status: 'PROCESSED', failure: null })
    const token = await service.get(`${CARD_TOKENS}${data.card_token!}/`)
    expect(token.data.card_token_type).toBe(card_token_type)
  })

  it('goes on after 3DS with what became of it', async () => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const id = await cardIntent(service)
    const first = await sdk.createCardToken(id, { cardData: await sdk.collected(CHALLENGED) })
    expect(first.data).toEqual({ id, status: 'AWAITING_CHALLENGE', failure: null, card_token: null })
    const { data } = await sdk.createCardToken(id, { challenge: 'fail' })
    expect(data).toEqual({ id, status: 'FAILED', failure: 'The challenge was not passed', card_token: null })
  })

  it('refuses saveCard, a payment intent, and what is done already', async () => {
    const service = await Service.start()
    const sdk = sdkOf(service)
    const id = await cardIntent(service)
    const cardData = await sdk.collected(CARD)
    expect((await sdk.createCardToken(id, { cardData, saveCard: true })).code).toBe(400)
    const payment = (await service.intent()).data.id
    const answer = await sdk.createCardToken(payment, { cardData })
    expect([answer.code, answer.status.errors]).toEqual([404, [{ id: 'This is a payment intent: use pay' }]])
    expect((await sdk.createCardToken(id, { cardData })).code).toBe(200)
    expect((await sdk.createCardToken(id, { cardData: await sdk.collected(CARD) })).code).toBe(409)
  })
})
