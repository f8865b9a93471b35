import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fetchSecret } from '../../src/secrets/fetch-secret.js'
import type { FetchSecretOptions } from '../../src/secrets/fetched/options.js'
import { SECRET, secretAnswer, startPaymentService } from './support/payment-service.js'
import { API_KEY, expectNoKeys } from './support/source.js'

const baseUrl = 'https://api.example.com'
const apiKey = API_KEY
const organization = { organizationKey: 'org_key', accountId: 'acc_1', live: true }
const path = '/api/v1/organizations/get-webhook-signature-key/'

function refusalOf(options: unknown): unknown {
  try {
    fetchSecret(options as FetchSecretOptions)
  } catch (error) {
    return error
  }
  return expect.fail('it was not refused')
}

describe('what fetchSecret refuses when the server starts', () => {
  it.each<[message: string, options: unknown]>([
    ['fetchSecret needs an object of options, and got undefined', undefined],
    ['fetchSecret has no option "url". ', { url: baseUrl, apiKey }],
    ['fetchSecret has no option "baseURL". Did you mean "baseUrl"?', { baseURL: baseUrl, apiKey }],
    ['fetchSecret has no option "apikey". Did you mean "apiKey"?', { baseUrl, apikey: apiKey }],
    ['Did you mean "timeoutSeconds"?', { baseUrl, apiKey, timeout: 5 }],
    ['Did you mean "refreshCooldownSeconds"?', { baseUrl, apiKey, refreshCooldown: 5 }],
    ['Did you mean "maxAgeSeconds"?', { baseUrl, apiKey, maxAge: 5 }],
    ['Did you mean "retries"?', { baseUrl, apiKey, retires: 5 }],

    ['"baseUrl" must be the address of the payment service, as a string or a URL', { apiKey }],
    ['"baseUrl" must be the address of the payment service', { baseUrl: null, apiKey }],
    ['"baseUrl" must be a whole address, such as https://api.example.com', { baseUrl: '', apiKey }],
    ['"baseUrl" must be a whole address', { baseUrl: 'api.example.com', apiKey }],
    ['"baseUrl" must be a whole address', { baseUrl: `//${API_KEY}@`, apiKey }],
    ['"baseUrl" must not hold a user name', { baseUrl: `https://${API_KEY}@api.example.com`, apiKey }],
    ['"baseUrl" must not hold a user name', { baseUrl: `https://:${API_KEY}@api.example.com`, apiKey }],
    ['"baseUrl" must not have a query', { baseUrl: `https://api.example.com?key=${API_KEY}`, apiKey }],
    ['"baseUrl" must not have a fragment', { baseUrl: `https://api.example.com#${API_KEY}`, apiKey }],

    ['"apiKey" must be a string, and is of type undefined', { baseUrl }],
    ['"apiKey" must be a string, and is null', { baseUrl, apiKey: null }],
    ['"apiKey" must be a string, and is of type number', { baseUrl, apiKey: 12345 }],
    ['"apiKey" is empty: is the environment variable set?', { baseUrl, apiKey: '' }],
    ['"apiKey" has white space at its start or end', { baseUrl, apiKey: `${API_KEY}\n` }],
    ['"apiKey" has white space in it', { baseUrl, apiKey: `${API_KEY}\r\nHost: evil` }],
    ['"apiKey" has white space in it', { baseUrl, apiKey: 'org_key, acc_1, true' }],
    ['"apiKey" has a character that a header cannot carry', { baseUrl, apiKey: `${API_KEY}\u2026` }],
    ['"apiKey" has a character that a header cannot carry', { baseUrl, apiKey: `${API_KEY}\0end` }],

    ['"apiKey" has a comma, but is not <organization key>,<account id>,', { baseUrl, apiKey: `${API_KEY},` }],
    ['"apiKey" has a comma, but is not', { baseUrl, apiKey: ',acc_1,true' }],
    ['"apiKey" has a comma, but is not', { baseUrl, apiKey: `${API_KEY},acc_1` }],
    ['"apiKey" has a comma, but is not', { baseUrl, apiKey: `${API_KEY},,true` }],
    ['"apiKey" has a comma, but is not', { baseUrl, apiKey: `${API_KEY},acc_1,True` }],
    ['"apiKey" has a comma, but is not', { baseUrl, apiKey: `${API_KEY},acc_1,true,true` }],

    ['"apiKey" has no option "acountId". Did you mean "accountId"?', withApiKey({ acountId: 'acc_1' })],
    ['"apiKey.organizationKey" must be a string', withApiKey({ organizationKey: undefined })],
    ['"apiKey.organizationKey" is empty', withApiKey({ organizationKey: '' })],
    ['"apiKey.organizationKey" has a comma', withApiKey({ organizationKey: `${API_KEY},acc_1` })],
    ['"apiKey.organizationKey" has white space in it', withApiKey({ organizationKey: `${API_KEY} 2` })],
    ['"apiKey.organizationKey" has a character', withApiKey({ organizationKey: `${API_KEY}\u00e9` })],
    ['"apiKey.accountId" must be a string, and not empty', withApiKey({ accountId: undefined })],
    ['"apiKey.accountId" must be a string, and not empty', withApiKey({ accountId: 1 })],
    ['"apiKey.accountId" must be a string, and not empty', withApiKey({ accountId: '' })],
    ['"apiKey.accountId" has a comma', withApiKey({ accountId: 'acc_1,true' })],
    ['"apiKey.accountId" has white space in it', withApiKey({ accountId: ' acc_1' })],
    ['"apiKey.accountId" has white space in it', withApiKey({ accountId: 'acc\t1' })],
    ['"apiKey.accountId" has white space in it', withApiKey({ accountId: 'acc\u00a01' })],
    ['"apiKey.live" must be true for live mode or false for test mode', withApiKey({ live: undefined })],
    ['"apiKey.live" must be true for live mode or false for test mode', withApiKey({ live: 'true' })],

    ['"fetch" must be a function, and is of type object', { baseUrl, apiKey, fetch: {} }],
    ['"now" must be a function, and is of type number', { baseUrl, apiKey, now: 1743090080000 }],
    ['"cache" must be an object with the functions "get" and "set"', { baseUrl, apiKey, cache: null }],
    ['"cache" must be an object with the functions', { baseUrl, apiKey, cache: { get: () => undefined } }],
    ['"cache" must be an object with the functions', { baseUrl, apiKey, cache: { set: () => undefined } }],
    ['"timeoutSeconds" must be a number of seconds', { baseUrl, apiKey, timeoutSeconds: '5' }],
  ])('%s', (message, options) => {
    const error = refusalOf(options)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain(message)
    expectNoKeys(error)
  })

  it.each<[option: string, value: number, allowed: string]>([
    ['maxAgeSeconds', 0, 'a number of seconds above 0, or Infinity'],
    ['maxAgeSeconds', NaN, 'a number of seconds above 0, or Infinity'],
    ['staleSeconds', -1, 'a number of seconds, 0 or above, or Infinity'],
    ['timeoutSeconds', 0, 'a number of seconds above 0, at most 300'],
    ['timeoutSeconds', 301, 'a number of seconds above 0, at most 300'],
    ['timeoutSeconds', Infinity, 'a number of seconds above 0, at most 300'],
    ['retries', -1, 'a whole number from 0 to 10'],
    ['retries', 1.5, 'a whole number from 0 to 10'],
    ['retries', 11, 'a whole number from 0 to 10'],
    ['refreshCooldownSeconds', 0, 'a number of seconds above 0, or Infinity'],
  ])('%s of %d: it must be %s', (option, value, allowed) => {
    const error = refusalOf({ baseUrl, apiKey, [option]: value })
    expect(error).toBeInstanceOf(RangeError)
    expect((error as Error).message).toBe(`"${option}" must be ${allowed}, and is ${value}`)
  })

  it.each([
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://notlocalhost',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://192.168.0.1',
    'ftp://localhost',
    'file:///etc/hosts',
    'data:application/json,1',
  ])('%s, since a key is sent there', (address) => {
    const error = refusalOf({ baseUrl: address, apiKey })
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain('"baseUrl" must start with https:')
  })

  it.each([
    'https://api.example.com',
    'http://localhost:8080',
    'http://service.localhost',
    'http://127.0.0.1',
    'http://127.1.2.3:80',
    'http://127.10.20.30',
    'http://[::1]:8080',
    new URL('https://api.example.com'),
  ])('but not %s', (address) => {
    expect(fetchSecret({ baseUrl: address, apiKey })).toMatchObject({ cachedAt: undefined })
  })

  it('but not numbers at their bounds', () => {
    const bounds = [
      { maxAgeSeconds: Infinity, staleSeconds: Infinity, refreshCooldownSeconds: Infinity },
      { timeoutSeconds: 300, retries: 10, staleSeconds: 0 },
      { timeoutSeconds: 0.05, retries: 0, maxAgeSeconds: 0.5, refreshCooldownSeconds: 0.5 },
    ]
    for (const numbers of bounds) expect(() => fetchSecret({ baseUrl, apiKey, ...numbers })).not.toThrow()
  })
})

