import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import {
  ACCOUNTS,
  CARD_TOKENS,
  CUSTOMERS,
  INTENTS,
  Service,
  SIGNATURE_KEY,
  type Answer,
} from '../support/service.js'

const FOR_ACCOUNTS: readonly (readonly [method: string, path: string])[] = [
  ['POST', INTENTS],
  ['POST', '/api/v1.1/payments/intent/'],
  ['GET', INTENTS],
  ['GET', `${INTENTS}int/`],
  ['GET', '/api/v1.4/transactions/'],
  ['GET', '/api/v1.4/transactions/tra/'],
  ['GET', '/api/v1.4/providers/'],
  ['GET', SIGNATURE_KEY],
  ['POST', '/direct/payments/intents/int/card_token/'],
  ['POST', CUSTOMERS],
  ['GET', CUSTOMERS],
  ['GET', `${CUSTOMERS}cus/`],
  ['GET', `${CUSTOMERS}cus/cards/`],
  ['POST', CARD_TOKENS],
  ['GET', `${CARD_TOKENS}intents/cti/`],
  ['GET', `${CARD_TOKENS}tok/`],
  ['POST', `${CARD_TOKENS}tok/charge/`],
  ['POST', `${CARD_TOKENS}delete/`],
]

const FOR_ORGANIZATIONS = [
  ['POST', ACCOUNTS],
  ['GET', ACCOUNTS],
] as const

/** The key is looked at before the body: this one is not even JSON. */
function tryKey(service: Service, method: string, path: string, key: string | undefined): Promise<Answer> {
  return service.call(method, path, { key, ...(method === 'POST' && { body: 'no JSON' }) })
}

async function revoke(service: Service, key: string): Promise<void> {
  const { list } = { list: (await service.state())['keys']! }
  const { id } = list.find(({ api_key }) => key.endsWith(api_key.slice(-4)))!
  expect((await service.post(`/_sandbox/keys/${id}/revoke/`)).code).toBe(200)
}

/** What the SDK calls, which the tests of the SDK look at. */
const FOR_PUBLIC_KEYS = [
  'POST /api/v1.4/payouts/',
  'POST /vault/cards/',
  'POST /vault/card-intents/x/card-token/',
  'POST /vault/intents/x/pay/',
]

describe('Accounts and keys', () => {
  it.each([...FOR_ACCOUNTS, ...FOR_ORGANIZATIONS])(
    'our choice: a request without an API key answers 401: %s %s',
    async (method, path) => {
      const service = await Service.start()
      for (const key of [undefined, '']) {
        const { code, status, headers } = await tryKey(service, method, path, key)
        expect(code).toBe(401)
        expect(status.errors).toEqual([{ 'X-Api-Key': 'is missing' }])
        expect(headers.get('www-authenticate')).toBe('X-Api-Key')
      }
    },
  )

  it('our choice: the OpenAPI document names the key that each operation takes', async () => {
    const service = await Service.start()
    const secured = Object.entries(service.document.openApi.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { security }]) => security!.some((each) => 'apiKey' in each))
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, 'x')}`),
    )
    const listed = [...FOR_ACCOUNTS, ...FOR_ORGANIZATIONS].map(
      ([method, path]) => `${method} ${path.replace(/\/(int|cus|tok|cti|tra)\//, '/x/')}`,
    )
    expect(secured.sort()).toEqual([...listed, ...FOR_PUBLIC_KEYS].sort())
  })

  it(
    'the key identifies the account, and the mode: this one is for test mode',
    holds('key-identity'),
    async () => {
      const service = await Service.start()
      const { data } = await service.intent()
      expect(data.is_live).toBe(false)
      const other = await service.post(ACCOUNTS, { name: 'Other' }, service.sandbox.apiKeys.organization)
      expect((await service.get(`${INTENTS}${data.id}/`, other.data.api_key)).code).toBe(404)
      expect((await service.get(`${INTENTS}${data.id}/`)).code).toBe(200)
    },
  )
})

