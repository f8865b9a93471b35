import type { Version } from '@service-signature/core'
import { describeAnswer, type Exchange } from '../send/exchange.js'
import type { Expectation, Weakness } from './expectation.js'
import type { Group } from './groups.js'
import type { AuditRequest, Owner, Sender } from '../send/sender.js'

/** One question about an endpoint. */
export interface AuditCase {
  readonly name: string
  /** Describes the delivery in a few words. */
  readonly title: string
  readonly deliveries: (sender: Sender) => readonly AuditRequest[]
  /** How many of them are under way at the same time. Default: 1. */
  readonly atOnce?: number
  /** After this time, the rest is not sent, and the case has failed. Default: all are sent. */
  readonly withinSeconds?: number
  readonly expected: Expectation
  /** The damage if an endpoint fails. */
  readonly cost: string
  /** The fix for an endpoint that fails. */
  readonly fix: string
  /** Whether the case can find something in an endpoint that requires these versions, and has this owner. Default: it can. */
  readonly isFor?: (versions: readonly Version[], owner: Owner) => boolean
}

export interface GroupedCase extends AuditCase {
  readonly group: Group
}

/** The result of a case. */
export interface CaseResult {
  readonly group: Group
  /** Unique. */
  readonly name: string
  /** Describes the delivery in a few words. */
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'not-run'
  /** The kind of failure; null if it did not fail. */
  readonly weakness: Weakness | null
  /** The answer of a correct endpoint. */
  readonly expected: string
  /** The answers of this endpoint. Empty if the case was not run. */
  readonly got: string
  /** The damage of a failure. */
  readonly cost: string
  /** The fix. */
  readonly fix: string
}

/** `401, 400 and a stack trace` */
const LIST = new Intl.ListFormat('en-GB')

/** Compares the answers with those of a correct endpoint. */
export function judge(planned: GroupedCase, exchanges: readonly Exchange[]): CaseResult {
  const { expected } = planned
  const weakness = expected.weaknessIn(exchanges)
  const got = new Set(exchanges.map(({ answer }) => describeAnswer(answer)))
  if (weakness !== undefined && expected.unmet !== undefined) got.add(expected.unmet)
  return {
    ...notRun(planned),
    outcome: weakness === undefined ? 'passed' : 'failed',
    weakness: weakness ?? null,
    got: LIST.format(got),
    ...(weakness === 'fails' && expected.whenItFails),
  }
}

/** The result of a case whose deliveries were not sent, or not all of them. */
export function notRun({ group, name, title, expected, cost, fix }: GroupedCase): CaseResult {
  return {
    group,
    name,
    title,
    outcome: 'not-run',
    weakness: null,
    expected: expected.text,
    got: '',
    cost,
    fix,
  }
}
