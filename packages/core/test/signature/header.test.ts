import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatSignatureHeader,
  parseSignatureHeader,
  type RequestHeaders,
  type SignatureHeaderValue,
  WebhookError,
} from '../../src/entries/index.js'
import { refusalOf } from '../support/refusal.js'

const digest = 'ca13480c8142f2f2b44822c764909027974e84b3e8c94457a314f129d8d60148'
const header = `t=1743090080,v3=${digest}`

const hex = fc.string({
  unit: fc.constantFrom(...Array.from('0123456789abcdef')),
  minLength: 64,
  maxLength: 64,
})
const timestamps = fc.string({
  unit: fc.constantFrom(...Array.from('0123456789')),
  minLength: 1,
  maxLength: 12,
})
const headers = fc.record({
  timestamp: timestamps,
  signatures: fc.record({ v1: hex, v2: hex, v3: hex }, { requiredKeys: [] }),
})

// test-vectors/header.json has the headers that the grammar accepts. Here are the results, and the messages.
describe('parseSignatureHeader', () => {
  it('returns t as sent and the digests of the known versions, in any order', () => {
    expect(parseSignatureHeader(`v4=new, v3=${digest} ,\tt=001743090080,v4=,v1=${digest}`)).toEqual({
      timestamp: '001743090080',
      signatures: { v1: digest, v3: digest },
    })
  })

  it('accepts a list with a single item', () => {
    expect(parseSignatureHeader([header])).toEqual(parseSignatureHeader(header))
  })

  it.each<[what: string, headers: RequestHeaders]>([
    ['the headers of a request of Node', { host: 'localhost', 'service-signature': header }],
    ['headers whose names have capitals', { 'Service-Signature': header, Accept: undefined }],
    ['headers with lists', { 'service-signature': [header] }],
    ['a Headers object', new Headers({ 'Service-Signature': header })],
    [
      'an object without a prototype',
      Object.assign(Object.create(null) as object, { 'service-signature': header }),
    ],
  ])('finds the header in %s', (_, headers) => {
    expect(parseSignatureHeader(headers)).toEqual(parseSignatureHeader(header))
  })

  it.each<[what: string, headers: RequestHeaders]>([
    ['an object without it', { host: 'localhost' }],
    ['an empty object', {}],
    ['a Headers object without it', new Headers()],
    ['an object whose prototype has it', Object.create({ 'service-signature': header }) as RequestHeaders],
    ['an object in which it is undefined', { 'service-signature': undefined }],
  ])('reports a missing header for %s', (_, headers) => {
    expect(() => parseSignatureHeader(headers)).toThrow(
      expect.objectContaining({ code: 'ERR_SIGNATURE_MISSING' }),
    )
  })

  it.each<[message: string, header: unknown]>([
    ['it was sent 0 times', []],
    ['it was sent 2 times', [header, header]],
    ['it is not a string', 7],
    ['it is not a string', { 'service-signature': 7 }],
    ['it was sent 2 times', { 'service-signature': header, 'Service-Signature': header }],
    ['it was sent 2 times', { 'Service-Signature': [header, header] }],
    ['it is not a string', [undefined]],
    ['it is longer than 1024 characters', header.padEnd(1025, ' ')],
    ['it has more than 16 elements', header + ',a=1'.repeat(15)],
    ['an element is not name=value', `${header},`],
    ['an element is not name=value', `${header},v3`],
    ['an element is not name=value', `t,v3=${digest}`],
    ['an element is not name=value', ` , ${header}`],
    ['an element is not name=value', `${header}, ,v4=new`],
    ['an element is not name=value', `${header},V3=${digest}`],
    ['an element is not name=value', `Service-Signature: ${header}`],
    ['duplicate "t"', `${header},t=1743090080`],
    ['"t" is not 1 to 12 digits', `t=1743090080x,v3=${digest}`],
    ['duplicate "v3"', `${header},v3=${digest}`],
    ['"v3" is not 64 lowercase hex digits', `t=1743090080,v3=${digest.toUpperCase()}`],
    ['it has no "t"', `v3=${digest}`],
    ['an element is not name=value', ''],
  ])('rejects with the reason "%s"', async (message, value) => {
    const error = await refusalOf(() => parseSignatureHeader(value as SignatureHeaderValue))
    expect(error).toMatchObject({ code: 'ERR_SIGNATURE_MALFORMED', status: 400, retryable: false })
    expect(error.message).toContain(`malformed: ${message}. `)
  })

  it.each([undefined, null])('reports a missing header for the value %s', async (value) => {
    expect(await refusalOf(() => parseSignatureHeader(value))).toMatchObject({
      code: 'ERR_SIGNATURE_MISSING',
      status: 401,
    })
  })

  it('throws only WebhookErrors, for any input', () => {
    const almost = fc
      .array(
        fc.constantFrom('t', 'v1', 'v3', '=', ',', ' ', '\t', '\n', '12', digest, digest.slice(1), '\u0660'),
      )
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string(), almost, fc.array(almost)), (value) => {
        try {
          const { timestamp } = parseSignatureHeader(value as SignatureHeaderValue)
          return /^[0-9]{1,12}$/.test(timestamp)
        } catch (error) {
          return WebhookError.is(error)
        }
      }),
      { numRuns: 5000 },
    )
  })
})

describe('formatSignatureHeader', () => {
  it('writes t, v1, v2, v3, in whatever order they are passed', () => {
    const [v1, v2, v3] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string]
    expect(formatSignatureHeader({ signatures: { v3, v1, v2 }, timestamp: 1743090080 })).toBe(
      `t=1743090080,v1=${v1},v2=${v2},v3=${v3}`,
    )
  })

  it('is the inverse of parseSignatureHeader', () => {
    fc.assert(
      fc.property(headers, (value) => {
        expect(parseSignatureHeader(formatSignatureHeader(value))).toEqual(value)
      }),
    )
  })

  it.each<[message: string, timestamp: string | number, signatures: object]>([
    ['"timestamp" must be a Unix time in seconds, 1 to 12 digits', Date.now(), { v3: digest }],
    ['"timestamp" must be a Unix time in seconds, 1 to 12 digits', -1, { v3: digest }],
    ['"timestamp" must be a Unix time in seconds, 1 to 12 digits', '', { v3: digest }],
    ['"v3" must be 64 lowercase hex digits', 1743090080, { v3: digest.slice(1) }],
    ['"signatures" contains an unknown version "v4"; expected v1, v2, v3', 1743090080, { v4: digest }],
  ])('throws a TypeError: %s', (message, timestamp, signatures) => {
    const call = () => formatSignatureHeader({ timestamp, signatures: signatures })
    expect(call).toThrow(new TypeError(message))
  })
})
