import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CheckName, ExplainOptions } from '../../src/index.js'
import { forEach } from '../../../core/test/support/for-each.js'
import { nameOf, vectorFiles, type VectorGroup } from '../../../core/test/support/vectors.js'
import { entries } from '../support/runtimes.js'
import { apiKey, canonicalEvent, event, header, now, secret, signed, t, v2, v3 } from '../support/genuine.js'
import { explained } from '../support/mistake.js'

const groups = vectorFiles.flatMap(({ suite, testGroups }) =>
  testGroups.map((group) => [`${suite}: ${group.comment}`, group] as const),
)

function optionsOf(group: VectorGroup, time: number): ExplainOptions {
  return {
    ...(group.secrets.length > 0 && { secret: group.secrets }),
    ...(group.apiKeys.length > 0 && { apiKey: group.apiKeys }),
    versions: group.versions,
    toleranceSeconds: Number(group.toleranceSeconds),
    futureToleranceSeconds: group.futureToleranceSeconds,
    now: time,
  }
}

const QUICK: ExplainOptions = { timeLimitMilliseconds: 1 }
// The search for faults is long, the same on both, and comes after the verdict.
const isWhole = process.env['PROPERTY_FACTOR'] !== undefined

// The answers are those of an independent implementation.
describe.each([
  { ...entries[0]!, limits: isWhole ? {} : QUICK },
  { ...entries[1]!, limits: QUICK },
])('the verdict on the vectors, on $digest', ({ explain, limits }) => {
  it.each(groups)('%s', (_name, group) =>
    forEach(group.tests, nameOf, async (vector) => {
      const options = { ...optionsOf(group, vector.now), ...limits }
      const report = await explain(Buffer.from(vector.body, 'hex'), vector.header, options)
      const signature = report.checks.find(({ name }) => name === 'signature')!
      if (group.operation === 'signature' && vector.result === 'valid') {
        // Such a vector does not cover the body.
        expect(signature.outcome).toBe('passed')
        expect([undefined, 'ERR_BODY_NOT_JSON']).toContain(report.code)
      } else {
        expect(report.ok).toBe(vector.result === 'valid')
        expect(report.code).toBe(vector.code)
      }
    }),
  )
})

/** The fingerprint of a key. */
function print(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}

describe('a delivery that verifies', () => {
  it('is reported with its key and its age', async () => {
    const { report, text } = await explained({
      body: event,
      options: { secret: ['previous_secret', secret] },
    })
    expect(report).toEqual({
      ok: true,
      finding: `It verifies: v3 matches under secret[1] (${print(secret)}), and it was signed 12 s ago.`,
      checks: [
        { name: 'header present', outcome: 'passed', detail: 'it is there' },
        { name: 'header grammar', outcome: 'passed', detail: 'it has t, v1, v2, v3' },
        { name: 'versions present', outcome: 'passed', detail: 'v3' },
        { name: 'time window', outcome: 'passed', detail: 'signed 12 s ago' },
        {
          name: 'keys',
          outcome: 'passed',
          detail: `secret[0] ${print('previous_secret')} (15 characters), secret[1] ${print(secret)} (24 characters)`,
        },
        { name: 'signature', outcome: 'passed', detail: 'v3 matches' },
        { name: 'body is JSON', outcome: 'passed', detail: `${event.length} bytes` },
        { name: 'event recognized', outcome: 'passed', detail: 'its shape is "unrecognized"' },
      ],
      hypotheses: [],
      questions: [],
      ruledOut: [],
      notTried: [],
      hmacs: 2,
    })
    expect(text.startsWith(`${report.finding}\n`)).toBe(true)
  })

  it('may match in all versions and under both keys', async () => {
    const options = { secret, apiKey, versions: ['v1', 'v2', 'v3'] } as const
    const { report } = await explained({ body: event, options })
    expect(report.finding).toBe(
      `It verifies: v1, v2, v3 match under apiKey (${print(apiKey)}) and secret (${print(secret)}), and it was signed 12 s ago.`,
    )
  })

  it('may arrive a little early', async () => {
    const { report } = await explained({ body: event, options: { secret, now: now - 20_000 } })
    expect(report.finding).toContain('and it was signed 8 s ahead.')
  })

  it('may be in shared memory', async () => {
    const shared = Buffer.from(`xx${event}xx`)
    const { report } = await explained({ body: shared.subarray(2, -2) })
    expect(report.ok).toBe(true)
  })

  it.each(entries)('is copied when explain is called, on $digest', async ({ explain }) => {
    const body = Buffer.from(event)
    const value = [header]
    const options = { secret: [secret], now }
    const report = explain(body, value, options)
    body.fill(0)
    value[0] = ''
    options.secret[0] = 'other'
    expect((await report).ok).toBe(true)
  })
})

