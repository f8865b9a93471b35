import { describe, expect, it } from 'vitest'
import type { HypothesisName } from '../../src/index.js'
import {
  accentedHeader,
  apiKey,
  event,
  header,
  secret,
  signed,
  canonicalEvent,
  t,
  v1,
  v2,
  v3,
} from '../support/genuine.js'
import { expectFound, explained, itFinds, type Mistake } from '../support/mistake.js'

/** Every name in this list has a test. */
type HeaderHypothesis = Extract<HypothesisName, `header-${string}`>

const milliseconds = `${t}123`
const digests = header.slice(header.indexOf('v1='))

/** The digest in the forms of other languages and services. */
const [hex1, hex2, hex3] = [v1(event), v2(canonicalEvent), v3(event)]
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

const mistakes: Readonly<Record<HeaderHypothesis, readonly Mistake[]>> = {
  'header-name-in-value': [
    ['a line of curl -v', () => ({ body: event, header: `Service-Signature: ${header}` })],
    ['a line of a shell script', () => ({ body: event, header: `service-signature=${header}` })],
  ],
  'header-percent-encoded': [
    [
      'a gateway that maps it to base64',
      () => ({ body: event, header: Buffer.from(header).toString('base64') }),
    ],
    ['JSON of Gson', () => ({ body: event, header: header.replaceAll('=', '\\u003d') })],
    ['a gateway that carries headers in a URL', () => ({ body: event, header: encodeURIComponent(header) })],
    [
      'and encodes the separators alone',
      () => ({ body: event, header: header.replaceAll('=', '%3D').replaceAll(',', '%2c') }),
    ],
  ],
  'header-quoted': [
    ['a CSV file', () => ({ body: event, header: `"${header}"` })],
    ['the bytes of Python, printed', () => ({ body: event, header: `b'${header}'` })],
    ['single quotes from a shell', () => ({ body: event, header: `'${header}'` })],
    ['quotes around each value', () => ({ body: event, header: header.replace(/=([^,]+)/g, '="$1"') })],
  ],
  'header-separators': [
    ['semicolons', () => ({ body: event, header: header.replaceAll(',', ';') })],
    ['spaces', () => ({ body: event, header: header.replaceAll(',', ' ') })],
    ['spaces around the equals signs', () => ({ body: event, header: header.replaceAll('=', ' = ') })],
    ['colons', () => ({ body: event, header: header.replaceAll('=', ':') })],
    ['lines', () => ({ body: event, header: header.replaceAll(',', '\r\n') })],
    ['a comma at the end', () => ({ body: event, header: `${header},` })],
    ['lines folded after each comma', () => ({ body: event, header: header.replaceAll(',', ',\r\n ') })],
    ['the line break at its end', () => ({ body: event, header: `${header}\r\n` })],
    ['as a query', () => ({ body: event, header: header.replaceAll(',', '&') })],
  ],
  'header-repeated': [
    ['two proxies that each add it', () => ({ body: event, header: [header, header] })],
    ['and a host that joins them', () => ({ body: event, header: `${header}, ${header}` })],
    [
      'the signature of another sender first',
      () => ({ body: event, header: `${accentedHeader}, ${header}` }),
    ],
    ['a host that splits at the commas', () => ({ body: event, header: header.split(',') })],
  ],
  'header-element-names': [
    ['upper case', () => ({ body: event, header: header.replace('v3=', 'V3=') })],
    ['another name for the digest', () => ({ body: event, header: `t=${t},signature=${hex3}` })],
    ['another name for the time', () => ({ body: event, header: `timestamp=${t},v3=${hex3}` })],
    ['v0, as others call their first version', () => ({ body: event, header: `t=${t},v0=${hex3}` })],
  ],
  'header-digest-prefix': [
    ['sha256= in front of the digest', () => ({ body: event, header: `t=${t},v3=sha256=${hex3}` })],
    ['sha256= in place of the name', () => ({ body: event, header: `t=${t},sha256=${hex3}` })],
    ['0x', () => ({ body: event, header: `t=${t},v3=0x${hex3}` })],
  ],
  'header-digest-base64': [
    [
      'all three in base64',
      () => ({ body: event, header: `t=${t},v1=${base64(hex1)},v2=${base64(hex2)},v3=${base64(hex3)}` }),
    ],
    [
      'base64url without padding',
      () => ({ body: event, header: `t=${t},v3=${Buffer.from(hex3, 'hex').toString('base64url')}` }),
    ],
  ],
  'header-hex-upper-case': [
    ['as C# prints it', () => ({ body: event, header: `t=${t},v3=${hex3.toUpperCase()}` })],
    ['one of three', () => ({ body: event, header: header.replace(hex3, hex3.toUpperCase()) })],
  ],
  'header-milliseconds': [
    [
      'Date.now(), signed as it is',
      () => ({ body: event, header: signed(event, canonicalEvent, { t: milliseconds }) }),
    ],
    [
      'Date.now() in the header, and seconds signed',
      () => ({ body: event, header: `t=${milliseconds},${digests}` }),
    ],
  ],
  'header-time-format': [
    [
      "Python's time.time()",
      () => ({ body: event, header: signed(event, canonicalEvent, { t: `${t}.123456` }) }),
    ],
    [
      'with decimals, although whole seconds were signed',
      () => ({ body: event, header: `t=${t}.5,${digests}` }),
    ],
    ['a date', () => ({ body: event, header: signed(event, canonicalEvent, { t: '2025-03-27T15:41:20Z' }) })],
    [
      'no time at all, not even in the signed text',
      () => ({ body: event, header: signed(event, canonicalEvent, { t: 'now' }) }),
    ],
  ],
  'header-digests-swapped': [
    ['v2 and v3', () => ({ body: event, header: `t=${t},v1=${hex1},v2=${hex3},v3=${hex2}` })],
    [
      'v1 under the name v3',
      () => ({ body: event, header: `t=${t},v3=${hex1}`, options: { secret, apiKey } }),
    ],
  ],
  'header-cut': [
    ['a column of 200 characters', () => ({ body: event, header: header.slice(0, 200) })],
    ['a column of 150 characters', () => ({ body: event, header: header.slice(0, 150) })],
    [
      'a column of 128 characters, where v1 can be compared',
      () => ({ body: event, header: header.slice(0, 128), options: { secret, apiKey } }),
    ],
  ],
  'header-version-missing': [
    ['an older sender', () => ({ body: event, header: `t=${t},v1=${hex1},v2=${hex2}` })],
    ['v1 alone', () => ({ body: event, header: `t=${t},v1=${hex1}`, options: { secret, apiKey } })],
  ],
}

