import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { QuestionName } from '../../src/index.js'
import { apiKey, canonicalEvent, event, header, hmac, now, secret, t } from '../support/genuine.js'
import { explained, type Arrival } from '../support/mistake.js'

/** The fingerprint of a key. */
function print(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}

const forged = header.replace(/=[0-9a-f]{64}/g, (digest) => `=${hmac('another key', digest)}`)
const utf8 = '{"type": "intent.processed", "name": "Zo\u00eb"}'
const later = event.replace('2025-03-27T15:41:20', '2025-03-27T16:21:20')

const asked: readonly (readonly [name: QuestionName, evidence: string, arrival: Arrival])[] = [
  ['header-missing', 'There is no Service-Signature header.', { body: event, header: undefined }],
  [
    'header-cut',
    'The header is cut within v1, after 50 of 64 digits.',
    { body: event, header: header.slice(0, 66) },
  ],
  ['header-cut', 'The header is cut after a comma.', { body: event, header: `${header.slice(0, 80)},v` }],
  [
    'clock-units',
    'As milliseconds, the time that was given is in 1970.',
    { body: event, options: { secret, now: now / 1000 } },
  ],
  ['header-incomplete', 'The header has v3 and no "t"', { body: event, header: `v3=${'0'.repeat(64)}` }],
  [
    'key-placeholder',
    'The key "secret" looks like a variable',
    { body: event, options: { secret: '$WEBHOOK_SECRET' } },
  ],
  ['key-placeholder', 'the text "undefined" or "null"', { body: event, options: { secret: 'undefined' } }],
  ['body-consumed', 'The body is empty.', { body: '' }],
  ['body-consumed', 'what JavaScript prints for an object', { body: '[object Object]' }],
  [
    'body-compressed',
    'its first bytes are those of zstd',
    { body: Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 1, 2, 3, 4, 5, 6) },
  ],
  ['body-printed-object', 'what Python prints for a dict', { body: "{'type': 'intent.processed'}" }],
  ['body-printed-object', 'what Ruby prints for a hash', { body: '{"type"=>"intent.processed"}' }],
  ['body-printed-object', 'what Go prints for a map', { body: 'map[type:intent.processed]' }],
  ['body-cut', 'after 255 bytes (a column of 255 characters)', { body: event.slice(0, 255) }],
  ['body-cut', 'after 200 bytes.', { body: event.slice(0, 200) }],
  ['body-cut', 'after 2,048 bytes (a buffer of 2,048 bytes)', { body: `["${'x'.repeat(2046)}` }],
  ['body-cut', 'The body starts within its JSON', { body: event.slice(20) }],
  [
    'key-placeholder',
    'looks like a masked value',
    { body: event, options: { secret: `${secret.slice(0, 4)}****` } },
  ],
  [
    'body-reserialized',
    'with its keys sorted, with an amount as 50, which Python prints as 50.0.',
    {
      body: canonicalEvent.replace('50.0', '50'),
      header: header.replace(/,v[12]=[^,]*/g, ''),
    },
  ],
  ['body-characters-lost', 'There is "?" within words', { body: utf8.replace('Zo\u00eb', 'Zoe ? you') }],
  [
    'body-characters-lost',
    'There are replacement characters (U+FFFD)',
    { body: utf8.replace('\u00eb', '\ufffd') },
  ],
  ['body-characters-lost', 'There is "?" within words', { body: utf8.replace('\u00eb', '?l') }],
  ['body-changed', 'a time that is 2400 s (40 min) after the signature', { body: later, header: forged }],
  ['integers-rounded', 'an integer above 2^53', { body: '{"id":1234567890123456789}', header: forged }],
  [
    'body-changed',
    'No digest matches, neither under',
    { body: event, header: forged, options: { secret, apiKey } },
  ],
  ['key-other', 'Nothing that was tried makes v3 match', { body: event, header: forged }],
  [
    'key-other',
    `Nothing that was tried makes v3 match under secret (${print(secret)}) or apiKey (${print(apiKey)}), while v1 matches.`,
    {
      body: event,
      header: header.replace(/v2=.*/, `v3=${'0'.repeat(64)}`),
      options: { secret, apiKey, versions: ['v1', 'v3'] },
    },
  ],
]

describe('a cause that no digest can prove becomes a question with its evidence', () => {
  it.each(asked)('%s: %s', async (name, evidence, arrival) => {
    const { report, text } = await explained(arrival)
    const [first] = report.questions
    expect(report.hypotheses).toEqual([])
    expect(first).toMatchObject({ name })
    expect(first!.evidence).toContain(evidence)
    expect(report.finding).toBe(`${first!.asks} ${first!.evidence}`)
    expect(text.split('\n')[1]).toContain(`Fix: ${first!.fix.split(' ', 3).join(' ')}`)
  })

  it.each([
    ['a time before the signature', event],
    ['brackets that do not match', '{"a":[1}'],
    ['text after the JSON', '{"a":1} and more'],
    ['a brace at the end of a text', 'some text }'],
    ['a list of a program', '}, "a" }'],
    ['a question in a text', '{"note": "Why? Because"}'],
    ['a question in a URL', '{"link": "https://shop.example/orders?id=7"}'],
  ])('but there is no question about the body for %s', async (_, body) => {
    const { report } = await explained({ body, header: forged })
    expect(report.questions.map(({ name }) => name)).toEqual(['key-other'])
  })

  it('also about a body of which only the end is inspected', async () => {
    const { report } = await explained({ body: event.slice(0, 255), options: { secret, bodyLimit: 100 } })
    expect(report.questions.map(({ name }) => name)).toEqual(['body-cut'])
    expect(report.finding).toBe(
      'Was the body cut? The body ends within its JSON, after 255 bytes (a column of 255 characters).',
    )
  })

  it('but not if a cause is proven or the delivery verifies', async () => {
    for (const body of [event, `${event}\n`]) {
      const { report } = await explained({ body, header, options: { secret, now: Number(t) * 1000 } })
      expect(report.questions).toEqual([])
    }
  })
})
