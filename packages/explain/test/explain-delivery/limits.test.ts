import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExplainReport } from '../../src/index.js'
import { formatReport } from '../../src/index.js'
import { runs } from '../../../core/test/support/runs.js'
import { text } from '../../../core/test/support/text.js'
import { buildCounting } from '../support/counting.js'
import { bodies, headerFaults, headerOver, keys } from '../support/random-deliveries.js'
import { entries } from '../support/runtimes.js'
import {
  apiKey,
  canonicalEvent,
  event,
  header,
  now,
  secret,
  signed,
  t,
  v1,
  v2,
  v3,
} from '../support/genuine.js'

const LONG = { timeout: 300_000 + runs(60_000) }

/** The most expensive bodies of about the given size. */
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

// The search is the same on both.
describe.each([
  { ...entries[0]!, costly: shapes },
  { ...entries[1]!, costly: shapes.slice(0, 3) },
])('the bounds, on $digest', ({ explain, costly }) => {
  it.each(costly)('apply to a body of 64 KB of %s', async (_, make) => {
    const report = await explain(make(65_536), otherHeader(), {
      secret: `${secret},x,true`,
      apiKey: 'acct',
      now,
    })
    expect(report.hypotheses).toEqual([])
    expect(report.hmacs).toBeLessThanOrEqual(200)
  })

  it('apply to the largest number of keys', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `"key_${index} "`)
    const options = { secret: many, apiKey: many, versions: ['v1', 'v2', 'v3'], now } as const
    const report = await explain('{"a":1.0,"b":"\u00e9"}', otherHeader(), options)
    expect(report.hmacs).toBeGreaterThan(20 + 60 + 20)
    expect(report.hmacs).toBeLessThanOrEqual(200)
  })

  it('do not affect the comparisons of the verifier itself', async () => {
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
})

describe('the limit of time', () => {
  /** A clock that advances by a millisecond each time it is read. */
  function ticking(): () => number {
    let milliseconds = 0
    return () => milliseconds++
  }

  it('ends the search, and the report names it and the faults that were not tried', async () => {
    const { explain } = buildCounting(ticking())
    const report = await explain(event, otherHeader(), { secret, now, timeLimitMilliseconds: 30 })
    expect(report.limitReached).toBe(
      'The search ended after 30 ms, so some faults were not tried: raise "timeLimitMilliseconds" to try them.',
    )
    expect(report.hmacs).toBeGreaterThan(1)
    expect(report.hmacs).toBeLessThan(30)
    expect(report.notTried).toEqual(expect.arrayContaining(['body-base64', 'body-envelope']))
    expect(report.ruledOut).toEqual(expect.arrayContaining(['key-white-space', 'body-unicode-form']))
    expect(formatReport(report)).toContain('The search ended after 30 ms, so some faults were not tried')
  })

  it('is long enough for the likeliest faults', async () => {
    const { explain } = buildCounting(ticking())
    const body = `${event}\n`
    const report = await explain(body, `t=${t},v2=${v2(canonicalEvent)}`, {
      secret: `${secret}\n`,
      versions: ['v2'],
      now,
      timeLimitMilliseconds: 20,
    })
    expect(report.hypotheses[0]?.names).toEqual(['key-white-space'])
  })

  it('does not affect the comparisons of the verifier itself', async () => {
    const { explain, asked } = buildCounting(ticking())
    const report = await explain('{}', signed('{}', '{}'), { secret, now, timeLimitMilliseconds: 1 })
    expect(report).toMatchObject({ ok: true, hmacs: 1 })
    expect(report).not.toHaveProperty('limitReached')
    expect(asked).toHaveLength(1)
  })

  it('is 50 ms by default', async () => {
    const { explain } = buildCounting(ticking())
    const report = await explain(event, otherHeader(), { secret, now })
    expect(report.limitReached).toContain('ended after 50 ms')
  })

  it('is read for each variant and for each HMAC, so that no search overruns it by more than one step', async () => {
    let reads = 0
    const { explain } = buildCounting(() => reads++ * 0)
    const { hmacs } = await explain(event, otherHeader(), { secret, now })
    expect(reads).toBeGreaterThan(2 * hmacs)
  })

  it('rules out only faults that were tried completely, wherever it ends the search', async () => {
    const value = `t=${t},v2=${v2('[]')},v3=${v3('[]')}`
    const whole = await buildCounting().explain('{"a":1,"b":"\u00e9"}', value, { secret, now })
    for (let limit = 1; limit <= 300; limit += limit < 50 ? 1 : 7) {
      const options = { secret, now, timeLimitMilliseconds: limit }
      const cut = await buildCounting(ticking()).explain('{"a":1,"b":"\u00e9"}', value, options)
      expect(cut.hypotheses).toEqual([])
      expect(whole.ruledOut).toEqual(expect.arrayContaining([...cut.ruledOut]))
      expect([...cut.ruledOut, ...cut.notTried].sort()).toEqual([...whole.ruledOut, ...whole.notTried].sort())
    }
  })

  it('prevents conclusions by elimination', async () => {
    const value = `t=${t},v1=${v1('{}')},v2=${v2('[]')},v3=${v3('[]')}`
    const options = { secret: 'another_secret', apiKey, now }
    const cut = await buildCounting(ticking()).explain('{}', value, { ...options, timeLimitMilliseconds: 9 })
    expect(cut.hypotheses).toEqual([])
    const whole = await buildCounting().explain('{}', value, options)
    expect(whole.hypotheses[0]?.names).toEqual(['other-secret'])
  })
})

