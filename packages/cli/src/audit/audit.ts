import { setTimeout as pause } from 'node:timers/promises'
import { UnreachableError } from '../exit.js'
import type { GroupedCase } from './case.js'
import { exchange } from './exchange.js'
import type { Exchange } from './expectation.js'
import { judge, type CaseResult } from './judge.js'
import type { Sender } from './sender.js'
import type { Target } from './target.js'

/** What is to be played, and how. */
export interface AuditPlan {
  readonly target: Target
  readonly sender: Sender
  /** A genuine delivery, sent before all others: where it is refused, other refusals prove little. */
  readonly first: GroupedCase
  readonly cases: readonly GroupedCase[]
  /** The pause before each further case. */
  readonly paceMs: number
  /** How long a delivery may take, its answer included. */
  readonly timeoutSeconds: number
  /** Is told of each case that is done. */
  readonly onCase: () => void
}

/** What came of it. */
export interface Audit {
  readonly first: CaseResult
  /** How far the endpoint's clock is ahead of this one; negative for behind, NaN where it does not tell. */
  readonly clockAheadSeconds: number
  /** Of the cases of the plan; and of the first one, if that failed. */
  readonly results: readonly CaseResult[]
}

/**
 * Plays the cases at the endpoint, one delivery at a time.
 *
 * @throws {UnreachableError} when the first delivery reaches nobody
 */
export async function audit(plan: AuditPlan): Promise<Audit> {
  const { target, sender, cases, paceMs, onCase } = plan
  const exchanges = await play(plan.first, plan)
  const { answer } = exchanges[0]!
  if (answer.kind === 'unreachable') {
    throw new UnreachableError(`Cannot reach ${target.shown}: ${answer.reason}.`)
  }
  const clockAheadSeconds = answer.kind === 'answered' ? answer.date - sender.now() : NaN
  const first = judge(plan.first, exchanges)
  const isAsked = cases.includes(plan.first)
  const results = isAsked || first.weakness !== undefined ? [first] : []
  if (isAsked) onCase()
  for (const planned of cases) {
    if (planned === plan.first) continue
    await pause(paceMs)
    results.push(judge(planned, await play(planned, plan)))
    onCase()
  }
  return { first, clockAheadSeconds, results }
}

async function play(planned: GroupedCase, plan: AuditPlan): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const delivery of planned.deliveries(plan.sender)) {
    exchanges.push({ delivery, answer: await exchange(plan.target, delivery, plan.timeoutSeconds) })
  }
  return exchanges
}
