import { scoreOf } from '../score.js'
import { notesOn, type Report } from './report.js'

/** The report for machines. */
export function toJson(report: Report): unknown {
  const { target, first, results } = report
  const { percent, passed, total } = scoreOf(results)
  return {
    target,
    score: percent,
    passed,
    total,
    acceptsGenuine: first.weakness === undefined,
    notes: notesOn(report),
    cases: results.map(({ weakness, ...result }) => ({
      ...result,
      passed: weakness === undefined,
      ...(weakness && { weakness }),
    })),
  }
}
