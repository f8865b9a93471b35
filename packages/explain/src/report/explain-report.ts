import type { Version, WebhookErrorCode } from '@service-signature/core'
import type { HypothesisName } from '../rules/rule-table.js'

/**
 * The result of the verifier for a delivery, and its reasons. Plain JSON without keys, digests or the body: safe to
 * log.
 */
export interface ExplainReport {
  /** The verifier would accept the delivery. */
  readonly ok: boolean
  /** The code of the error that the verifier would throw. */
  readonly code?: WebhookErrorCode
  /** The most important result, in one sentence. */
  readonly finding: string
  /** The checks, in the order of the verifier. */
  readonly checks: readonly ExplainCheck[]
  /** The faults that are proven. The one with the fewest assumptions comes first. */
  readonly hypotheses: readonly Hypothesis[]
  /** Possible causes with their evidence, if nothing is proven. The likeliest comes first. */
  readonly questions: readonly Question[]
  /** Faults that cannot have happened: they would show, or a digest proves right what they change. */
  readonly ruledOut: readonly HypothesisName[]
  /** The other faults. They were not tried in every form, alone and together with others, so they may have happened. */
  readonly notTried: readonly HypothesisName[]
  /** How many HMACs were computed; at most 200. */
  readonly hmacs: number
  /** Names the limit of time, HMACs or size that was reached, and what was left out, in one sentence. */
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

/** A fault. The proof is that a digest of the header matches once the fault is undone. */
export interface Hypothesis {
  /** One name, or several of faults that occur together. */
  readonly names: readonly HypothesisName[]
  readonly happened: string
  /** Where that usually happens. */
  readonly where: string
  /** How to fix it. */
  readonly fix: string
  /** The digests of the header that prove it. */
  readonly versions: readonly Version[]
}

/** A cause that the delivery suggests, and that no digest can prove. */
export interface Question {
  readonly name: QuestionName
  /** The question, with a question mark. */
  readonly asks: string
  /** The evidence that suggests it, in one sentence. */
  readonly evidence: string
  /** What to do if the answer is yes. */
  readonly fix: string
}

/** The questions of explain, in their order. */
export type QuestionName =
  | 'header-missing'
  | 'header-cut'
  | 'clock-units'
  | 'header-incomplete'
  | 'key-placeholder'
  | 'body-consumed'
  | 'body-compressed'
  | 'body-printed-object'
  | 'body-cut'
  | 'body-characters-lost'
  | 'body-changed'
  | 'integers-rounded'
  | 'body-reserialized'
  | 'key-other'
