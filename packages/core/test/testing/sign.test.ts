import { describe, expect, it, vi } from 'vitest'
import type { CanonicalForm } from '../../src/entries/index.js'
import {
  intentEvent,
  printBody,
  sign,
  type SignOptions,
  transactionEvent,
} from '../../src/entries/testing.js'
import { apiKey, hmac, known, plain, secret, timestamp, v3Message } from '../support/deliveries.js'
import { refusalOf } from '../support/refusal.js'

describe('sign', () => {
  it('signs the known answer', () => {
    expect(sign(known.body, { secret, timestamp, versions: ['v3'] })).toBe(known.header)
  })

  it('signs all three versions, in the order of the service', () => {
    const v1 = hmac(apiKey, plain + String(timestamp))
    const v2 = hmac(secret, plain + String(timestamp))
    const v3 = hmac(secret, v3Message(plain))
    expect(sign(plain, { secret, apiKey, timestamp })).toBe(`t=${timestamp},v1=${v1},v2=${v2},v3=${v3}`)
  })

  it.each<[CanonicalForm, string]>([
    ['source', '{"a":"\u00e9","b":1E1}'],
    ['ecmascript', '{"a":"\u00e9","b":10}'],
    ['python', '{"a":"\\u00e9","b":10.0}'],
  ])('prints v2 in the form "%s"', (canonicalForm, text) => {
    const body = '{ "b": 1E1, "a": "\u00e9" }'
    expect(sign(body, { secret, timestamp, versions: ['v2'], canonicalForm })).toBe(
      `t=${timestamp},v2=${hmac(secret, text + String(timestamp))}`,
    )
  })

  it('signs every version whose key is given, and v2 only over JSON', () => {
    const names = (body: string, options: SignOptions) => sign(body, options).replace(/=[0-9a-f]+/g, '')
    expect(names(plain, { secret })).toBe('t,v2,v3')
    expect(names(plain, { apiKey })).toBe('t,v1')
    expect(names('no JSON', { secret, apiKey })).toBe('t,v1,v3')
  })

  it('uses the current time by default', () => {
    vi.useFakeTimers({ now: timestamp * 1000 + 999 })
    expect(sign(known.body, { secret, versions: ['v3'] })).toBe(known.header)
    vi.useRealTimers()
  })

  it('rejects v2 over a body that is not JSON', async () => {
    const error = await refusalOf(() => sign('no JSON', { secret, versions: ['v2'] }))
    expect(error.code).toBe('ERR_BODY_NOT_JSON')
  })

  it.each<[message: string, options: unknown]>([
    ['sign needs "secret", "apiKey" or both', {}],
    [
      'sign has no option "key". There are: secret, apiKey, timestamp, versions, canonicalForm.',
      { key: secret },
    ],
    ['"apiKey" is undefined. Is the environment variable set?', { secret, versions: ['v1'] }],
    ['"secret" is empty', { secret: '' }],
    ['"versions" contains an unknown version; expected v1, v2, v3', { secret, versions: ['v4'] }],
    ['"canonicalForm" must be one of source, ecmascript, python', { secret, canonicalForm: 'java' }],
    ['"timestamp" must be a Unix time in seconds, 1 to 12 digits', { secret, timestamp: Date.now() }],
  ])('throws a TypeError: %s', (message, options) => {
    const call = () => sign(plain, options as SignOptions)
    expect(call).toThrow(TypeError)
    expect(call).toThrow(message)
  })
})

describe('the events', () => {
  it.each([
    ['transactionEvent', transactionEvent()],
    ['intentEvent', intentEvent()],
  ])('%s does not survive JSON.parse and JSON.stringify', (_, event) => {
    const body = printBody(event)
    expect(JSON.stringify(JSON.parse(body))).not.toBe(body)
    expect(body).toMatch(/^[ -~]*$/)
  })
})
