import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { explain } from '../../src/index.js'
import { now, secret, t, v2, v3 } from '../support/genuine.js'

/** An event with fields of a merchant, whose names no rule knows. */
const sent =
  '{"type": "intent.processed", "intent_type": "PAYMENT", "data": {"intent_id": "i1", "intent": {"id": "i1", ' +
  '"status": "PROCESSED", "amount": 75.0, "fee": 1.0, "qty": 4, "rate": 1.25, "custom_fields": {"tags": [], "meta": {}, ' +
  '"k": "a/b \\u00fc <x>"}, "flow": null, "is_live": false}}, "api_version": "1.1"}'
const canonical =
  '{"api_version":"1.1","data":{"intent":{"amount":75.0,"custom_fields":{"k":"a/b\\u00fc<x>","meta":{},"tags":[]},' +
  '"fee":1.0,"flow":null,"id":"i1","is_live":false,"qty":4,"rate":1.25,"status":"PROCESSED"},"intent_id":"i1"},' +
  '"intent_type":"PAYMENT","type":"intent.processed"}'
const header = `t=${t},v1=${'a'.repeat(64)},v2=${v2(canonical)},v3=${v3(sent)}`

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

const value: unknown = JSON.parse(sent)
const printed = JSON.stringify(value)
const sortedText = JSON.stringify(sorted(value))
const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Given {
  readonly body: string | Uint8Array
  readonly header?: string
  readonly secret?: string
}

const combinations: readonly (readonly [names: string, what: string, given: Given])[] = [
  ['body-reserialized', 'JSON.stringify', { body: printed }],
  ['body-reserialized', 'sorted and indented', { body: JSON.stringify(sorted(value), null, 2) }],
  ['body-base64+body-reserialized', 'printed again, then base64', { body: base64(printed) }],
  ['body-compressed+body-reserialized', 'printed again, then gzip', { body: gzipSync(printed) }],
  [
    'body-json-string+body-reserialized',
    'printed again, then as a string',
    { body: JSON.stringify(printed) },
  ],
  [
    'header-quoted+body-reserialized',
    'printed again, quoted header',
    { body: printed, header: `"${header}"` },
  ],
  [
    'header-cut+body-reserialized',
    'printed again, header cut',
    { body: printed, header: header.slice(0, 180) },
  ],
  [
    'key-white-space+body-reserialized',
    'sorted, key with a line break',
    { body: sortedText, secret: `${secret}\n` },
  ],
  ['body-byte-order-mark', 'byte order mark and line break', { body: `\ufeff${sent}\n` }],
  ['body-trailing-newline', 'line breaks at both ends', { body: `\r\n${sent}\r\n` }],
  [
    'body-reserialized',
    'PHP with an empty object that no rule knows',
    { body: printed.replaceAll('/', '\\/').replace('"meta":{}', '"meta":[]').replace('\u00fc', '\\u00fc') },
  ],
  [
    'body-reserialized',
    'Lua with an empty list that no rule knows',
    { body: sortedText.replaceAll('/', '\\/').replace('"tags":[]', '"tags":{}') },
  ],
  [
    'body-html-escaped+body-reserialized',
    'printed again, with HTML escapes',
    { body: printed.replace('<', '&lt;').replace('>', '&gt;') },
  ],
  ['body-form-encoded', 'percent-encoded twice', { body: encodeURIComponent(encodeURIComponent(sent)) }],
  [
    'body-envelope',
    'an object with two texts, of which one is the body',
    { body: JSON.stringify({ note: '{}', inner: { text: sent } }) },
  ],
  [
    'body-reserialized',
    'a single null that was dropped',
    {
      body: '{"transaction":{"id":"t"},"value":5}',
      header: `t=${t},v2=${v2('{"transaction":{"billing_data":null,"id":"t"},"value":5.0}')},v3=${v3('x')}`,
    },
  ],
  ['body-base64', 'base64 twice', { body: base64(base64(sent)) }],
  [
    'body-reserialized',
    'JSON.stringify without the null member',
    { body: JSON.stringify(value, (_, member: unknown) => member ?? undefined) },
  ],
  ['body-reserialized', 'an amount with two decimals', { body: sent.replace('75.0', '75.00') }],
  ['', 'a changed version, printed again', { body: printed.replace('"1.1"', '"1.2"') }],
  ['', 'an amount as a string', { body: sent.replace('75.0', '"75.0"') }],
  ['', 'an id that is null', { body: sent.replace('"i1"', 'null') }],
]

describe('combinations that are not in the corpus', () => {
  it.each(combinations)(
    '%s: %s',
    async (names, _, { body, header: value = header, secret: key = secret }) => {
      const report = await explain(body, value, { secret: key, now, timeLimitMilliseconds: Infinity })
      const found = report.hypotheses.flatMap((hypothesis) => hypothesis.names)
      expect([...new Set(found)].sort()).toEqual(names.split('+').filter(Boolean).sort())
    },
  )
})
