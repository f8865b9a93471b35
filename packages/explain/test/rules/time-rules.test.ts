import { describe, expect, it } from 'vitest'
import { canonicalEvent, event, header, now, secret, signed, t, timestamp } from '../support/genuine.js'
import { expectFound, explained, itFinds, type Mistake } from '../support/mistake.js'

/** Every name in this list has a test. */
type TimeHypothesis = 'clock-skew' | 'time-zone' | 'replay'

/** The same delivery, at another time by the clock of the receiver. */
function after(seconds: number): Mistake[1] {
  return () => ({ body: event, options: { secret, now: (timestamp + seconds) * 1000 } })
}

const mistakes: Readonly<Record<TimeHypothesis, readonly Mistake[]>> = {
  'clock-skew': [
    ['five minutes and a second', after(301)],
    ['a machine that slept', after(1500)],
    ['a clock that is slow', after(-61)],
    ['by a year', after(-365 * 86_400)],
  ],
  'time-zone': [
    ['a sender that takes its local time for UTC', after(3600 + 5)],
    ['a time zone in the other direction', after(-2 * 3600 + 3)],
    ['the largest offset of a time zone', after(14 * 3600)],
  ],
  replay: [
    ['a delivery of yesterday, sent again', after(86_400 + 700)],
    ['an hour and a half', after(5400)],
    ['fifteen hours, more than any zone', after(15 * 3600)],
  ],
}

describe('faults of the time are found', () => {
  itFinds(mistakes)

  it.each([
    ['312 s (5 min) ago', 312],
    ['119 s ahead', -119],
    ['7212 s (2 h) ago', 7212],
    ['172800 s (2 d) ago', 172_800],
    ['3000 s (50 min) ahead', -3000],
  ])('reports by how much: %s', async (said, seconds) => {
    const { report } = await explained({
      body: event,
      options: { secret, now: (timestamp + seconds) * 1000 },
    })
    expect(report.finding).toContain(`it was made ${said}`)
  })

  it.each([
    [300, true],
    [300.001, false],
    [-60, true],
    [-60.001, false],
  ])('is as strict as the verifier: %d s', async (seconds, ok) => {
    const { report } = await explained({
      body: event,
      options: { secret, now: timestamp * 1000 + seconds * 1000 },
    })
    expect(report.ok).toBe(ok)
  })

  it('uses the time window of the verifier', async () => {
    const wide = { secret, toleranceSeconds: Infinity, futureToleranceSeconds: 7200 }
    for (const seconds of [-7200, 10 * 365 * 86_400]) {
      const { report } = await explained({
        body: event,
        options: { ...wide, now: () => (timestamp + seconds) * 1000 },
      })
      expect(report.ok).toBe(true)
    }
  })

  it('are reported in addition to a fault of the signature', async () => {
    const { report, text } = await explained({
      body: `${event}\n`,
      header,
      options: { secret, now: now + 5 * 86_400_000 },
    })
    expect(report.hypotheses.map(({ names }) => names)).toEqual([['body-trailing-newline'], ['replay']])
    expect(text).toMatch(
      /^The body has .*\[body-trailing-newline\]; besides, the signature is right, but .*\[replay\]\.\n/,
    )
    expect(report.code).toBe('ERR_TIMESTAMP_TOO_OLD')
  })

  it('recognizes milliseconds', async () => {
    const value = signed(event, canonicalEvent, { t: `${t}000` })
    const report = await expectFound({ body: event, header: value }, 'header-milliseconds')
    expect(report.hypotheses).toHaveLength(1)
    const late = await explained({
      body: event,
      header: value,
      options: { secret, now: now + 86_400_000 * 3 },
    })
    expect(late.report.hypotheses.map(({ names }) => names)).toEqual([['header-milliseconds'], ['replay']])
  })

  it('reports nothing about the time if the signature does not prove it', async () => {
    const { report } = await explained({ body: 'other', options: { secret, now: now + 86_400_000 } })
    expect(report.hypotheses).toEqual([])
    expect(report.notTried).toEqual(expect.arrayContaining(['clock-skew', 'time-zone', 'replay']))
  })
})
