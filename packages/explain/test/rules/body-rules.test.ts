import express from 'express'
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { HypothesisName } from '../../src/index.js'
import {
  accented,
  accentedHeader,
  apiKey,
  canonicalAccented,
  canonicalEvent,
  canonicalFixture,
  event,
  fixture,
  fixtureHeader,
  header,
  secret,
  signed,
  t,
  v1,
  v2,
  v3,
} from '../support/genuine.js'
import { expectFound, explained, itFinds, type Mistake } from '../support/mistake.js'
import { inExpress, throughFile, throughForwarder } from '../support/places.js'

/** Every name in this list has a test. */
type BodyHypothesis = Extract<HypothesisName, `body-${string}`>

const json = express.json()

/** A body that JavaScript prints unchanged, except for the white space. */
const plain = '{"type": "intent.processed", "amount": 7, "note": "a b"}'
const plainHeader = signed(plain, '{"amount":7,"note":"ab","type":"intent.processed"}')
const compact = '{"type":"intent.processed","amount":7,"note":"a b"}'
const compactHeader = signed(compact, '{"amount":7,"note":"ab","type":"intent.processed"}')

const mistakes: Readonly<Record<BodyHypothesis, readonly Mistake[]>> = {
  'body-reserialized': [
    [
      'a map of Go: sorted keys, escapes of HTML, and no .0',
      () => ({ body: canonicalEvent.replace('50.0', '50').replace('\\u00eb', '\u00eb') }),
    ],
    [
      'lua-cjson: {} for [], and no .0',
      () => {
        const sent = '{"amount": 50.0, "operations": [], "custom_fields": {}, "link": "a/b"}'
        const canonical = '{"amount":50.0,"custom_fields":{},"link":"a/b","operations":[]}'
        const body = '{"custom_fields":{},"link":"a\\/b","operations":{},"amount":50}'
        return { body, header: signed(sent, canonical) }
      },
    ],
    [
      'PHP: [] for {}, and no .0',
      () => {
        const sent = '{"amount": 50.0, "operations": [], "custom_fields": {}}'
        const canonical = '{"amount":50.0,"custom_fields":{},"operations":[]}'
        return { body: '{"amount":50,"operations":[],"custom_fields":[]}', header: signed(sent, canonical) }
      },
    ],
    [
      'Gson: no null, and .0 for integers',
      () => {
        const canonical =
          '{"count":3,"intent":{"custom_fields":null,"custom_form_answers":null,"id":"i"},' +
          '"transaction":{"billing_data":null,"id":"t"},"value":5.0}'
        const body = '{"intent":{"id":"i"},"transaction":{"id":"t"},"count":3.0,"value":5.0}'
        return { body, header: `t=${t},v2=${v2(canonical)},v3=${v3('anything')}` }
      },
    ],
    [
      'a single null that was dropped',
      () => {
        const canonical = '{"transaction":{"billing_data":null,"id":"t"},"value":5.0}'
        const body = '{"transaction":{"id":"t"},"value":5}'
        return { body, header: `t=${t},v2=${v2(canonical)},v3=${v3('anything')}` }
      },
    ],
    [
      'an integer above 2^53',
      () => {
        const header = `t=${t},v2=${v2('{"amount":5.0,"id":9007199254740993}')},v3=${v3('anything')}`
        return { body: '{"amount":5,"id":9007199254740992}', header }
      },
    ],
    [
      'express.json() and JSON.stringify(req.body)',
      () => inExpress(json, (req) => JSON.stringify(req.body), plain, plainHeader),
    ],
    [
      'the same with numbers and letters that JavaScript prints in another way',
      () => inExpress(json, (req) => JSON.stringify(req.body), event, header),
    ],
    [
      'the same if the header has only v3',
      () => inExpress(json, (req) => JSON.stringify(req.body), event, `t=${t},v3=${v3(event)}`),
    ],
    [
      'a forwarder that parses and prints the body',
      () => throughForwarder((bytes) => JSON.stringify(JSON.parse(bytes.toString())), event, header),
    ],
    [
      'a forwarder that prints a compact body with spaces',
      () =>
        throughForwarder(
          (bytes) =>
            bytes
              .toString()
              .replace(/(?<=")([:,])/g, '$1 ')
              .replace('7,', '7, '),
          compact,
          compactHeader,
        ),
    ],
    [
      'a fixture that was signed in several lines, and parsed and printed',
      () => ({
        body: JSON.stringify(JSON.parse(fixture.trim())),
        header: signed(fixture.trim(), canonicalFixture),
      }),
    ],
    [
      '10.0 became 10',
      () => ({ body: '{"amount":10,"count":3}', header: `t=${t},v3=${v3('{"amount":10.0,"count":3}')}` }),
    ],
    [
      'all whole numbers were floats',
      () => ({ body: '[1,2,3]', header: `t=${t},v3=${v3('[1.0,2.0,3.0]')}` }),
    ],
    [
      'all but one',
      () => ({ body: '{"a":1,"b":2,"c":3}', header: `t=${t},v3=${v3('{"a":1.0,"b":2,"c":3.0}')}` }),
    ],
    ['1e-07 became 1e-7', () => ({ body: '{"rate":1e-7}', header: `t=${t},v3=${v3('{"rate":1e-07}')}` })],
    [
      '1e+16 was printed in full',
      () => ({ body: '[10000000000000000]', header: `t=${t},v3=${v3('[1e+16]')}` }),
    ],
    ['10 became 10.0', () => ({ body: '{"amount": 10.0}', header: `t=${t},v3=${v3('{"amount": 10}')}` })],
    [
      '-0.0 became 0',
      () => ({ body: '{"amount":-5}', header: `t=${t},v1=${v1('{"amount":-5.0}')}`, options: { apiKey } }),
    ],
    [
      'escapes of Python that JavaScript prints as letters',
      () => ({
        body: accented,
        header: signed(
          '{"name":"Zo\\u00eb","city":"K\\u00f6ln","price":"5\\u20ac"}',
          '{"city":"K\\u00f6ln","name":"Zo\\u00eb","price":"5\\u20ac"}',
        ),
      }),
    ],
    [
      'the reverse',
      () => ({ body: '{"name":"Zo\\u00eb"}', header: `t=${t},v3=${v3('{"name":"Zo\u00eb"}')}` }),
    ],
    [
      'slashes that were escaped on the way',
      () => ({ body: '{"u":"a\\/b"}', header: `t=${t},v3=${v3('{"u":"a/b"}')}` }),
    ],
  ],
  'body-reindented': [
    [
      'an editor that formats on save',
      () => {
        const body = throughFile(compact, (path) => {
          writeFileSync(path, `${JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), undefined, 2)}\n`)
        })
        return { body, header: compactHeader }
      },
    ],
    [
      'tabs, where the body was signed indented by four spaces',
      () => {
        const value = JSON.parse(plain) as unknown
        const sent = JSON.stringify(value, undefined, 4)
        return { body: JSON.stringify(value, undefined, '\t'), header: `t=${t},v3=${v3(sent)}` }
      },
    ],
    [
      'tabs in a body that only v1 has signed',
      () => ({
        body: JSON.stringify(JSON.parse(plain), undefined, '\t'),
        header: `t=${t},v1=${v1(plain)}`,
        options: { apiKey },
      }),
    ],
  ],
  'body-not-verbatim': [
    [
      'an object that is built again from its fields',
      () => {
        const { data, ...rest } = JSON.parse('{"a":1,"data":[{"b":2,"c":{}}],"z":null}') as Record<
          string,
          unknown
        >
        const sent = '{"a":1,"data":[{"b":2,"c":{}}],"z":null}'
        return { body: JSON.stringify({ ...rest, data }), header: `t=${t},v2=${v2(sent)},v3=${v3(sent)}` }
      },
    ],
    [
      'white space that no printer here knows, and a number',
      () => {
        const sent = '{"amount" : 10.0 , "b" :[1 ,2 ]}'
        // Both v2 and the body as JavaScript prints it say 10.
        const value = `t=${t},v2=${v2('{"amount":10,"b":[1,2]}')},v3=${v3(sent)}`
        return { body: JSON.stringify(JSON.parse(sent)), header: value }
      },
    ],
    [
      'white space before the colons, which no printer here knows',
      () => {
        const sent = '{"amount" : 7, "name" : "Ann"}'
        const value = signed(sent, '{"amount":7,"name":"Ann"}')
        return { body: '{"amount":7,"name":"Ann"}', header: value, options: { secret, apiKey } }
      },
    ],
  ],
  'body-trailing-newline': [
    [
      'an editor that ends a file with a line break',
      () => ({
        body: throughFile(event, (path) => {
          writeFileSync(path, '\n', { flag: 'a' })
        }),
      }),
    ],
    ['one of Windows', () => ({ body: `${event}\r\n` })],
    ['two of them', () => ({ body: `${event}\n\n` })],
    ['a template that starts with a line break', () => ({ body: `\n${event}` })],
    ['and ends with one', () => ({ body: `\n  ${event}\n` })],
    ['code that trims both ends', () => ({ body: event, header: signed(`\n${event}\n`, canonicalEvent) })],
    ['code that trims what it reads', () => ({ body: fixture.trim(), header: fixtureHeader })],
    ['and trimmed a CRLF', () => ({ body: event, header: signed(`${event}\r\n`, canonicalEvent) })],
  ],
  'body-line-endings': [
    ['lines of 80', () => ({ body: event.replace(/.{80}/g, '$&\n') })],
    [
      'a fixture that git checked out on Windows',
      () => ({ body: fixture.replaceAll('\n', '\r\n'), header: fixtureHeader }),
    ],
    [
      'a template with CRLF whose copy was normalized',
      () => ({ body: fixture, header: signed(fixture.replaceAll('\n', '\r\n'), canonicalFixture) }),
    ],
  ],
  'body-byte-order-mark': [
    ['a file that was saved as "UTF-8 with BOM"', () => ({ body: throughFile(`\ufeff${event}`) })],
    [
      'a decoder that takes the mark away',
      async () => ({
        body: await new Response(`\ufeff${event}`).text(),
        header: signed(`\ufeff${event}`, canonicalEvent),
      }),
    ],
  ],
  'body-charset': [
    [
      'setEncoding("latin1") on the stream',
      () => ({ body: Buffer.from(accented).toString('latin1'), header: accentedHeader }),
    ],
    [
      'a file that was read as Windows-1252',
      () => ({ body: new TextDecoder('windows-1252').decode(Buffer.from(accented)), header: accentedHeader }),
    ],
    [
      'a database that keeps Latin-1',
      () => {
        const sent = accented.replace('\u20ac', '')
        return {
          body: Buffer.from(sent, 'latin1'),
          header: signed(sent, canonicalAccented.replace('\u20ac', '')),
        }
      },
    ],
    [
      'one that keeps Windows-1252',
      () => ({
        body: Buffer.from(accented.replace('\u20ac', '#'), 'latin1').map((byte) =>
          byte === 0x23 ? 0x80 : byte,
        ),
        header: accentedHeader,
      }),
    ],
    [
      'the redirection of PowerShell',
      () => ({ body: Buffer.from(`\ufeff${accented}`, 'utf16le'), header: accentedHeader }),
    ],
    [
      'UTF-16 of the other kind, with its mark',
      () => ({ body: Buffer.from(`\ufeff${accented}`, 'utf16le').swap16(), header: accentedHeader }),
    ],
    [
      'UTF-16 of the other kind',
      () => ({ body: Buffer.from(accented, 'utf16le').swap16(), header: accentedHeader }),
    ],
  ],
  'body-base64': [
    ['a gateway that gives bodies as base64', () => ({ body: Buffer.from(event).toString('base64') })],
    ['and in lines', () => ({ body: Buffer.from(event).toString('base64').replace(/.{76}/g, '$&\n') })],
    [
      'one that decodes a body that was signed as base64',
      () => ({ body: event, header: `t=${t},v3=${v3(Buffer.from(event).toString('base64'))}` }),
    ],
  ],
  'body-json-string': [
    [
      'addslashes() of PHP, which escapes apostrophes too',
      () => {
        const sent = `{"a":"it's"}`
        return { body: `{\\"a\\":\\"it\\'s\\"}`, header: `t=${t},v3=${v3(sent)}` }
      },
    ],
    ['stripslashes() of PHP', () => ({ body: event.replaceAll('\\', '') })],
    [
      'JSON.stringify() of a text',
      () => throughForwarder((bytes) => JSON.stringify(bytes.toString()), event, header),
    ],
    ['a fixture with escaped quotes', () => ({ body: JSON.stringify(event).slice(1, -1) })],
  ],
  'body-quoted': [
    ["curl -d '...' in cmd.exe", () => ({ body: `'${event}'` })],
    ['a YAML value and its line break', () => ({ body: `"${event}"\n` })],
  ],
  'body-form-encoded': [
    [
      'urldecode() of PHP: a blank for each plus',
      () => {
        const sent = '{"phone": "+4520123456", "mail": "a+b@c.de", "at": "2025-03-27 15:41:05.52+00:00"}'
        return { body: sent.replaceAll('+', ' '), header: `t=${t},v3=${v3(sent)}` }
      },
    ],
    ['curl --data-urlencode', () => ({ body: encodeURIComponent(event) })],
    ['a form with a field', () => ({ body: new URLSearchParams({ payload: event }).toString() })],
    [
      'express.urlencoded(), which takes JSON for the name of a field',
      () =>
        inExpress(
          express.urlencoded({ extended: false }),
          (req) => `${Object.keys(req.body as object)[0]!}=`,
          compact,
          compactHeader,
          'application/x-www-form-urlencoded',
        ),
    ],
  ],
  'body-html-escaped': [
    [
      'htmlspecialchars() of PHP',
      () => ({ body: event.replaceAll('"', '&quot;').replaceAll('/', '&#x2F;').replaceAll('5', '&#53;') }),
    ],
    [
      'htmlentities() of PHP, which escapes letters too',
      () => {
        const sent = '"Zo\u00eb \u00f8 \u20ac & Co, &nope; &#0;"'
        const escaped = sent
          .replace('\u00eb', '&euml;')
          .replace('\u00f8', '&oslash;')
          .replace('\u20ac', '&euro;')
        return {
          body: escaped.replace('& Co', '&amp; Co').replaceAll('"', '&quot;'),
          header: `t=${t},v3=${v3(sent)}`,
        }
      },
    ],
  ],
  'body-chunked': [
    [
      'a reader of the socket, with two chunks',
      () => ({
        body: `64\r\n${event.slice(0, 100)}\r\n${(event.length - 100).toString(16)}\r\n${event.slice(100)}\r\n0\r\n\r\n`,
      }),
    ],
    [
      'the line with the size of the only chunk',
      () => ({ body: `${event.length.toString(16)}\r\n${event}` }),
    ],
  ],
  'body-compressed': [
    ['gzip', () => ({ body: gzipSync(event) })],
    ['deflate', () => ({ body: deflateSync(event) })],
    ['deflate without a header', () => ({ body: deflateRawSync(event) })],
    ['brotli', () => ({ body: brotliCompressSync(event) })],
  ],
  'body-unicode-form': [
    ['a text that was decomposed', () => ({ body: accented.normalize('NFD'), header: accentedHeader })],
    [
      'a text that was composed',
      () => ({ body: accented, header: `t=${t},v3=${v3(accented.normalize('NFD'))}` }),
    ],
  ],
  'body-envelope': [
    [
      'two texts, of which one is the body',
      () => ({ body: JSON.stringify({ note: '{}', inner: { text: event } }) }),
    ],
    ['a whole request', () => ({ body: `POST /webhooks HTTP/1.1\r\nHost: shop.example\r\n\r\n${event}` })],
    [
      'a form with parts',
      () => ({
        body: `--x1\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${event}\r\n--x1--\r\n`,
      }),
    ],
    [
      'a Lambda event',
      () => ({ body: JSON.stringify({ version: '2.0', headers: {}, body: event, isBase64Encoded: false }) }),
    ],
    [
      'one whose body is base64',
      () => ({
        body: JSON.stringify({ body: Buffer.from(event).toString('base64'), isBase64Encoded: true }),
      }),
    ],
    [
      'a forwarder that keeps the JSON as JSON',
      () =>
        throughForwarder((bytes) => `{"received":1,"payload":${bytes.toString()}}`, compact, compactHeader),
    ],
  ],
  'body-bytes-printed': [
    ['fmt.Sprint() of Go', () => ({ body: `[${[...Buffer.from(event)].join(' ')}]` })],
    ['hex digits', () => ({ body: Buffer.from(event).toString('hex') })],
    ['the log of nginx', () => ({ body: event.replaceAll('\\', '\\x5C').replaceAll('"', '\\x22') })],
    [
      'JSON.stringify() of a Buffer',
      () => inExpress(express.raw({ type: '*/*' }), (req) => JSON.stringify(req.body), event, header),
    ],
    [
      'JSON.stringify() of a Uint8Array',
      () => ({ body: JSON.stringify(new Uint8Array(Buffer.from(event))) }),
    ],
    ['String() of a Uint8Array', () => ({ body: String(new Uint8Array(Buffer.from(event))) })],
    ['a list of numbers', () => ({ body: JSON.stringify([...Buffer.from(event)]) })],
    [
      "Python's bytes with line breaks",
      () => ({ body: `b'${fixture.replaceAll('\n', '\\n')}'`, header: fixtureHeader }),
    ],
    [
      "Python's bytes with quotes and backslashes",
      () => ({
        body: String.raw`b'{"a":"it\'s \\n"}'`,
        header: `t=${t},v3=${v3(String.raw`{"a":"it's \n"}`)}`,
      }),
    ],
    [
      "Python's bytes, as str() prints them",
      () => ({ body: `b'${accentedAsPython}'`, header: accentedHeader }),
    ],
  ],
}

const accentedAsPython = '{"name":"Zo\\xc3\\xab","city":"K\\xc3\\xb6ln","price":"5\\xe2\\x82\\xac"}'

describe('faults of the body are found', () => {
  itFinds(mistakes)
})

it('a body that is too deep to be printed indented is still proven by v2', async () => {
  const nested = (item: string) => `${'['.repeat(200)}${`${item},`.repeat(200)}${item}${']'.repeat(200)}`
  const value = `t=${t},v2=${v2(nested('1.0'))},v3=${v3('in a layout that no rule knows')}`
  const arrival = { body: nested('1'), header: value }
  const report = await expectFound(arrival, 'body-reserialized')
  expect(report.hypotheses[0]!.versions).toEqual(['v2'])
})

it('reports where the difference begins, and nothing else about the body', async () => {
  const report = await expectFound({ body: compact, header: plainHeader }, 'body-reserialized')
  expect(report.hypotheses[0]!.happened).toMatch(
    /\(the bodies differ from byte 8 on: 0x20 was signed, 0x22 arrived\)$/,
  )
})

it.each([
  ['a line break of Windows', `${event}\r\n`, 'the body has CRLF (0x0d 0x0a) at its end that was not signed'],
  ['one line break', `${event}\n`, 'the body has a line feed (0x0a) at its end that was not signed'],
  ['more white space', `${event} \t`, 'the body has white space at its end (2 bytes) that was not signed'],
  [
    'an envelope, without any byte of it',
    JSON.stringify({ body: event }),
    'the body that arrived is a JSON object that contains the one that was signed as a text',
  ],
])('describes the fault exactly: %s', async (_, body, happened) => {
  const { report } = await explained({ body })
  expect(report.hypotheses[0]!.happened).toBe(happened)
})

it('numbers and letters that were printed in another way are one fault, even if no white space changed', async () => {
  const sent = '{"amount":10.0,"name":"Zo\\u00eb"}'
  const report = await expectFound(
    { body: '{"amount":10,"name":"Zo\u00eb"}', header: signed(sent, sent) },
    'body-reserialized',
  )
  expect(report.hypotheses[0]!.happened).toMatch(
    /^the body was re-serialized: it was signed with letters beyond ASCII as .* and arrived compact/,
  )
})

it('reports the print style of the signed body', async () => {
  const body = JSON.stringify(JSON.parse(event))
  const report = await expectFound({ body, header }, 'body-reserialized')
  expect(report.hypotheses[0]!.happened).toContain(
    'the body was re-serialized: it was signed with letters beyond ASCII as \\u escapes, ' +
      'with whole numbers of one field as 10.0, and arrived compact, as JSON.stringify prints',
  )
  expect(report.hypotheses[0]!.versions).toEqual(['v2'])
})
