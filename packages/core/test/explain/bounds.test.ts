import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExplainReport } from '../../src/explain.js'
import { runs } from '../support/runs.js'
import { text } from '../support/text.js'
import { buildCounting } from './support/counting.js'
import { bodies, headerFaults, headerOver, keys } from './support/deliveries.js'
import { entries } from './support/entries.js'
import { apiKey, event, header, now, secret, signed, t, v1, v2, v3 } from './support/genuine.js'

const LONG = { timeout: runs(60_000) }

/** Bodies that are as bad as a body can be, of about so many bytes. */
const shapes: readonly (readonly [shape: string, make: (size: number) => string | Uint8Array])[] = [
  ['an event', (size) => `[${Array.from({ length: size / event.length }, () => event).join(', ')}]`],
  ['numbers', (size) => JSON.stringify(Array.from({ length: size / 2 }, (_, i) => i % 10))],
  ['depth', (size) => '['.repeat(500) + '1,'.repeat(size / 2) + '1' + ']'.repeat(500)],
  ['too much depth', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  [
    'keys',
    (size) => JSON.stringify(Object.fromEntries(Array.from({ length: size / 12 }, (_, i) => [`k${i}`, i]))),
  ],
  ['escapes', (size) => JSON.stringify('\u00e9/\\"'.repeat(size / 8))],
  ['white space', (size) => ' \n'.repeat(size / 2)],
  ['percent signs', (size) => '%7B'.repeat(size / 3)],
  ['base64', (size) => Buffer.alloc((size * 3) / 4, event).toString('base64')],
  ['list of bytes', (size) => '123,'.repeat(size / 4) + '1'],
  ['any bytes', (size) => Uint8Array.from({ length: size }, (_, i) => (i * 7919) % 251)],
]

function otherHeader(): string {
  return header.replace(/[0-9a-f]{64}/g, (hex) => hex.slice(32) + hex.slice(0, 32))
}

describe.each(entries)('the bounds, on $digest', ({ explain }) => {
  it.each(shapes)('hold for a body of 64 KB of %s', async (_, make) => {
    const report = await explain(make(65_536), otherHeader(), {
      secret: `${secret},x,true`,
      apiKey: 'acct',
      now,
    })
    expect(report.hypotheses).toEqual([])
    expect(report.hmacs).toBeLessThanOrEqual(200)
  })

  it('hold for as many keys as there may be', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `"key_${index} "`)
    const options = { secret: many, apiKey: many, versions: ['v1', 'v2', 'v3'], now } as const
    const report = await explain('{"a":1.0,"b":"\u00e9"}', otherHeader(), options)
    expect(report.hmacs).toBeGreaterThan(20 + 60 + 20)
    expect(report.hmacs).toBeLessThanOrEqual(200)
  })

  it('do not keep it from asking whatever the verifier would ask', async () => {
    const body = JSON.stringify(['\u00e9'.repeat(150_000)])
    const python = body.replaceAll('\u00e9', '\\u00e9')
    const secrets = Array.from({ length: 20 }, (_, index) => (index === 19 ? secret : `key_${index}`))
    const apiKeys = Array.from({ length: 20 }, (_, index) => (index === 19 ? apiKey : `key_${index}`))
    const report = await explain(body, signed(body, python), {
      secret: secrets,
      apiKey: apiKeys,
      versions: ['v1', 'v2', 'v3'],
      now,
    })
    expect(report.ok).toBe(true)
    expect(report.hmacs).toBe(20 + 2 * 20 + 20)
  })

  it('what a large body leaves out is said, and the likeliest is not left out', async () => {
    const body = `[${Array.from({ length: 1000 }, () => event).join(', ')}]`
    const report = await explain(`${body}\n`, `t=${t},v3=${v3(body)}`, { secret, now })
    expect(report.hypotheses[0]?.names).toEqual(['body-trailing-newline'])
    const hopeless = await explain(body, otherHeader(), { secret, now })
    expect(hopeless.notTried).toEqual(
      expect.arrayContaining(['body-reserialized', 'body-numbers', 'message-encoding']),
    )
    expect(hopeless.ruledOut).toEqual(expect.arrayContaining(['key-white-space', 'body-trailing-newline']))
  })

  it('nothing is concluded by exclusion where not all was tried', async () => {
    const body = `[${Array.from({ length: 1000 }, () => event).join(', ')}]`
    const value = `t=${t},v1=${v1(body)},v2=${v2('{}')},v3=${v3('{}')}`
    const report = await explain(body, value, { secret: 'another_secret', apiKey, now })
    expect(report.hypotheses).toEqual([])
    expect(report.finding).toContain(
      'No hypothesis fits: v1 matches, and no likely change of header, body or key makes v3 match,',
    )
    const small = await explain('{}', `t=${t},v1=${v1('{}')},v2=${v2('{}')},v3=${v3('{}')}`, {
      secret: 'another_secret',
      apiKey,
      now,
    })
    expect(small.hypotheses[0]?.names).toEqual(['other-secret'])
  })
})

