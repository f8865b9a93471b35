import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fetchSecret } from '../../src/secrets/fetch-secret.js'
import type { FetchSecretOptions } from '../../src/secrets/fetch-secret-options.js'
import { API_KEY, createTestSource, expectNoKeys, SECRET, secretAnswer, Service } from './support/service.js'

const baseUrl = 'https://api.example.com'
const apiKey = API_KEY
const organization = { organizationKey: 'org_key', accountId: 'acc_1', live: true }
const path = '/api/v1/organizations/get-webhook-signature-key/'

const wrongItem =
  'must be a string of ASCII characters without white space or commas. Pass an organization API key as'

function refusalOf(options: unknown): unknown {
  try {
    fetchSecret(options as FetchSecretOptions)
  } catch (error) {
    return error
  }
  return expect.fail('it was not refused')
}

describe('fetchSecret', () => {
  it.each<[message: string, options: unknown]>([
    ['fetchSecret: expected an options object, got undefined', undefined],
    ['fetchSecret has no option "url". ', { url: baseUrl, apiKey }],
    ['fetchSecret has no option "baseURL". Did you mean "baseUrl"?', { baseURL: baseUrl, apiKey }],
    ['fetchSecret has no option "apikey". Did you mean "apiKey"?', { baseUrl, apikey: apiKey }],
    ['Did you mean "timeoutSeconds"?', { baseUrl, apiKey, timeout: 5 }],
    ['Did you mean "refreshCooldownSeconds"?', { baseUrl, apiKey, refreshCooldown: 5 }],
    ['Did you mean "maxAgeSeconds"?', { baseUrl, apiKey, maxAge: 5 }],
    [
      'fetchSecret has no option "retries". There are: baseUrl, apiKey, allow',
      { baseUrl, apiKey, retries: 2 },
    ],

    ['"baseUrl" is undefined. Is the environment variable set?', { apiKey }],
    ['"baseUrl" is empty. Is the environment variable set?', { baseUrl: '', apiKey }],
    ['"baseUrl" must be a whole address, such as https://api.example.com', { baseUrl: null, apiKey }],
    ['"baseUrl" must be a whole address', { baseUrl: 'api.example.com', apiKey }],
    ['"baseUrl" must be a whole address', { baseUrl: `//${API_KEY}@`, apiKey }],
    ['"baseUrl" must not have a user name,', { baseUrl: `https://${API_KEY}@api.example.com`, apiKey }],
    ['"baseUrl" must not have a user name,', { baseUrl: `https://:${API_KEY}@api.example.com`, apiKey }],
    ['"baseUrl" must not have a user name,', { baseUrl: `https://api.example.com?key=${API_KEY}`, apiKey }],
    ['"baseUrl" must not have a user name,', { baseUrl: `https://api.example.com#${API_KEY}`, apiKey }],
    ['"allowInsecureHttp" must be true or false, got string', { baseUrl, apiKey, allowInsecureHttp: 'yes' }],
    ['"allowInsecureHttp" must be true or false, got object', { baseUrl, apiKey, allowInsecureHttp: null }],

    ['"apiKey" is undefined. Is the environment variable set?', { baseUrl }],
    ['"apiKey" must be a string, got null', { baseUrl, apiKey: null }],
    ['"apiKey" must be a string, got number', { baseUrl, apiKey: 12345 }],
    [
      '"apiKey": expected an options object, got a promise: await it',
      { baseUrl, apiKey: Promise.resolve(apiKey) },
    ],
    ['"apiKey" is empty. Is the environment variable set?', { baseUrl, apiKey: '' }],
    ['"apiKey" has white space at its start or end', { baseUrl, apiKey: `${API_KEY}\n` }],
    [`"apiKey" ${wrongItem}`, { baseUrl, apiKey: `${API_KEY}\r\nHost: evil` }],
    [`"apiKey" ${wrongItem}`, { baseUrl, apiKey: `${API_KEY}\u2026` }],
    [`"apiKey" ${wrongItem}`, { baseUrl, apiKey: `${API_KEY}\0end` }],
    [`"apiKey" ${wrongItem}`, { baseUrl, apiKey: `${API_KEY}\u007f` }],
    [`"apiKey" ${wrongItem}`, { baseUrl, apiKey: `\u00e9${API_KEY}` }],
    [`"apiKey" ${wrongItem}`, { baseUrl, apiKey: `${API_KEY},acc_1,true` }],

    ['"apiKey" has no option "acountId". Did you mean "accountId"?', withApiKey({ acountId: 'acc_1' })],
    ['"apiKey.organizationKey" is undefined', withApiKey({ organizationKey: undefined })],
    ['"apiKey.organizationKey" is empty', withApiKey({ organizationKey: '' })],
    [`"apiKey.organizationKey" ${wrongItem}`, withApiKey({ organizationKey: `${API_KEY},acc_1` })],
    [`"apiKey.organizationKey" ${wrongItem}`, withApiKey({ organizationKey: `${API_KEY} 2` })],
    [`"apiKey.accountId" ${wrongItem}`, withApiKey({ accountId: undefined })],
    [`"apiKey.accountId" ${wrongItem}`, withApiKey({ accountId: 1 })],
    [`"apiKey.accountId" ${wrongItem}`, withApiKey({ accountId: '' })],
    [`"apiKey.accountId" ${wrongItem}`, withApiKey({ accountId: 'acc_1,true' })],
    [`"apiKey.accountId" ${wrongItem}`, withApiKey({ accountId: 'acc\u00a01' })],
    ['"apiKey.live" must be true for live mode or false for test mode', withApiKey({ live: undefined })],
    ['"apiKey.live" must be true for live mode or false for test mode', withApiKey({ live: 'true' })],

    ['"fetch" must be a function, got object', { baseUrl, apiKey, fetch: {} }],
    [
      '"now" must be a function that returns milliseconds, got number',
      { baseUrl, apiKey, now: 1743090080000 },
    ],
    [
      '"cache" must be shared between instances, and a Map is not. Leave',
      { baseUrl, apiKey, cache: new Map() },
    ],
    ['"cache" must be an object with the functions "get" and "set"', { baseUrl, apiKey, cache: null }],
    ['"cache" must be an object with the functions', { baseUrl, apiKey, cache: { get: () => undefined } }],
    ['"cache" must be an object with the functions', { baseUrl, apiKey, cache: { set: () => undefined } }],
    ['"timeoutSeconds" must be greater than 0', { baseUrl, apiKey, timeoutSeconds: '5' }],
  ])('refuses at start-up: %s', (message, options) => {
    const error = refusalOf(options)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain(message)
    expectNoKeys(error)
  })

  it.each<[option: string, value: number, allowed: string]>([
    ['maxAgeSeconds', 0, 'greater than 0 (or Infinity)'],
    ['maxAgeSeconds', NaN, 'greater than 0 (or Infinity)'],
    ['staleSeconds', -1, '0 or greater (or Infinity)'],
    ['timeoutSeconds', 0, 'greater than 0, at most 300'],
    ['timeoutSeconds', 301, 'greater than 0, at most 300'],
    ['timeoutSeconds', Infinity, 'greater than 0, at most 300'],
    ['refreshCooldownSeconds', 0, 'greater than 0 (or Infinity)'],
  ])('refuses %s of %d, because it must be %s', (option, value, allowed) => {
    const error = refusalOf({ baseUrl, apiKey, [option]: value })
    expect(error).toBeInstanceOf(RangeError)
    expect((error as Error).message).toBe(`"${option}" must be ${allowed}, got ${value}`)
  })

  const insecure = ['http://api.example.com', 'http://service.localhost', 'http://10.0.0.7:8080']

  it.each([
    ...insecure,
    'http://localhost.',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://notlocalhost',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'ftp://localhost',
    'data:application/json,1',
  ])('does not send a key to %s', (address) => {
    const error = refusalOf({ baseUrl: address, apiKey })
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain('"baseUrl" must start with https:')
    expect((error as Error).message).toContain('allowInsecureHttp: true')
  })

  it.each(insecure)('sends a key to %s with allowInsecureHttp', async (address) => {
    const { source, service } = createTestSource(
      { baseUrl: address, allowInsecureHttp: true },
      secretAnswer(),
    )
    await source.get()
    expect(service.requests[0]!.url).toBe(`${address}${path}`)
    expect(() => fetchSecret({ baseUrl: address, apiKey, allowInsecureHttp: false })).toThrow(TypeError)
  })

  it('sends a key over http: and https: alone, also with allowInsecureHttp', () => {
    expect(refusalOf({ baseUrl: 'ftp://localhost', apiKey, allowInsecureHttp: true })).toBeInstanceOf(
      TypeError,
    )
  })

  it.each([
    'https://api.example.com',
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.1.2.3:80',
    'http://127.10.20.30',
    'http://[::1]:8080',
    new URL('https://api.example.com'),
  ])('accepts the address %s', (address) => {
    expect(fetchSecret({ baseUrl: address, apiKey }).cachedAt).toBeUndefined()
  })

  it('accepts numbers at their bounds', () => {
    const bounds = [
      { maxAgeSeconds: Infinity, staleSeconds: Infinity, refreshCooldownSeconds: Infinity },
      { timeoutSeconds: 300, staleSeconds: 0 },
      { timeoutSeconds: 0.05, maxAgeSeconds: 0.5, refreshCooldownSeconds: 0.5 },
    ]
    for (const numbers of bounds) expect(() => fetchSecret({ baseUrl, apiKey, ...numbers })).not.toThrow()
  })
})