describe('the checks', () => {
  const outcomes = async (
    ...[body, value, options]: readonly [string, string | undefined, ExplainOptions]
  ) => {
    const { report } = await explained({ body, header: value, options })
    return {
      code: report.code,
      ...Object.fromEntries(report.checks.map(({ name, outcome }) => [name, outcome])),
    }
  }
  const passed = {
    code: undefined,
    'header present': 'passed',
    'header grammar': 'passed',
    'versions present': 'passed',
    'time window': 'passed',
    keys: 'passed',
    signature: 'passed',
    'body is JSON': 'passed',
    'event recognized': 'passed',
  } satisfies Partial<Record<CheckName | 'code', unknown>>
  const unread = {
    'versions present': 'skipped',
    'time window': 'skipped',
    signature: 'skipped',
    'event recognized': 'skipped',
  }

  it('are made in the order of the verifier, whatever their results', async () => {
    const { report } = await explained({ body: 'x', header: undefined })
    expect(report.checks.map(({ name }) => name)).toEqual(Object.keys(passed).slice(1))
  })

  it.each([
    [
      'no header',
      event,
      undefined,
      {},
      { ...unread, code: 'ERR_SIGNATURE_MISSING', 'header present': 'failed', 'header grammar': 'skipped' },
    ],
    [
      'a malformed header',
      event,
      `${header},`,
      {},
      { ...unread, code: 'ERR_SIGNATURE_MALFORMED', 'header grammar': 'failed' },
    ],
    [
      'a missing version, and a time that is wrong too',
      event,
      `t=1,v2=${v2(canonicalEvent)}`,
      {},
      {
        code: 'ERR_SIGNATURE_VERSION_MISSING',
        'versions present': 'failed',
        'time window': 'failed',
        signature: 'skipped',
        'event recognized': 'skipped',
      },
    ],
    [
      'a delivery that is late',
      event,
      header,
      { now: now + 1e6 },
      { code: 'ERR_TIMESTAMP_TOO_OLD', 'time window': 'failed' },
    ],
    [
      'one that is early',
      event,
      header,
      { now: now - 1e6 },
      { code: 'ERR_TIMESTAMP_IN_FUTURE', 'time window': 'failed' },
    ],
    [
      'another body, which is JSON',
      '{}',
      header,
      {},
      { code: 'ERR_SIGNATURE_MISMATCH', signature: 'failed', 'event recognized': 'skipped' },
    ],
    [
      'a signed body that is not JSON',
      'OK',
      `t=${t},v3=${v3('OK')}`,
      {},
      { code: 'ERR_BODY_NOT_JSON', 'body is JSON': 'failed', 'event recognized': 'skipped' },
    ],
    [
      'v2 over a body that is not JSON',
      'OK',
      `t=${t},v2=${v2('OK')}`,
      { versions: ['v2'] as const },
      {
        code: 'ERR_BODY_NOT_JSON',
        signature: 'failed',
        'body is JSON': 'failed',
        'event recognized': 'skipped',
      },
    ],
    [
      'a key that the verifier rejects, although it matches',
      event,
      signed(event, canonicalEvent, { secret: `${secret}\n` }),
      { secret: `${secret}\n` },
      { keys: 'failed' },
    ],
    [
      'a single character for a key',
      event,
      signed(event, canonicalEvent, { secret: 'k' }),
      { secret: 'k' },
      { keys: 'failed' },
    ],
  ])('give the result of the verifier for %s', async (_, body, value, options, different) => {
    expect(await outcomes(body, value, { secret, ...options })).toEqual({ ...passed, ...different })
  })

  it.each([
    [
      'V3 matches, but the body is not JSON in UTF-8, or is nested too deep.',
      'OK',
      `t=${t},v3=${v3('OK')}`,
      secret,
    ],
    [
      'V3 matches with the key as it was given, but the verifier does not accept such a key: "secret" has white space',
      event,
      signed(event, canonicalEvent, { secret: `${secret} ` }),
      `${secret} `,
    ],
  ])('determine the finding: %s', async (finding, body, value, key) => {
    const { report } = await explained({ body, header: value, options: { secret: key } })
    expect(report.finding).toContain(finding)
    expect(report.ok).toBe(false)
    expect(report.hypotheses).toEqual([])
  })
})