describe('as many HMACs are computed as the report says', () => {
  const count = async (body: string, value: string): Promise<[number, ExplainReport]> => {
    const { explain, asked } = buildCounting()
    const report = await explain(body, value, { secret, now })
    expect(new Set(asked).size).toBe(asked.length)
    return [asked.length, report]
  }

  it.each([
    ['a delivery that verifies', event, header],
    ['one that is explained', `${event}\n`, header],
    ['one that is not', event, otherHeader()],
    ['one without a header', event, ''],
  ])('%s, and none of them twice', async (_, body, value) => {
    const [computed, report] = await count(body, value)
    expect(report.hmacs).toBe(computed)
    expect(computed).toBeLessThanOrEqual(200)
  })
})

it('a key that is proven is not changed any more', async () => {
  const { explain, imported } = buildCounting()
  const report = await explain('{"a":1}', `t=${t},v2=${v2('{"a":1}')},v3=${v3('{"a" :1}')}`, { secret, now })
  expect(report.hypotheses[0]?.names).toEqual(['body-reserialized'])
  expect(imported).toEqual([secret])
})

describe.each(entries)('whatever comes, on $digest', ({ explain, formatReport }) => {
  const anything = fc.oneof(
    text({ maxLength: 200 }),
    fc.stringMatching(/^[tv0-9=,; "A-Fa-f%:&.-]{0,150}$/),
    fc.constantFrom(null, undefined, 7, {}, [], [header, 7], [[header]], Symbol('x'), `t=${t}`.repeat(500)),
    fc.array(fc.string({ maxLength: 30 }), { maxLength: 4 }),
  )

  it('there is a report, and never an exception', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies,
        anything,
        keys,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        async (body, value, key, time) => {
          const report = await explain(body, value as string, { secret: key, now: time })
          expect(report.ok).toBe(false)
          expect(report.checks).toHaveLength(8)
          expect(formatReport(report)).toMatch(/^[^\n]+\.\n/)
        },
      ),
      { numRuns: runs(100), seed: 1 },
    )
  })

  it('what is signed and changed by nothing verifies', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/), async (body, key) => {
        const report = await explain(body, headerOver(body, key, t, ['v3']), { secret: key, now })
        expect(report.ok || report.code === 'ERR_BODY_NOT_JSON').toBe(true)
        expect(report.hmacs).toBe(1)
      }),
      { numRuns: runs(100) },
    )
  })

  it('faults of the header are found in all that is signed', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/),
        headerFaults,
        async (body, key, fault) => {
          const sent = headerOver(body, key, t, ['v1', 'v3'])
          const value = fault(sent)
          fc.pre(value !== sent && value !== null && !String(value).startsWith('v1'))
          const report = await explain(body, value, { secret: key, apiKey: key, now })
          expect(report.hypotheses[0]?.names[0]).toMatch(/^header-/)
        },
      ),
      { numRuns: runs(100) },
    )
  })
})
