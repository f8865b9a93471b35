import type { Version } from '@service-signature/core'
import type { CaseResult } from '../cases/audit-case.js'
import { WEAKNESSES, type Weakness } from '../cases/expectation.js'

/** The findings of an audit. Plain data without any key. */
export interface AuditReport {
  /** The address, without its query. */
  readonly url: string
  /** The versions that the endpoint should require. */
  readonly versions: readonly Version[]
  /** ISO 8601. */
  readonly started: string
  readonly ended: string
  readonly state: 'done' | 'stopped' | 'cancelled'
  /**
   * Why it stopped: the endpoint gives no answer, or refuses valid deliveries, so that its other answers would prove
   * nothing. Otherwise null.
   */
  readonly reason: 'no-answer' | 'refused' | null
  /** The same problem in sentences. */
  readonly problem: string | null
  /** What most matters of what failed, in one sentence; null if nothing failed, or if it stopped. */
  readonly conclusion: string | null
  /** How many cases there are, how many of them passed, and how many failed. The others were not run. */
  readonly total: number
  readonly passed: number
  readonly failed: number
  /** Other remarks. */
  readonly notes: readonly string[]
  readonly cases: readonly CaseResult[]
}

/** No answer shows these, so no audit can find them. */
export const NOT_AUDITED =
  'No answer shows whether a delivery that is sent twice is handled once, nor whether digests are compared in constant time.'

/** The name of each kind of failure in a report. */
export const HEADINGS: Readonly<Record<Weakness, string>> = {
  accepts: 'It accepts deliveries that it must refuse',
  loses: 'It does not accept valid deliveries',
  leaks: 'Its answers reveal too much',
  fails: 'It neither accepts nor refuses',
}

/** Failed cases that have the same fix. */
export interface Finding {
  readonly weakness: Weakness
  readonly fix: string
  readonly cases: readonly CaseResult[]
}

/** What to fix: the worst kind first. Nothing if valid deliveries are refused, because that is the only conclusion then. */
export function findingsOf({ cases, reason }: AuditReport): readonly Finding[] {
  if (reason === 'refused') return []
  return WEAKNESSES.flatMap((weakness) => {
    const failed = cases.filter((each) => each.weakness === weakness)
    return [...new Set(failed.map(({ fix }) => fix))].map((fix) => ({
      weakness,
      fix,
      cases: failed.filter((each) => each.fix === fix),
    }))
  })
}

/** The result in one line. */
export function summaryOf({ state, total, passed, failed, conclusion }: AuditReport): string {
  const left = total - passed - failed
  if (state === 'done') {
    const share = `${passed} of ${total} cases passed (${Math.floor((100 * passed) / total)} %)`
    return conclusion === null ? share : `${share}. ${conclusion.slice(0, -1)}`
  }
  const counts = `${passed} passed, ${failed} failed, ${left} of ${total} not run`
  return `${state === 'stopped' ? 'Stopped early' : 'Cancelled'}: ${counts}`
}

/** The report as one JSON document. */
export function formatJson(report: AuditReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
