import type { WebhookErrorCode } from '../errors.js'
import type { Version } from '../versions.js'
import type { HypothesisName } from './names.js'

/** What became of a delivery, and why. Plain JSON without keys, digests or the body, so it is fit for a log. */
export interface ExplainReport {
  /** The verifier would accept the delivery. */
  readonly ok: boolean
  /** What the verifier would throw. */
  readonly code?: WebhookErrorCode
  /** The most important thing, in one sentence. */
  readonly finding: string
  /** In the order in which the verifier makes them. */
  readonly checks: readonly ExplainCheck[]
  /** What is proven to have happened: the one that supposes least comes first. */
  readonly hypotheses: readonly Hypothesis[]
  /** Tried, and it does not fit. */
  readonly ruledOut: readonly HypothesisName[]
  /** Not tried, because a key or the header is missing, or a limit was reached. */
  readonly notTried: readonly HypothesisName[]
  /** How many HMACs were computed; at most 200. */
  readonly hmacs: number
  /** Which limit of time or size was reached, and what was left out, in one sentence. Missing where none was. */
  readonly limitReached?: string
}

export interface ExplainCheck {
  readonly name: CheckName
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly detail: string
}

export type CheckName =
  | 'header present'
  | 'header grammar'
  | 'versions present'
  | 'time window'
  | 'keys'
  | 'signature'
  | 'body is JSON'
  | 'event recognized'

/** A fault, and the proof is that a HMAC of the header matches once it is undone. */
export interface Hypothesis {
  /** One, or those that occur together. */
  readonly names: readonly HypothesisName[]
  readonly happened: string
  /** Where that usually happens. */
  readonly where: string
  readonly mend: string
  /** The digests of the header under which it was proven. */
  readonly versions: readonly Version[]
}