describe('Accounts and keys', () => {
  it.each([...FOR_ACCOUNTS])(
    'our choice: a request with the public key answers 403: %s %s',
    async (method, path) => {
      const service = await Service.start()
      const { code, status } = await tryKey(service, method, path, service.sandbox.apiKeys.public)
      expect(code).toBe(403)
      expect(status.errors).toEqual([
        { 'X-Api-Key': 'is a public key, which is for the browser: send the account API key' },
      ])
    },
  )

  it.each([...FOR_ACCOUNTS])(
    'our choice: a request with the organization key alone answers 403: %s %s',
    async (method, path) => {
      const service = await Service.start()
      const { code, status } = await tryKey(service, method, path, service.sandbox.apiKeys.organization)
      expect(code).toBe(403)
      expect(status.errors).toEqual([
        {
          'X-Api-Key':
            'is a key of the organization alone: send <organization key>,<account id>,<true or false>',
        },
      ])
    },
  )

  it.each([...FOR_ORGANIZATIONS])(
    'our choice: only the organization key creates and lists accounts: %s %s',
    async (method, path) => {
      const service = await Service.start()
      const { apiKeys } = service.sandbox
      for (const key of [apiKeys.account, apiKeys.public, service.composite(false)]) {
        const { code, status } = await tryKey(service, method, path, key)
        expect(code).toBe(403)
        expect(status.errors).toEqual([{ 'X-Api-Key': 'must be a key of the organization, alone' }])
      }
      expect((await service.state())['accounts']).toHaveLength(1)
    },
  )

  it('an account can have several keys, each with its public key', holds('several-keys'), async () => {
    const service = await Service.start()
    const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
    expect(data).toMatchObject({ type: 'account', account: service.sandbox.accountId, is_revoked: false })
    const customer = await service.customer({}, data.api_key)
    expect((await service.get(`${CUSTOMERS}${customer}/`)).code).toBe(200)
    expect((await tryKey(service, 'GET', CUSTOMERS, data.public_api_key)).code).toBe(403)
  })

  it('an organization can have several organization keys', holds('several-keys'), async () => {
    const service = await Service.start()
    const { data } = await service.post('/_sandbox/keys/', { type: 'organization' })
    expect(data).toMatchObject({ type: 'organization', account: null, public_api_key: null })
    expect((await service.get(ACCOUNTS, data.api_key)).code).toBe(200)
  })
})

describe('Accounts and keys', () => {
  it(
    'the value joined by commas acts on the account and in the mode that it names',
    holds('joined-key', 'key-identity'),
    async () => {
      const service = await Service.start()
      for (const isLive of [true, false]) {
        const { code, data } = await service.intent({}, service.composite(isLive))
        expect(code).toBe(200)
        expect(data.is_live).toBe(isLive)
      }
    },
  )

  it.each([
    [
      'another key before the commas',
      (s: Service) => `${s.sandbox.apiKeys.account},${s.sandbox.accountId},true`,
    ],
    [
      'a public key before the commas',
      (s: Service) => `${s.sandbox.apiKeys.public},${s.sandbox.accountId},true`,
    ],
    ['no key before the commas', (s: Service) => `,${s.sandbox.accountId},true`],
    ['no account', (s: Service) => `${s.sandbox.apiKeys.organization},,true`],
    ['an unknown account', (s: Service) => `${s.sandbox.apiKeys.organization},acc_none,true`],
    ['no mode', (s: Service) => `${s.sandbox.apiKeys.organization},${s.sandbox.accountId}`],
    ['an empty mode', (s: Service) => `${s.sandbox.apiKeys.organization},${s.sandbox.accountId},`],
    ['another word as mode', (s: Service) => `${s.sandbox.apiKeys.organization},${s.sandbox.accountId},True`],
    ['a number as mode', (s: Service) => `${s.sandbox.apiKeys.organization},${s.sandbox.accountId},1`],
    ['a fourth item', (s: Service) => `${s.composite(true)},x`],
    ['another order', (s: Service) => `${s.sandbox.accountId},${s.sandbox.apiKeys.organization},true`],
    ['spaces', (s: Service) => `${s.sandbox.apiKeys.organization}, ${s.sandbox.accountId}, true`],
    ['two keys', (s: Service) => `${s.sandbox.apiKeys.account}, ${s.sandbox.apiKeys.account}`],
  ])('our choice: a joined value that is not valid answers 401: %s', async (_, keyOf) => {
    const service = await Service.start()
    const { code, status } = await tryKey(service, 'POST', CUSTOMERS, keyOf(service))
    expect(code).toBe(401)
    expect(status.errors).toHaveLength(1)
    expect((await service.state())['customers']).toEqual([])
  })

  it(
    'an organization key may be used instead of an account key to read the signing secret',
    holds('secret-organization-key'),
    async () => {
      const service = await Service.start()
      const { data } = await service.get(SIGNATURE_KEY, service.composite(true))
      expect(data.webhook_signature_secret).toBe(service.sandbox.secret)
    },
  )
})

