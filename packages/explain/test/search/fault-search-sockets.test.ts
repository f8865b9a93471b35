import express from 'express'
import { describe, it } from 'vitest'
import type { HypothesisName } from '../../src/index.js'
import {
  accented,
  accentedHeader,
  apiKey,
  canonicalEvent,
  event,
  fixture,
  fixtureHeader,
  header,
  secret,
  signed,
  t,
  v3,
} from '../support/genuine.js'
import { expectFound, type Arrival } from '../support/mistake.js'
import { inExpress, throughFile, throughForwarder } from '../support/places.js'

type Pair = readonly [
  names: readonly HypothesisName[],
  sentence: string,
  make: () => Arrival | Promise<Arrival>,
]

const crlf = (text: string) => text.replaceAll('\n', '\r\n')
const reserialized = (text: string) => JSON.stringify(JSON.parse(text))
const onlyV3 = (text: string) => `t=${t},v3=${v3(text)}`
const plain = '{"type": "intent.processed", "amount": 7, "note": "a b"}'

const pairs: readonly Pair[] = [
  [
    ['key-white-space', 'body-reserialized'],
    'express.json(), and a secret with the line break of its file',
    async () => ({
      ...(await inExpress(
        express.json(),
        (req) => JSON.stringify(req.body),
        plain,
        signed(plain, '{"amount":7,"note":"ab","type":"intent.processed"}'),
      )),
      options: { secret: `${secret}\n` },
    }),
  ],
  [
    ['key-white-space', 'body-reserialized'],
    'the same with numbers and letters that JavaScript prints otherwise',
    () => ({ body: reserialized(event), options: { secret: `${secret}\n` } }),
  ],
  [
    ['key-white-space', 'body-reserialized'],
    'the same where the header has v3 alone',
    () => ({ body: reserialized(plain), header: onlyV3(plain), options: { secret: ` ${secret}` } }),
  ],
  [
    ['key-quoted', 'body-reserialized'],
    'a forwarder, and a .env file with quotes',
    async () => ({
      ...(await throughForwarder((bytes) => reserialized(bytes.toString()), event, header)),
      options: { secret: `"${secret}"` },
    }),
  ],
  [
    ['keys-swapped', 'body-reserialized'],
    'two variables mixed up, after express.json()',
    () => ({ body: reserialized(event), options: { secret: apiKey, apiKey: secret } }),
  ],
  [
    ['keys-swapped', 'body-trailing-newline'],
    'two variables mixed up, and the line break of an editor',
    () => ({ body: `${event}\n`, options: { secret: apiKey, apiKey: secret } }),
  ],
  [
    ['key-white-space', 'body-trailing-newline'],
    'a body and a secret, both from files that echo wrote',
    () => ({ body: throughFile(`${event}\n`), options: { secret: throughFile(`${secret}\n`).toString() } }),
  ],
  [
    ['key-white-space', 'body-line-endings'],
    'a fixture and a secret that were edited on Windows',
    () => ({ body: crlf(fixture), header: fixtureHeader, options: { secret: `${secret}\r\n` } }),
  ],
  [
    ['key-quoted', 'body-byte-order-mark'],
    'a fixture with a byte order mark, and a secret with quotes',
    () => ({ body: `\ufeff${fixture}`, header: fixtureHeader, options: { secret: `'${secret}'` } }),
  ],
  [
    ['key-base64', 'body-trailing-newline'],
    'the data of a Kubernetes secret, and the line break of an editor',
    () => ({ body: `${event}\n`, options: { secret: Buffer.from(secret).toString('base64') } }),
  ],
  [
    ['key-quoted', 'key-white-space'],
    'quotes around a secret with a line break, and one within',
    () => ({ body: event, options: { secret: `"${secret} "` } }),
  ],
  [
    ['key-white-space', 'key-base64'],
    'base64 that was printed with its line break',
    () => ({ body: event, options: { secret: ` ${Buffer.from(secret).toString('base64')}` } }),
  ],
  [
    ['header-hex-upper-case', 'body-line-endings'],
    'a template with CRLF, and C# that prints the digest',
    () => ({
      body: crlf(fixture),
      header: fixtureHeader.replace(/[0-9a-f]{64}/g, (hex) => hex.toUpperCase()),
    }),
  ],
  [
    ['header-quoted', 'key-white-space'],
    'a header from a CSV file, and a secret from a file',
    () => ({ body: event, header: `"${header}"`, options: { secret: `${secret}\n` } }),
  ],
  [
    ['header-name-in-value', 'body-reserialized'],
    'a header that was copied with its name, and a body from a log',
    () => ({ body: reserialized(event), header: `Service-Signature: ${header}` }),
  ],
  [
    ['header-milliseconds', 'body-trailing-newline'],
    "a test of one's own with Date.now() and a file",
    () => ({ body: `${event}\n`, header: signed(event, canonicalEvent, { t: `${t}777` }) }),
  ],
  [
    ['header-version-missing', 'key-white-space'],
    'an older sender, and a secret from a file',
    () => ({ body: event, header: header.replace(/,v3=.*/, ''), options: { secret: `${secret}\n` } }),
  ],
  [
    ['body-line-endings', 'body-byte-order-mark'],
    'a fixture that an editor of Windows saved',
    () => ({ body: `\ufeff${crlf(fixture)}`, header: fixtureHeader }),
  ],
  [
    ['body-charset', 'body-trailing-newline'],
    'the redirection of PowerShell, with its line break',
    () => ({ body: Buffer.from(`\ufeff${accented}\r\n`, 'utf16le'), header: accentedHeader }),
  ],
  [
    ['body-base64', 'body-trailing-newline'],
    'base64 of a file that an editor ended with a line break',
    () => ({ body: Buffer.from(`${event}\n`).toString('base64') }),
  ],
  [
    ['body-json-string', 'body-reserialized'],
    'a forwarder that prints JSON in a JSON string',
    () => ({ body: JSON.stringify(reserialized(event)) }),
  ],
  [
    ['body-envelope', 'body-reserialized'],
    'a queue that prints what it carries',
    () => ({ body: JSON.stringify({ body: reserialized(event) }) }),
  ],
]

describe('two faults at once', () => {
  it.each(pairs)('%j: %s', async (names, _, make) => {
    await expectFound(await make(), ...names)
  })
})