describe('what the service sees', () => {
  it.each<[key: string, apiKey: FetchSecretOptions['apiKey'], header: string]>([
    ['an account key', API_KEY, API_KEY],
    ['an organization key for live mode', organization, 'org_key,acc_1,true'],
    ['an organization key for test mode', { ...organization, live: false }, 'org_key,acc_1,false'],
    ['an account whose id is one digit', { ...organization, accountId: '7' }, 'org_key,7,true'],
    ['three items that were joined by hand', 'org_key,acc_1,true', 'org_key,acc_1,true'],
  ])('one GET with %s in X-Api-Key, and nothing of it in the address', async (_, key, header) => {
    const service = await startPaymentService(secretAnswer())
    const source = fetchSecret({ baseUrl: service.baseUrl, apiKey: key })
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      url: path,
      headers: { 'x-api-key': header, accept: 'application/json' },
    })
  })

  it.each<[baseUrl: string, url: string]>([
    ['/', path],
    ['/?', path],
    ['/#', path],
    ['/payments', `/payments${path}`],
    ['/payments/', `/payments${path}`],
    ['/payments/eu//', `/payments/eu${path}`],
  ])('below a baseUrl that ends with %s, the address %s', async (end, url) => {
    const service = await startPaymentService(secretAnswer())
    await fetchSecret({ baseUrl: service.baseUrl + end, apiKey }).get()
    expect(service.requests.map((request) => request.url)).toEqual([url])
  })

  it('is not changed by what the caller does to the options afterwards', async () => {
    const service = await startPaymentService(secretAnswer())
    const options = { baseUrl: service.baseUrl, apiKey: { ...organization } }
    const source = fetchSecret(options)
    options.baseUrl = 'http://127.0.0.1:1'
    options.apiKey.live = false
    await source.get()
    expect(service.requests[0]?.headers['x-api-key']).toBe('org_key,acc_1,true')
  })

  it('is sent by the global fetch of the moment, for whoever instruments it later', async () => {
    const source = fetchSecret({ baseUrl, apiKey })
    const instrumented = vi.fn(() => Promise.resolve(new Response(null, { status: 404 })))
    vi.stubGlobal('fetch', instrumented)
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    await expect(source.get()).rejects.toThrow('HTTP 404')
    expect(instrumented).toHaveBeenCalledOnce()
  })
})

function withApiKey(changes: Record<string, unknown>): unknown {
  return { baseUrl, apiKey: { ...organization, ...changes } }
}
