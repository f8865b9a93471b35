import stableStringify from 'fast-json-stable-stringify'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalForms } from '../../../src/signature/canonical-json/forms.js'
import { CANONICAL_FORMS, type CanonicalForm } from '../../../src/signature/names.js'
import { gaps, print, reversed, trees } from '../../support/json.js'
import { refusalOf } from '../../support/refusal.js'

function canonical(text: string | Uint8Array, form: CanonicalForm): string {
  const [printed] = canonicalForms(Buffer.from(text as string), [form])
  return Buffer.from(printed!.bytes).toString()
}

describe.each(CANONICAL_FORMS)('the canonical form "%s"', (form) => {
  it('does not depend on the layout', () => {
    fc.assert(
      fc.property(trees, gaps, (tree, gap) => {
        expect(canonical(print(tree, gap), form)).toBe(canonical(print(tree), form))
      }),
    )
  })

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(canonical(print(reversed(tree)), form)).toBe(canonical(print(tree), form))
      }),
    )
  })

  it('skips one byte order mark, but not a second one', async () => {
    expect(canonical('\ufeff{"b":1,"a":2}', form)).toBe('{"a":2,"b":1}')
    expect((await refusalOf(() => canonical('\ufeff\ufeff{}', form))).code).toBe('ERR_BODY_NOT_JSON')
  })

  // Each shares two of its three bytes with a byte order mark.
  it.each(['\u2eff', '\uffbf', '\ufefe'])('does not take %o for a byte order mark', async (character) => {
    expect((await refusalOf(() => canonical(`${character}{}`, form))).code).toBe('ERR_BODY_NOT_JSON')
  })

  it('accepts 512 levels and no more', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const inObjects = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
    expect(canonical(nested(512), form)).toBe(nested(512))
    expect(canonical(inObjects(512), form)).toBe(inObjects(512))
    for (const text of [nested(513), inObjects(513), nested(100_000)]) {
      const error = await refusalOf(() => canonical(text, form))
      expect(error.code).toBe('ERR_BODY_NOT_JSON')
      expect(error.message).toContain('it is nested deeper than 512 levels')
    }
    expect((await refusalOf(() => canonical('['.repeat(1_000_000), form))).code).toBe('ERR_BODY_NOT_JSON')
  })
})

it('accepts the same texts as JSON.parse', () => {
  const pieces = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      'a',
      'u00e9',
      'u00g',
      'n',
      'true',
      'nul',
      'false',
      'NaN',
      '-',
      '+',
    ],
    ...[
      '0',
      '1',
      '12',
      '.',
      'e',
      'E',
      ' ',
      '\t',
      '\n',
      '\v',
      '\u00a0',
      '\u0000',
      '\u001f',
      '\ufeff',
      "'",
      '/*',
    ],
  )
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
    fc.tuple(trees, fc.nat(), pieces).map(([tree, place, piece]) => {
      const text = print(tree)
      return text.slice(0, place % (text.length + 1)) + piece + text.slice(place % (text.length + 1))
    }),
    fc.tuple(trees, fc.nat()).map(([tree, place]) => print(tree).slice(0, place % 40)),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const isJson = accepts(() => JSON.parse(text.replace(/^\ufeff/, '')))
      expect(accepts(() => canonical(text, 'source'))).toBe(isJson)
    }),
    { numRuns: 20_000 },
  )
})

it.each([
  ['byte 6 does not belong there', '{"a": }'],
  ['byte 2 does not belong there', '"a\u0001"'],
  ['byte 3 does not belong there', '"a\\x"'],
  ['byte 5 does not belong there', '"\\u00g0"'],
  ['it ends too early', '{"a":'],
  ['it ends too early', '"abc'],
  ['it ends too early', ''],
])('says where a body stops being JSON: %s', async (message, text) => {
  expect((await refusalOf(() => canonical(text, 'source'))).message).toContain(message)
})

it('says that a body is not UTF-8', async () => {
  expect((await refusalOf(() => canonical(new Uint8Array([0x22, 0xff, 0x22]), 'source'))).message).toContain(
    'it is not valid UTF-8',
  )
})

it('"ecmascript" prints the same text as the library that JavaScript senders use', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const text = print(tree)
      const printed = stableStringify(JSON.parse(text)).replace(/[ \n\r]/g, '')
      expect(canonical(text, 'ecmascript')).toBe(Buffer.from(printed).toString())
    }),
  )
})

it('prints a body with more tokens than it allocates room for at first', () => {
  const items = (item: string) => `[${Array.from({ length: 1000 }, () => item).join()}]`
  const body = items('{"b":-0,"a":1.0,"\\u0061":1e16}')
  expect(canonical(body, 'source')).toBe(items('{"\\u0061":1e16,"b":-0}'))
  expect(canonical(body, 'ecmascript')).toBe(items('{"a":10000000000000000,"b":0}'))
  expect(canonical(body, 'python')).toBe(items('{"a":1e+16,"b":0}'))
})

it('removes spaces only after keys are sorted and characters are decoded', () => {
  const body = '{"b":"\\ud83d \\ude00","a b":1,"a":"x\\u0020y","ab":2}'
  expect(canonical(body, 'source')).toBe('{"a":"x\\u0020y","ab":1,"ab":2,"b":"\\ud83d\\ude00"}')
  expect(canonical(body, 'ecmascript')).toBe('{"a":"xy","ab":1,"ab":2,"b":"\\ud83d\\ude00"}')
})

it.each([
  ['123456789012345', '123456789012345', '123456789012345'],
  ['9007199254740993', '9007199254740992', '9007199254740993'],
  ['-0', '0', '0'],
  ['-0.0', '0', '-0.0'],
  ['10.0', '10', '10.0'],
  ['1e400', 'null', 'Infinity'],
  ['0.0001', '0.0001', '0.0001'],
  ['0.00001', '0.00001', '1e-05'],
  ['1e16', '10000000000000000', '1e+16'],
  ['1e15', '1000000000000000', '1000000000000000.0'],
])('prints the number %s as JavaScript and as Python do', (source, ecmascript, python) => {
  expect(canonical(source, 'source')).toBe(source)
  expect(canonical(source, 'ecmascript')).toBe(ecmascript)
  expect(canonical(source, 'python')).toBe(python)
})

it('prints the examples of docs/specification.md as its table shows', () => {
  const page = readFileSync(new URL('../../../../../docs/specification.md', import.meta.url), 'utf8')
  const [, table = ''] = /<!-- forms -->\n([^]*?)<!-- \/forms -->/.exec(page)!
  const rows = Array.from(table.matchAll(/^\| `.*$/gm), ([row]) =>
    Array.from(row.matchAll(/`([^`]+)`/g), ([, cell]) => cell!),
  )
  expect(rows.length).toBeGreaterThan(4)
  for (const [body, ...printed] of rows)
    expect(CANONICAL_FORMS.map((form) => canonical(body!, form))).toEqual(printed)
})

it('a form that prints the same as an earlier one is left out', () => {
  const forms = (text: string) =>
    Array.from(canonicalForms(Buffer.from(text), CANONICAL_FORMS), ({ form }) => form)
  expect(forms('{"b":1,"a":[true,"x"]}')).toEqual(['source'])
  expect(forms('{"a":10.0}')).toEqual(['source', 'ecmascript'])
  expect(forms('{"a":"\u00e9"}')).toEqual(['source', 'python'])
  expect(forms('{"a":1e5}')).toEqual(['source', 'ecmascript', 'python'])
})

function accepts(call: () => unknown): boolean {
  try {
    call()
    return true
  } catch {
    return false
  }
}
