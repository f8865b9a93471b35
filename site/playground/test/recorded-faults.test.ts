import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCases, type Case } from '../../../packages/explain/test/corpus/corpus.js'

/** The recordings that the playground offers, by their ids, with the titles that it shows. */
const TITLES: Readonly<Record<string, string>> = {
  'php, printed: json_encode(json_decode($body, true)) (intent)': 'PHP re-serialized the body: {} became []',
  'go, printed: json.Unmarshal into a map, json.Marshal (transaction)':
    'Go sorted the keys, and printed 50.0 as 50',
  'ruby, wrapped: Base64.encode64, in lines of 60 (transaction)': 'The body is still base64',
  'node, wrapped: a Lambda event (intent)': 'A Lambda event was verified in place of its body',
  'java, text: new String(bytes, ISO_8859_1) (intent-utf8)': 'The body was decoded as Latin-1',
  'ruby, text: gsub("\\n", "\\r\\n") (indented)': 'Line breaks became CRLF',
  'node, header: hex in upper case (intent)': 'The digests of the header are in upper case',
  'python, header: quote (intent)': 'The header is percent-encoded',
  'node, key: readFileSync(file) (intent)': 'The secret was read with the line break of its file',
  'node, time: local time taken for UTC: two hours (intent)': 'The clock has the local time in place of UTC',
}

const corpus = new URL('../../../packages/explain/test/corpus/', import.meta.url)
const file = new URL('../src/recorded-faults.json', import.meta.url)

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

function faultOf({ id, sent, body, header, value, secret, bytes, options }: Case) {
  expect(options.apiKey).toBeUndefined()
  expect(options.versions).toBeUndefined()
  const given = {
    ...(body !== undefined && { body: textOf(bytes) }),
    ...(header !== undefined && { header: value }),
    ...(secret !== undefined && { secret }),
    receivedAt: options.now,
  }
  return { id, title: TITLES[id], sent, given }
}

// Written by: UPDATE_EXAMPLES=1 npx vitest run recorded-faults
it('the recorded faults of the playground are those of the corpus of explain', () => {
  const cases = readCases(corpus).filter(({ id }) => id in TITLES)
  expect(cases).toHaveLength(10)
  const names = new Set(['transaction', ...cases.map(({ sent }) => sent)])
  const lines = readFileSync(new URL('sent.jsonl', corpus), 'utf8').trimEnd().split('\n')
  const sent = lines
    .map((line) => JSON.parse(line) as Record<'name' | 'header' | 'body' | 'secret' | 'apiKey', string>)
    .filter(({ name }) => names.has(name))
  const { secret, apiKey } = sent[0]!
  const expected = {
    secret,
    apiKey,
    sent: Object.fromEntries(
      sent.map(({ name, header, body }) => [name, { header, body: textOf(Buffer.from(body, 'base64')) }]),
    ),
    faults: cases.map(faultOf),
  }
  if (process.env['UPDATE_EXAMPLES'] !== undefined) {
    const json = JSON.stringify(expected, undefined, 2)
    const ascii = json.replace(
      /[^\0-\x7e]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    writeFileSync(file, `${ascii}\n`)
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(expected)
})
