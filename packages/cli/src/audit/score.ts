import type { CaseResult } from './judge.js'

/** How many cases an endpoint passed. */
export interface Score {
  readonly passed: number
  readonly total: number
  /** From 0 to 100, and 100 only where all passed. */
  readonly percent: number
}

export function scoreOf(results: readonly CaseResult[]): Score {
  const total = results.length
  const passed = results.filter(({ weakness }) => weakness === undefined).length
  return { passed, total, percent: Math.floor((100 * passed) / total) }
}
