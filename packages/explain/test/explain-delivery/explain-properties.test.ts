import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as node from '../../src/index.js'
import * as web from '../../src/index.web.js'
import {
  API_KEY,
  bytesOf,
  deliver,
  deliveries,
  SECRET,
  T,
  type Delivery,
} from '../../../core/test/properties/arbitraries.js'
import { expectNoKeys, runs } from '../../../core/test/properties/checks.js'
import { digestOf, readHeader, verdictOn } from '../../../core/test/properties/oracle/verdict.js'

const MAX_HMACS = 200
const runtimes = { node, web }

/** A report may go into a log: it must not contain a key, a digest that would be right, or the body. */
function expectConfidential(text: string, { header, form, signed, body }: Delivery): void {
  expectNoKeys(text)
  const elements = readHeader(header)
  const t = typeof elements === 'string' ? '' : (elements['t'] ?? '')
  for (const bytes of [signed, body]) {
    for (const version of ['v1', 'v2', 'v3'] as const) {
      const digest = digestOf(version, version === 'v1' ? API_KEY : SECRET, bytes, t, form)
      if (digest !== undefined) expect(text).not.toContain(digest)
    }
    // A short body may appear in a sentence by chance.
    const shown = Buffer.from(bytes).toString()
    if (shown.trim().length >= 30) expect(text).not.toContain(shown)
  }
}

const questions = fc.record({
  delivery: deliveries.filter(({ body }) => body.length < 2000),
  // A key that was copied wrongly, or the keys of the verifier.
  wrongSecret: fc.constantFrom(undefined, undefined, `${SECRET}\n`, btoa(SECRET), API_KEY),
  runtime: fc.constantFrom('node', 'web'),
})
const examples = [
  [`t=${T},v1={v1},v2={v2},v3={v3}`, '{"a": 1.0}', '{"a":1}'],
  [`Service-Signature: t=${T},v3={v3}`, '{}', '{}\n'],
  [`,\t,\tt=${T}\t,\tv1={v1}\t,\tv2={v2}\t,\tv3={v3}\t,\t,`, '{"a": 1.0}', '":{"a": 1.0}'],
  [`v3={v3},v2={v1},v3=${'0'.repeat(63)}\u0661`, '{}', '{}\n'],
].map(([template = '', signed = '', body = '']) => ({
  delivery: deliver({ template, signed: bytesOf(signed), change: () => bytesOf(body) }),
  wrongSecret: undefined,
  runtime: 'node' as const,
}))

it('explain reports the result of the verifier, with at most 200 HMACs and without a secret', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async ({ delivery, wrongSecret, runtime }) => {
      const { rules, header, body } = delivery
      const { secrets, ...options } = rules
      const { explain, formatReport } = runtimes[runtime]
      const report = await explain(body, header, { ...options, secret: wrongSecret ?? secrets })
      expect(report.hmacs).toBeLessThanOrEqual(MAX_HMACS)
      expectConfidential(`${JSON.stringify(report)}\n${formatReport(report)}`, delivery)
      if (wrongSecret !== undefined) return

      const verdict = verdictOn(rules, body, header)
      const code = 'code' in verdict ? verdict.code : undefined
      expect([report.ok, report.code]).toEqual([code === undefined, code])
      expect(report.checks.some(({ outcome }) => outcome === 'failed')).toBe(!report.ok)
    }),
    runs(25, examples),
  )
})
