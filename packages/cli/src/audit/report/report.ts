import type { Audit } from '../audit.js'

/** What there is to report. */
export interface Report extends Audit {
  /** The address, without its query. */
  readonly target: string
  /** What the audit could not find out this time. */
  readonly notes: readonly string[]
}

// By more, clocks that are kept do not differ.
const CLOCK_TOLERANCE_SECONDS = 30

/** What is to be known beside the results. */
export function notesOn(report: Report): readonly string[] {
  const clock = clockNote(report)
  return clock === undefined ? report.notes : [...report.notes, clock]
}

/** Nothing where the endpoint's clock agrees with this one, or is not told. */
export function clockNote({ clockAheadSeconds }: Report): string | undefined {
  const seconds = Math.round(Math.abs(clockAheadSeconds))
  // So written that NaN is no difference.
  if (!(seconds > CLOCK_TOLERANCE_SECONDS)) return undefined
  const where = clockAheadSeconds > 0 ? 'ahead of' : 'behind'
  return `The endpoint's clock is ${seconds} s ${where} this one.`
}