describe('the limit of the body', () => {
  it('is 64 KiB by default', async () => {
    const { explain } = buildCounting()
    const body = (length: number) => `"${'x'.repeat(length - 2)}"`
    expect(await explain(body(65_536), header, { secret, now })).not.toHaveProperty('limitReached')
    expect((await explain(body(65_537), header, { secret, now })).limitReached).toBe(
      'The body has 65537 bytes, and "bodyLimit" is 65536, so only the header was checked.',
    )
  })

  it('skips every HMAC, but not the checks that need no body', async () => {
    const { explain, asked } = buildCounting()
    const report = await explain(event, header, { secret, now, bodyLimit: 10 })
    expect(asked).toEqual([])
    expect(report).toMatchObject({ ok: false, hmacs: 0, hypotheses: [], ruledOut: [] })
    expect(report).not.toHaveProperty('code')
    expect(report.finding).toBe(report.limitReached)
    expect(report.checks.map(({ outcome }) => outcome)).toEqual([
      ...['passed', 'passed', 'passed', 'passed', 'passed'],
      ...['skipped', 'skipped', 'skipped'],
    ])
    expect(report.notTried).toContain('body-trailing-newline')
  })

  it('does not hide faults of the header', async () => {
    const { explain } = buildCounting()
    const report = await explain(event, header, { secret, now: now + 3_600_000, bodyLimit: 10 })
    expect(report.code).toBe('ERR_TIMESTAMP_TOO_OLD')
    expect(report.finding).toMatch(/^Signed .* ago, and toleranceSeconds is 300\.$/)
  })
})

it.each([
  [TypeError, { timeLimitMilliseconds: '50' }],
  [RangeError, { timeLimitMilliseconds: 0 }],
  [RangeError, { timeLimitMilliseconds: NaN }],
  [TypeError, { bodyLimit: '64kb' }],
  [RangeError, { bodyLimit: 0 }],
])('refuses a wrong limit with a %o: %o', async (kind, limit) => {
  const { explain } = buildCounting()
  await expect(explain(event, header, { secret, now, ...limit } as never)).rejects.toThrow(kind)
})

describe('the report has the right number of HMACs for', () => {
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

it('a key that is proven right is not changed any more', async () => {
  const { explain, imported } = buildCounting()
  const report = await explain('{"a":1}', `t=${t},v2=${v2('{"a":1}')},v3=${v3('{"a" :1}')}`, { secret, now })
  expect(report.hypotheses[0]?.names).toEqual(['body-not-verbatim'])
  expect(imported).toEqual([secret])
})

describe.each(entries)('for any input, on $digest', ({ explain, formatReport }) => {
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
          expect(formatReport(report, { width: Infinity })).toMatch(/^[^\n]+\.\n/)
        },
      ),
      { numRuns: runs(25), seed: 1 },
    )
  })

  it('an unchanged signed delivery verifies', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/), async (body, key) => {
        const report = await explain(body, headerOver(body, key, t, ['v3']), { secret: key, now })
        expect(report.ok || report.code === 'ERR_BODY_NOT_JSON').toBe(true)
        expect(report.hmacs).toBe(1)
      }),
      { numRuns: runs(25) },
    )
  })

  it('faults of the header are found in any signed delivery', LONG, async () => {
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
      { numRuns: runs(25) },
    )
  })
})
