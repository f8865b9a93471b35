import { expect, it } from 'vitest'
import type { ExplainOptions, ExplainReport, HypothesisName } from '../../src/index.js'
import type { SignatureHeaderValue, WebhookBody } from '@service-signature/core'
import { entries } from './runtimes.js'
import { header, now, secret } from './genuine.js'

/** A delivery as the verifier gets it after a mistake. */
export interface Arrival {
  readonly body: WebhookBody
  readonly header?: SignatureHeaderValue
  readonly options?: ExplainOptions
}

/** A mistake as people make it: a description, and a function that makes the delivery. */
export type Mistake = readonly [sentence: string, make: () => Arrival | Promise<Arrival>]

/** Explains it on both entries, whose reports must be equal. */
export async function explained(
  arrival: Arrival,
): Promise<{ readonly report: ExplainReport; readonly text: string }> {
  const { body, options = { secret } } = arrival
  // Not by a default: a header that is undefined is one that is missing.
  const value = 'header' in arrival ? arrival.header : header
  const [first, ...others] = await Promise.all(
    entries.map(({ explain }) => explain(body, value, { now, ...options })),
  )
  for (const other of others) expect(other).toEqual(first)
  const report = first!
  expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  return { report, text: entries[0]!.formatReport(report, { width: Infinity }) }
}

/** Checks that the first line names the hypothesis, and that it is the first proven one. */
export async function expectFound(
  arrival: Arrival,
  ...names: readonly HypothesisName[]
): Promise<ExplainReport> {
  const { report, text } = await explained(arrival)
  expect(text.split('\n')[0]).toContain(`[${names.join(', ')}]`)
  expect(report.ok).toBe(false)
  expect(report.hypotheses[0]!.names).toEqual(names)
  expect(report.ruledOut.filter((name) => names.includes(name))).toEqual([])
  expect(report.notTried.filter((name) => names.includes(name))).toEqual([])
  expect(report.hmacs).toBeLessThanOrEqual(200)
  return report
}

/** Adds a test for each mistake, under the name of the fault that must be found. */
export function itFinds(mistakes: Readonly<Partial<Record<HypothesisName, readonly Mistake[]>>>): void {
  for (const [name, list] of Object.entries(mistakes) as [HypothesisName, readonly Mistake[]][]) {
    it.each(list)(`${name}: %s`, async (_, make) => {
      await expectFound(await make(), name)
    })
  }
}
