import { describe, expect, it } from 'vitest'
import {
  ACCOUNTS,
  CARD_TOKENS,
  CUSTOMERS,
  INTENTS,
  Service,
  SIGNATURE_KEY,
  type Answer,
  type Data,
} from '../support/service.js'

const KEYS = '/_sandbox/keys/'

const FOR_ACCOUNTS = [
  `POST ${INTENTS}`,
  'POST /api/v1.1/payments/intent/',
  `GET ${INTENTS}`,
  `GET ${INTENTS}x/`,
  'GET /api/v1.4/transactions/',
  'GET /api/v1.4/transactions/x/',
  'GET /api/v1.4/providers/',
  `GET ${SIGNATURE_KEY}`,
  'POST /direct/payments/intents/x/card_token/',
  `POST ${CUSTOMERS}`,
  `GET ${CUSTOMERS}`,
  `GET ${CUSTOMERS}x/`,
  `GET ${CUSTOMERS}x/cards/`,
  `POST ${CARD_TOKENS}`,
  `GET ${CARD_TOKENS}intents/x/`,
  `GET ${CARD_TOKENS}x/`,
  `POST ${CARD_TOKENS}x/charge/`,
  `POST ${CARD_TOKENS}delete/`,
]
const FOR_ORGANIZATIONS = [`POST ${ACCOUNTS}`, `GET ${ACCOUNTS}`]
/** What the SDK calls. */
const FOR_PUBLIC_KEYS = [
  'POST /vault/cards/',
  'POST /vault/card-intents/x/card-token/',
  'POST /vault/intents/x/pay/',
]

/** The key is looked at before the body: this one is not even JSON. */
function tryKey(service: Service, operation: string, key: string | undefined): Promise<Answer> {
  const [method, path] = operation.split(' ') as [string, string]
  return service.call(method, path, { key, ...(method === 'POST' && { body: 'no JSON' }) })
}

async function createKey(service: Service, fields: object = {}): Promise<Data> {
  return (await service.post(KEYS, { type: 'account', ...fields })).data
}

async function revoke(service: Service, key: string): Promise<void> {
  const { id } = (await service.state())['keys']!.find(({ api_key }) => key.endsWith(api_key.slice(-4)))!
  expect((await service.post(`${KEYS}${id}/revoke/`)).code).toBe(200)
}

const accountKey = ({ sandbox }: Service) => sandbox.apiKeys.account
const publicKey = ({ sandbox }: Service) => sandbox.apiKeys.public
const organizationKey = ({ sandbox }: Service) => sandbox.apiKeys.organization
const joined = (service: Service) => service.composite(false)

describe('Who may call an operation', () => {
  const ONLY_PUBLIC = 'is a public key, which is for the browser: send the account API key'
  const ONLY_ORGANIZATION =
    'is a key of the organization alone: send <organization key>,<account id>,<true or false>'
  const NO_ORGANIZATION = 'must be a key of the organization, alone'

  it.each([
    ['without a key', () => undefined, [...FOR_ACCOUNTS, ...FOR_ORGANIZATIONS], 401, 'is missing'],
    ['with an empty key', () => '', FOR_ORGANIZATIONS, 401, 'is missing'],
    ['with the public key', publicKey, FOR_ACCOUNTS, 403, ONLY_PUBLIC],
    ['with the organization key alone', organizationKey, FOR_ACCOUNTS, 403, ONLY_ORGANIZATION],
    ['about accounts with the account key', accountKey, FOR_ORGANIZATIONS, 403, NO_ORGANIZATION],
    ['about accounts with the public key', publicKey, FOR_ORGANIZATIONS, 403, NO_ORGANIZATION],
    ['about accounts with a joined key', joined, FOR_ORGANIZATIONS, 403, NO_ORGANIZATION],
  ] as const)('our choice: a call %s is refused', async (_, keyOf, operations, code, problem) => {
    const service = await Service.start()
    for (const operation of operations) {
      const call = () => tryKey(service, operation, keyOf(service))
      const { headers, text } = await service.refuses(call, code, { 'X-Api-Key': problem })
      expect(headers.get('www-authenticate'), operation).toBe(code === 401 ? 'X-Api-Key' : null)
      expect(text).not.toContain(service.sandbox.secret)
    }
  })

  it('our choice: the OpenAPI document names the key that each operation takes', async () => {
    const service = await Service.start()
    const secured = service.document.operations
      .filter(({ operation }) => operation.security!.some((each) => 'apiKey' in each))
      .map(({ method, path }) => `${method} ${path}`)
    expect(secured.sort()).toEqual([...FOR_ACCOUNTS, ...FOR_ORGANIZATIONS, ...FOR_PUBLIC_KEYS].sort())
  })

  it.each([
    'account_key_never',
    'KEY without its last character',
    'two KEY',
    'KEY,ACCOUNT,true',
    ',ACCOUNT,true',
    'ORGANIZATION,acc_none,true',
    'ORGANIZATION,ACCOUNT',
    'ORGANIZATION,ACCOUNT,1',
    'ORGANIZATION,ACCOUNT,true,x',
    'ACCOUNT,ORGANIZATION,true',
  ])('our choice: a key that is not known is refused with 401: %s', async (text) => {
    const service = await Service.start()
    const { account, organization } = service.sandbox.apiKeys
    const key = text
      .replace('KEY without its last character', account.slice(0, -1))
      .replaceAll('KEY', account)
      .replace('ORGANIZATION', organization)
      .replace('ACCOUNT', service.sandbox.accountId)
    const problem = { 'X-Api-Key': expect.any(String) as string }
    await service.refuses(() => service.post(CUSTOMERS, {}, key), 401, problem)
  })
})

