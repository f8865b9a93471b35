import { afterEach, describe, expect, it, vi } from 'vitest'
import { JsonDocument } from '../../../src/signature/canonical-json/document.js'
import { canonicalForms, Printer } from '../../../src/signature/canonical-json/forms.js'
import { compareCodePoints, Tokens } from '../../../src/signature/canonical-json/tokens.js'
import { CANONICAL_FORMS } from '../../../src/signature/names.js'

/** JSON of about so many bytes, with keys out of order and numbers that forms spell differently, all at the given depth. */
function nested(depth: number, size: number): string {
  const open = '{"z":10.0,"a":'.repeat(depth)
  const close = '}'.repeat(depth)
  const item = '{"b":1.0,"a":"x y"},'
  const items = item.repeat(Math.floor((size - open.length - close.length) / item.length))
  return `${open}[${items}0]${close}`
}

const SIZE = 50_000
const DEPTHS = [1, 100, 500]

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(DEPTHS)('printing a body of depth %i for v2', (depth) => {
  const body = Buffer.from(nested(depth, SIZE))

  it('copies each byte only a few times for all three forms together', () => {
    const copyWithin = vi.spyOn(Uint8Array.prototype, 'copyWithin')
    const set = vi.spyOn(Uint8Array.prototype, 'set')
    const join = vi.spyOn(Array.prototype, 'join')
    const forms = Array.from(canonicalForms(body, CANONICAL_FORMS))
    const moved =
      copyWithin.mock.calls.reduce((sum, [, from, to]) => sum + to! - from, 0) +
      set.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0) +
      join.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
    vi.restoreAllMocks()
    expect(forms.map(({ form }) => form)).toEqual(['source', 'ecmascript'])
    expect(moved).toBeLessThan(3 * SIZE)
  })

  it('decodes the whole body at once, not each string and number', () => {
    const decode = vi.spyOn(TextDecoder.prototype, 'decode')
    Array.from(canonicalForms(body, CANONICAL_FORMS))
    const { length } = decode.mock.calls
    vi.restoreAllMocks()
    expect(length).toBeLessThan(10)
  })

  it('reads each byte a few times to check it and once to print it', () => {
    let reads = 0
    const source = new Proxy(new Uint8Array(body), {
      get(bytes, name) {
        if (typeof name === 'string' && /^\d/.test(name)) reads++
        return Reflect.get(bytes, name, bytes) as unknown
      },
    })
    const document = new JsonDocument(source)
    const checked = reads
    expect(checked).toBeLessThan(4 * SIZE)
    reads = 0
    new Printer(document, new Tokens(document.source, document.tokens), {
      compareKeys: compareCodePoints,
    }).printed()
    // Keys are compared again to sort them.
    expect(reads).toBeLessThan(2 * SIZE)
  })
})

it('prints one form if all forms are the same', () => {
  const allocated = vi.spyOn(Uint8Array.prototype, 'subarray')
  expect(Array.from(canonicalForms(Buffer.from('{"b":1,"a":"x"}'), CANONICAL_FORMS))).toHaveLength(1)
  const { length } = allocated.mock.calls
  vi.restoreAllMocks()
  expect(length).toBe(1)
})

it('does not decode an ASCII body', () => {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode')
  Array.from(canonicalForms(Buffer.from('{"b":1,"a":"~\x7f"}'), ['source']))
  const { length } = decode.mock.calls
  vi.restoreAllMocks()
  expect(length).toBe(0)
})

it.each([
  ['an object', '{"a":1,"b":"x"}'],
  ['an object of one member', '{"b":1}'],
  ['objects inside', '{"a":{"a":1,"b":2},"b":{"a":1,"b":2},"c":3}'],
])('has no node for %s in order', (_, json) => {
  expect(new JsonDocument(Buffer.from(json)).tapeEnd).toBe(0)
})

it.each([
  ['its last members are not in order', '{"a":1,"c":2,"b":3}'],
  ['its first members are not in order', '{"b":1,"a":2,"c":3}'],
  ['a key is repeated', '{"a":1,"a":2}'],
  ['the object inside is not in order', '{"a":{"b":1,"a":2},"b":1}'],
])('has nodes for an object if %s', (_, json) => {
  expect(new JsonDocument(Buffer.from(json)).tapeEnd).toBeGreaterThan(0)
})

it('makes tokens only of numbers that a form may print differently', () => {
  const tokensOf = (json: string) => new JsonDocument(Buffer.from(json)).tokens
  expect(tokensOf('[0,7,-7,42,-42,123456789012345]')).toEqual([])
  expect(tokensOf('[-0]')).toEqual([1, 3])
  expect(tokensOf('[1234567890123456]')).toEqual([1, 17])
  expect(tokensOf('[1.0,1e5]')).toEqual([1, 4, 5, 8])
})