describe('Accounts and keys', () => {
  it('an object that is created in one mode is not found in the other', holds('one-mode'), async () => {
    const service = await Service.start()
    const live = service.composite(true)
    const customer = await service.customer()
    const card = await service.savedCard(customer)
    const { id } = (await service.intent()).data
    expect((await service.get(`${CUSTOMERS}${customer}/`, live)).code).toBe(400)
    expect((await service.get(`${CARD_TOKENS}${card}/`, live)).code).toBe(404)
    expect((await service.get(`${INTENTS}${id}/`, live)).code).toBe(404)
    const intent = await service.intent({ customer }, live)
    expect(intent.code).toBe(400)
    const liveCustomer = await service.customer({}, live)
    expect((await service.intent({ customer: liveCustomer, card_token: card }, live)).code).toBe(404)
    expect((await service.get(`${CUSTOMERS}${liveCustomer}/`)).code).toBe(400)
    const removal = { customer: liveCustomer, to_delete_customer_card_token: card }
    expect((await service.post(`${CARD_TOKENS}delete/`, removal, live)).code).toBe(404)
    expect((await service.post(`${CARD_TOKENS}delete/`, { ...removal, customer }, live)).code).toBe(400)
    expect((await service.get(`${CARD_TOKENS}${card}/`)).code).toBe(200)
  })
})

describe('Accounts and keys', () => {
  it.each([
    ['an account key', (s: Service) => s.sandbox.apiKeys.account, CUSTOMERS],
    ['a key of the organization', (s: Service) => s.sandbox.apiKeys.organization, ACCOUNTS],
  ])('%s that is revoked can make no new requests', holds('revocation'), async (_, keyOf, path) => {
    const service = await Service.start()
    const key = keyOf(service)
    expect((await service.get(path, key)).code).toBe(200)
    await revoke(service, key)
    const { code, status } = await service.get(path, key)
    expect(code).toBe(401)
    expect(status.errors).toEqual([{ 'X-Api-Key': 'is revoked' }])
  })

  it('our choice: the revocation of a key also ends its public key, and values joined by commas', async () => {
    const service = await Service.start()
    const composite = service.composite(false)
    await revoke(service, service.sandbox.apiKeys.account)
    expect((await tryKey(service, 'GET', CUSTOMERS, service.sandbox.apiKeys.public)).code).toBe(401)
    expect((await service.get(CUSTOMERS, composite)).code).toBe(200)
    await revoke(service, service.sandbox.apiKeys.organization)
    expect((await service.get(CUSTOMERS, composite)).code).toBe(401)
  })

  it('the revocation of a key leaves the other keys valid', holds('several-revoked'), async () => {
    const service = await Service.start()
    const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
    await revoke(service, service.sandbox.apiKeys.account)
    expect((await service.get(CUSTOMERS, data.api_key)).code).toBe(200)
  })

  it('our choice: an unknown key answers 401', async () => {
    const service = await Service.start()
    for (const [key, problem] of [
      ['account_key_never', 'is not known'],
      [service.sandbox.apiKeys.account.slice(0, -1), 'is not known'],
      ['constructor', 'is not known'],
      [`two ${service.sandbox.apiKeys.account}`, 'is not known'],
    ] as const) {
      const { code, status } = await tryKey(service, 'GET', CUSTOMERS, key)
      expect(code).toBe(401)
      expect(status.errors).toEqual([{ 'X-Api-Key': problem }])
    }
  })
})

describe('Secret endpoint', () => {
  it('the signing secret is read with an account API key', holds('secret-response'), async () => {
    const service = await Service.start()
    const { data } = await service.get(SIGNATURE_KEY)
    expect(data.webhook_signature_secret).toBe(service.sandbox.secret)
  })

  it('our choice: the signing secret is not shown to a public key, or to an organization key alone', async () => {
    const service = await Service.start()
    for (const key of [service.sandbox.apiKeys.public, service.sandbox.apiKeys.organization]) {
      const { code, text } = await service.get(SIGNATURE_KEY, key)
      expect(code).toBe(403)
      expect(text).not.toContain(service.sandbox.secret)
    }
  })
})
