import { describeAnswer } from './answer.js'
import type { GroupedCase } from './case.js'
import type { Exchange, Weakness } from './expectation.js'

/** What came of a case. */
export interface CaseResult {
  readonly name: string
  readonly group: string
  readonly sent: string
  /** The sound answer. */
  readonly expected: string
  readonly got: string
  /** Nothing where the endpoint passed. */
  readonly weakness: Weakness | undefined
  /** What it costs to fail, in the way in which it failed. */
  readonly risk: string
}

/** Holds what came against what a sound endpoint would have answered. */
export function judge(
  { name, group, sent, expected, risk }: GroupedCase,
  exchanges: readonly Exchange[],
): CaseResult {
  const weakness = expected.weaknessIn(exchanges)
  const got = [...new Set(exchanges.map(({ answer }) => describeAnswer(answer)))]
  if (weakness !== undefined && expected.unmet !== undefined) got.push(expected.unmet)
  return {
    name,
    group,
    sent,
    expected: expected.text,
    got: got.join(', '),
    weakness,
    risk: (weakness === 'breaks' ? expected.riskOfBreaking : undefined) ?? risk,
  }
}