describe('faults of the header are found', () => {
  itFinds(mistakes)
})

describe('a header that cannot be read is described', () => {
  it.each([
    ['There is no Service-Signature header', undefined],
    ['There is no Service-Signature header', null],
    ['The header has no digest that could be compared', ''],
    ['The header has no digest that could be compared', []],
    ['Was the header cut? The header ends after "t"', `t=${t}`],
    ['The header is cut within v3, after 40 of 64 digits', `t=${t},v3=${hex3.slice(0, 40)}`],
    ['The header starts within a digest', `${hex2.slice(9)},v3=${hex3}`],
    ['The header has no digest that could be compared', `t=${t},v4=${hex3}x`],
    ['The header has no digest that could be compared', 7 as never],
    ['The header has v3 and no "t"', `v3=${hex3}`],
    ['The header has no digest that could be compared', `t%3D${t}%2C%zz`],
    [
      'The header has no v3, which is required, and of what it has (v2) nothing matches',
      `t=${t},v2=${v3('other')}`,
    ],
    ['Nothing that was tried makes v3 match', `t=${t},v3=${hex3.replace(/./g, '0')}`],
    ['Nothing that was tried makes v3 match', `v3=${v3('other')},v3=${v3('others')},t=${t}`],
    ['Nothing that was tried makes v3 match', `t=${t},v3=${hex3.replace(/./g, 'A')}`],
  ])('%s: %j', async (finding, value) => {
    const { report } = await explained({ body: event, header: value })
    expect(report.finding).toContain(finding)
    expect(report.ok).toBe(false)
    expect(report.hypotheses).toEqual([])
  })

  it('a visible fault is not ruled out, even if nothing matches without it', async () => {
    const { report } = await explained({ body: event, header: `t=${t},v3=${'A'.repeat(64)}` })
    expect([...report.ruledOut, ...report.notTried]).not.toContain('header-hex-upper-case')
    expect(report.ruledOut).toContain('header-quoted')
  })

  it('without a header, nothing can be tried', async () => {
    const { report } = await explained({ body: event, header: undefined })
    expect(report.ruledOut).toEqual([])
    expect(report.notTried.length).toBeGreaterThan(40)
    expect(report.hmacs).toBe(0)
  })
})

it('several faults of the header are found together', async () => {
  const value = `Service-Signature: "${header.replaceAll(',', ';').toUpperCase()}"`
  const names: readonly HeaderHypothesis[] = [
    'header-quoted',
    'header-name-in-value',
    'header-separators',
    'header-element-names',
    'header-hex-upper-case',
  ]
  await expectFound({ body: event, header: value }, ...names)
})

it('a missing version is reported at once if another one matches', async () => {
  const { report } = await explained({ body: event, header: `t=${t},v1=${hex1},v2=${hex2}` })
  expect(report.hypotheses).toHaveLength(1)
  expect(report.hypotheses[0]!.versions).toEqual(['v2'])
  expect(report.hmacs).toBe(1)
  expect([...report.ruledOut, ...report.notTried]).toEqual([])
})

it('an element of a later version is not reported as a wrong name', async () => {
  const value = `"${header},v4=${hex3}"`
  await expectFound({ body: event, header: value }, 'header-quoted')
})

it('of two signatures with the same fault, the one that proves more is reported', async () => {
  const half = `t=${t},v2=${hex2},v3=${v3('another body')}`
  const report = await expectFound({ body: event, header: `${half},${header}` }, 'header-repeated')
  expect(report.hypotheses.map(({ versions }) => versions)).toEqual([['v2', 'v3']])
})