describe('What a key stands for', () => {
  // Specification: several-keys
  it('an account, and the organization, can have several keys; one of an account has a public key', async () => {
    const service = await Service.start()
    const key = await createKey(service)
    expect(key).toMatchObject({ type: 'account', account: service.sandbox.accountId, is_revoked: false })
    const customer = await service.customer({}, key.api_key)
    expect((await service.get(`${CUSTOMERS}${customer}/`)).code).toBe(200)
    expect((await service.get(CUSTOMERS, key.public_api_key)).code).toBe(403)
    const other = await createKey(service, { type: 'organization' })
    expect(other).toMatchObject({ type: 'organization', account: null, public_api_key: null })
    expect((await service.get(ACCOUNTS, other.api_key)).code).toBe(200)
    // A key of the organization has no mode of its own.
    await service.refuses(() => service.post(KEYS, { type: 'organization', is_live: true }), 400, {
      is_live: 'is not for a key of the organization',
    })
  })

  // Specification: key-identity, joined-key
  it.each([
    ['the first account key', false, accountKey],
    ['another account key', false, async (s: Service) => (await createKey(s)).api_key],
    ['a live account key', true, async (s: Service) => (await createKey(s, { is_live: true })).api_key],
    ['an organization key joined to false', false, joined],
    ['an organization key joined to true', true, (s: Service) => s.composite(true)],
  ])('a key identifies the account and the mode of a request: %s', async (_, isLive, keyOf) => {
    const service = await Service.start()
    const { data } = await service.intent({}, await keyOf(service))
    expect(data.is_live).toBe(isLive)
    const other = await service.account('B')
    const path = `${INTENTS}${data.id}/`
    expect((await service.get(path, service.composite(isLive))).code).toBe(200)
    for (const foreign of [other.api_key, service.composite(!isLive)])
      expect((await service.get(path, foreign)).code).toBe(404)
  })
})

describe('The revocation of a key', () => {
  // Specification: revocation, several-revoked
  it('applies to one or more keys, which can make no new requests, and leaves the others valid', async () => {
    const service = await Service.start()
    const keys = [await createKey(service), await createKey(service), await createKey(service)]
    const [left, ...revoked] = keys.map(({ api_key }) => api_key)
    for (const key of [accountKey(service), ...revoked]) {
      expect((await service.get(CUSTOMERS, key)).code).toBe(200)
      await revoke(service, key)
      await service.refuses(() => service.post(CUSTOMERS, {}, key), 401, { 'X-Api-Key': 'is revoked' })
    }
    for (const key of [left, joined(service)]) expect((await service.get(CUSTOMERS, key)).code).toBe(200)
  })

  it('our choice: it also ends the public key, and values joined to an organization key; an unknown key is 404', async () => {
    const service = await Service.start()
    await revoke(service, accountKey(service))
    await revoke(service, organizationKey(service))
    for (const [path, key] of [
      [CUSTOMERS, publicKey(service)],
      [CUSTOMERS, joined(service)],
      [ACCOUNTS, organizationKey(service)],
    ] as const)
      await service.refuses(() => service.post(path, { name: 'A' }, key), 401, { 'X-Api-Key': 'is revoked' })
    await service.refuses(() => service.post(`${KEYS}key_none/revoke/`), 404, { id: 'Key not found' })
  })
})
