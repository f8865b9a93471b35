import { describe, expect, it } from 'vitest'
import { formatReport, type ExplainReport, type Hypothesis } from '../../src/index.js'

const hypothesis: Hypothesis = {
  names: ['key-quoted', 'body-charset'],
  happened: `${'word '.repeat(30)}end`,
  where: 'somewhere',
  fix: 'fix it',
  versions: ['v2', 'v3'],
}

const report: ExplainReport = {
  ok: false,
  code: 'ERR_SIGNATURE_MISMATCH',
  finding: 'The finding.',
  checks: [
    { name: 'header present', outcome: 'passed', detail: 'it is there' },
    { name: 'signature', outcome: 'failed', detail: 'v3 does not match' },
    { name: 'event recognized', outcome: 'skipped', detail: 'not looked at' },
  ],
  hypotheses: [hypothesis, { ...hypothesis, names: ['replay'], happened: 'it is old', versions: ['v3'] }],
  questions: [],
  ruledOut: ['body-quoted', 'body-envelope'],
  notTried: ['replay'],
  hmacs: 17,
}

describe('formatReport', () => {
  it('prints the finding, the fix, the evidence, the checks, and with verbose what was not tried', () => {
    const text = formatReport(report, { verbose: true })
    expect(text).toBe(`The finding.
Fix: fix it

Checks
  passed   header present    it is there
  failed   signature         v3 does not match
  skipped  event recognized  not looked at

key-quoted and body-charset (proven with v2, v3)
  What   word word word word word word word word word word word word word word
         word word word word word word word word word word word word word word
         word word end
  Where  somewhere

replay (proven with v3)
  What   it is old
  Where  somewhere
  Fix    fix it

Ruled out
  body-quoted, body-envelope

Not tried
  replay

17 HMACs were computed.
`)
  })

  it('prints the questions, of which the first is the finding', () => {
    const ask = (asks: string) => ({
      name: 'body-cut' as const,
      asks,
      evidence: 'It ends.',
      fix: `fix ${asks}`,
    })
    const questions = [ask('First?'), ask('Second?')]
    const text = formatReport({ ...report, hypotheses: [], questions })
    expect(text).toContain('The finding.\nFix: fix First?\n\nChecks')
    expect(text).toContain('\nOr: Second?\n  Why    It ends.\n  Fix    fix Second?\n')
  })

  it('leaves out the names of what was ruled out and not tried without verbose', () => {
    const verbose = formatReport(report, { verbose: true })
    expect(formatReport(report)).toBe(verbose.replace(/Ruled out\n[^]*(?=17 HMACs)/, ''))
    expect(formatReport(report)).not.toMatch(/Ruled out|Not tried/)
  })

  it.each([40, 80, 120])('prints no line of more than %i characters, in color too', (width) => {
    const long = 'word '.repeat(40).trim()
    const everywhere: ExplainReport = {
      ...report,
      finding: long,
      checks: [{ name: 'keys', outcome: 'failed', detail: long }],
      hypotheses: [hypothesis, { ...hypothesis, happened: long, where: long, fix: long }],
      questions: Array(2).fill({ name: 'body-cut', asks: long, evidence: long, fix: long }),
      ruledOut: Array(20).fill('body-quoted'),
      limitReached: long,
    }
    for (const color of [false, true]) {
      const text = formatReport(everywhere, { width, color, verbose: true })
      // eslint-disable-next-line no-control-regex -- colors take no room
      const lengths = text.split('\n').map((line) => line.replace(/\u001b\[\d+m/g, '').length)
      expect(Math.max(...lengths)).toBeLessThanOrEqual(width)
      expect(Math.max(...lengths)).toBeGreaterThan(width - 6)
    }
  })

  it('leaves out empty sections', () => {
    const empty = { ...report, hypotheses: [], ruledOut: [], notTried: [], hmacs: 1 }
    const text = formatReport(empty, { verbose: true })
    expect(text.split('\n').slice(6).join('\n')).toBe('\n1 HMAC was computed.\n'.slice(0))
    expect(text).not.toContain('Ruled out')
  })

  it('prints in color only if asked to, with the same text', () => {
    const colored = formatReport(report, { color: true })
    expect(colored.split('\n')[0]).toBe('\u001b[31mThe finding.\u001b[0m')
    expect(formatReport({ ...report, ok: true }, { color: true })).toContain('\u001b[32mThe finding.')
    // eslint-disable-next-line no-control-regex -- the test looks for control characters
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(formatReport(report, { color: false }))
    expect(formatReport(report)).not.toContain('\u001b')
  })
})