describe('a request of fetchSecret', () => {
  it.each<[key: string, apiKey: FetchSecretOptions['apiKey'], header: string]>([
    ['an account key', API_KEY, API_KEY],
    ['an account key with all of visible ASCII', '!+-~', '!+-~'],
    ['an organization key for live mode', organization, 'org_key,acc_1,true'],
    ['an organization key for test mode', { ...organization, live: false }, 'org_key,acc_1,false'],
    ['an account whose id is one digit', { ...organization, accountId: '7' }, 'org_key,7,true'],
  ])('is a GET with %s in X-Api-Key, and nothing of it in the address', async (_, key, header) => {
    const { source, service } = createTestSource({ apiKey: key }, secretAnswer())
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
    expect(service.requests[0]).toMatchObject({
      url: baseUrl + path,
      init: { method: 'GET', headers: { 'X-Api-Key': header, Accept: 'application/json' } },
    })
  })

  it.each<[end: string, address: string]>([
    ['/', path],
    ['/?', path],
    ['/#', path],
    ['/payments', `/payments${path}`],
    ['/payments/', `/payments${path}`],
    ['/payments/eu//', `/payments/eu${path}`],
  ])('goes, for a baseUrl that ends with %s, to %s', async (end, address) => {
    const { source, service } = createTestSource({ baseUrl: baseUrl + end }, secretAnswer())
    await source.get()
    expect(service.requests.map(({ url }) => url)).toEqual([baseUrl + address])
  })

  it('does not change when the caller changes the options afterwards', async () => {
    const service = new Service(secretAnswer())
    const options = { baseUrl, apiKey: { ...organization }, fetch: service.fetch }
    const source = fetchSecret(options)
    options.baseUrl = 'https://other.example.com'
    options.apiKey.live = false
    await source.get()
    expect(service.requests[0]).toMatchObject({
      url: baseUrl + path,
      init: { headers: { 'X-Api-Key': 'org_key,acc_1,true' } },
    })
  })

  it('uses the global fetch of the moment, which may be instrumented later', async () => {
    const source = fetchSecret({ baseUrl, apiKey })
    const instrumented = vi.fn(() => Promise.resolve(new Response(null, { status: 404 })))
    vi.stubGlobal('fetch', instrumented)
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    await expect(source.get()).rejects.toThrow('HTTP 404')
    expect(instrumented).toHaveBeenCalledOnce()
  })

  it('reads the time from Date.now by default', async () => {
    const before = Date.now()
    const source = fetchSecret({ baseUrl, apiKey, fetch: new Service(secretAnswer()).fetch })
    await source.get()
    expect(source.cachedAt).toBeGreaterThanOrEqual(before)
    expect(source.cachedAt).toBeLessThanOrEqual(Date.now())
  })
})

function withApiKey(changes: Record<string, unknown>): unknown {
  return { baseUrl, apiKey: { ...organization, ...changes } }
}
