import { describe, expect, it } from 'vitest'
import { send } from '../support/send.js'
import {
  ACCOUNTS,
  CARD,
  CARD_TOKENS,
  CUSTOMERS,
  INTENTS,
  NEEDS_CVV,
  Service,
  SIGNATURE_KEY,
} from '../support/service.js'

const LOG = '/_sandbox/newest/requests/'
const CALL = '/_sandbox/requests/'

/** By id, with what was sent and answered. */
async function newest(service: Service) {
  const [last] = (await service.get(`${LOG}?limit=1`)).list
  return (await service.get(`${CALL}${last!.id}/`)).data
}

async function paths(service: Service, query = ''): Promise<readonly unknown[]> {
  return (await service.get(`${LOG}${query}`)).list.map(({ path }) => path)
}

describe('The log of requests', () => {
  it('has each call of the API, with its body and its answer', async () => {
    const service = await Service.start()
    const { data, text } = await service.intent({ custom_fields: { order: 'A1' } })
    const [listed] = (await service.get(LOG)).list
    const call = { method: 'POST', path: INTENTS, operation: INTENTS, status: 200, error: null }
    const caller = { account: service.sandbox.accountId, is_live: false }
    expect(listed).toEqual({
      id: expect.stringMatching(/^req_\d+$/) as string,
      at: new Date(service.clock.now()).toISOString().replace('Z', '000Z'),
      duration_ms: expect.any(Number) as number,
      ...call,
      ...caller,
    })
    const request_body =
      '{"amount":10,"amount_currency":"EUR","operation":"purchase","custom_fields":{"order":"A1"}}'
    expect(await newest(service)).toEqual({ ...listed, request_body, response_body: text })
    const path = `${INTENTS}${data.id}/`
    await service.get(path)
    expect(await newest(service)).toMatchObject({ path, operation: `${INTENTS}:id/`, request_body: null })
  })

  it('has refused calls and paths that do not exist, and the account only of a key that is known', async () => {
    const service = await Service.start()
    const { apiKeys, accountId: account } = service.sandbox
    const noAccount = { account: null, is_live: null }
    const noKey = { ...noAccount, status: 401, error: 'X-Api-Key is not known' }
    const noPath = 'There is nothing like this; every path under /api/ and /direct/ ends with a slash'
    const noJson = 'body is not JSON, or is nested deeper than 64 levels'
    for (const [method, path, options, expected] of [
      ['GET', CUSTOMERS, { key: service.composite(true) }, { account, is_live: true }],
      ['GET', ACCOUNTS, { key: apiKeys.organization }, noAccount],
      ['GET', CUSTOMERS, { key: 'unknown' }, noKey],
      ['GET', '/api/no/?a=b', { isUnlisted: true }, { status: 404, error: noPath, operation: null }],
      ['POST', INTENTS, { body: '{"amount":' }, { status: 400, error: noJson, request_body: null }],
      ['DELETE', INTENTS, { isUnlisted: true }, { status: 405 }],
    ] as const) {
      await service.call(method, path, options)
      expect(await newest(service)).toMatchObject({ method, path, ...expected })
    }
  })

  it('has the time of a call under a foreign Host', async () => {
    const service = await Service.start()
    const { status } = await send(service.sandbox.url, INTENTS, { headers: { Host: 'evil.example' } })
    expect(status).toBe(403)
    const { at } = await newest(service)
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('has calls to the vault without any body, and neither calls of the page nor files', async () => {
    const service = await Service.start()
    const { id } = (await service.intent({ customer: await service.customer(), allow_tokenize_card: true }))
      .data
    const { public: key } = service.sandbox.apiKeys
    const { data } = await service.post('/vault/cards/', { card: CARD, cvv: '123' }, key)
    const shown = { account: service.sandbox.accountId, request_body: null, response_body: null }
    expect(await newest(service)).toMatchObject({ operation: '/vault/cards/', ...shown })
    await service.post(`/vault/intents/${id}/pay/`, { cardData: data.id }, key)
    expect(await newest(service)).toMatchObject({ operation: '/vault/intents/:id/pay/', ...shown })
    const before = await paths(service)
    const own = ['/openapi.json', '/_sandbox/overview/', '/', '/sdk.js', '/vault/card-form/', '/vault/no/']
    for (const path of [...own, `/vault/form/${id}/`, '/vault/assets/form/form.js'])
      await (await fetch(service.sandbox.url + path)).text()
    expect(await paths(service)).toEqual(before)
  })

  it('holds no key, secret, card number or CVV', async () => {
    const service = await Service.start()
    const { account, organization, public: publicKey } = service.sandbox.apiKeys
    const first = service.sandbox.secret
    await service.get(SIGNATURE_KEY)
    await service.post('/_sandbox/secret/rotate/')
    await service.get(SIGNATURE_KEY)
    const made = await service.post(ACCOUNTS, { name: 'B' }, organization)
    const token = await service.savedCard(await service.customer(), { card: NEEDS_CVV })
    await service.post(`${CARD_TOKENS}${token}/charge/`, { amount: 1, card_token_data: { cvv: '8642' } })
    const number = '4929 1234-5678 1234'
    for (const fields of [
      { card: '1234' },
      { cvv: { cvv: ['8642'] } },
      { CVC: 8642 },
      { [number]: '8642' },
      { custom_fields: { note: `card ${number}`, list: [`\n${CARD}`, 4929123456781234, account] } },
    ])
      await service.intent(fields)
    const path = `/api/${encodeURIComponent(number)}/?card=${CARD}&key=${publicKey}`
    await service.call('GET', path, { isUnlisted: true })
    const { list, text } = await service.get(`${LOG}?limit=500`)
    const details = await Promise.all(list.map(async ({ id }) => (await service.get(`${CALL}${id}/`)).text))
    const all = [text, ...details].join('\n')
    expect(details.length).toBeGreaterThan(10)
    expect(all).toContain(`signing_secret_...${first.slice(-4)}`)
    const { api_key, public_api_key } = made.data
    const keys = [account, organization, publicKey, api_key, public_api_key, first, service.sandbox.secret]
    for (const hidden of [...keys, CARD, '4929123456781234', number, '8642']) {
      expect(all.includes(hidden), hidden).toBe(false)
    }
    expect(all).not.toContain(encodeURIComponent(number))
  })

  it('keeps ids and times as they are', async () => {
    const service = await Service.start()
    const uuid = '12345678-1234-4123-8123-123456789012'
    const fields = { uuid, time: 1711550480371, decimal: '0.12345678901234567' }
    await service.intent({ custom_fields: fields })
    expect((await newest(service))['request_body']).toContain(JSON.stringify(fields).slice(1, -1))
  })

  it('cuts bodies, and no key in two', async () => {
    const service = await Service.start()
    const { account } = service.sandbox.apiKeys
    const start = JSON.stringify({ amount: 1, amount_currency: 'EUR', operation: 'purchase' }).length
    const text = `${'x'.repeat(16 * 1024 - start - 50)} ${account} ${'y'.repeat(1000)}`
    await service.intent({ amount: 1, custom_fields: { text } })
    const { request_body, response_body } = await newest(service)
    expect(request_body).toHaveLength(16 * 1024)
    expect(request_body).toContain(`x account_key_...${account.slice(-4)} y`)
    expect(response_body).toHaveLength(16 * 1024)
    expect(response_body).not.toMatch(/account_key_[0-9a-f]/)
  })

  it('is filtered by method, status and text, in pages', async () => {
    const service = await Service.start()
    const customer = await service.customer({ first_name: 'J\u00fcrgen' })
    await service.intent({ customer })
    await service.get(`${CUSTOMERS}cus_none/`)
    await service.get(CUSTOMERS, 'unknown')
    await service.call('GET', '/api/nothing/', { isUnlisted: true })
    await service.get('/vault/form/int_none/state/')
    const vault = '/vault/form/int_none/state/'
    for (const [query, expected] of [
      ['?search=nothing', ['/api/nothing/']],
      ['?search=int_none', [vault]],
      ['?status=404', [vault, '/api/nothing/']],
      ['?method=POST', [INTENTS, CUSTOMERS]],
      ['?status=2xx', [INTENTS, CUSTOMERS]],
      ['?status=4xx', [vault, '/api/nothing/', CUSTOMERS, `${CUSTOMERS}cus_none/`]],
      ['?status=401', [CUSTOMERS]],
      ['?status=5xx', []],
      ['?search=J%C3%9CRGEN', [CUSTOMERS]],
      [`?search=${customer}`, [INTENTS, CUSTOMERS]],
      ['?search=cus_none&method=GET', [`${CUSTOMERS}cus_none/`]],
    ] as const) {
      expect(await paths(service, query), query).toEqual(expected)
    }
    const { count, next } = await service.get(`${LOG}?limit=2`)
    expect(count).toBe(6)
    expect(next).toBe(`${service.sandbox.url}${LOG}?limit=2&offset=2`)
    for (const status of ['6xx', 'ok'])
      expect((await service.get(`${LOG}?status=${status}`)).code, status).toBe(400)
    expect((await service.get(`${CALL}req_none/`)).code).toBe(404)
  })

  it('keeps the newest 2,000, announces each, and is empty after a reset', async () => {
    const service = await Service.start()
    const { url } = service.sandbox
    for (let count = 0; count < 2010; count++) await (await fetch(`${url}/api/${count}`)).text()
    const { count, list } = await service.get(`${LOG}?limit=1&offset=1999`)
    expect(count).toBe(2000)
    expect(list).toMatchObject([{ path: '/api/10' }])
    const last = (await service.get(LOG)).list[0]!.id
    service.sandbox.reset()
    expect(await paths(service)).toEqual([])
    await service.customer()
    expect((await service.get(LOG)).list[0]!.id).not.toBe(last)
    expect((await service.get(`${CALL}${last}/`)).code).toBe(404)
  })
})
