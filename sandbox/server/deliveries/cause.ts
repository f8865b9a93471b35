import type { AttemptRecord } from './records.js'

/** What an endpoint probably did. */
export const CAUSES = [
  // There is no answer.
  'not-listening',
  'unknown-host',
  'certificate',
  'no-tls',
  'not-http',
  'hung-up',
  'address',
  'no-answer',
  // The answer names it.
  'redirect',
  'no-route',
  'method',
  'too-large',
  'media-type',
  'in-progress',
  'rate-limit',
  'proxy',
  'unavailable',
  'login',
  'csrf',
  'not-json',
  'body-consumed',
  'header-lost',
  // The signature was refused.
  'clock',
  'body-reprinted',
  'body-changed',
  'other-secret',
  'other-account',
  'signature',
  // The signature was not looked at, or not all of it.
  'unverified',
  'time-unchecked',
  // It took too long, or failed later.
  'slow',
  'handler',
  'failed',
] as const

export type CauseName = (typeof CAUSES)[number]

/** How sure it is: the evidence proves it, makes it likely, or leaves a question that only the user can answer. */
export const CERTAINTIES = ['known', 'probable', 'ask'] as const

export interface Cause {
  readonly cause: CauseName
  readonly certainty: (typeof CERTAINTIES)[number]
  /** A short sentence without a full stop. It says itself how sure it is. */
  readonly title: string
  /** The evidence. */
  readonly detail: string
  readonly fix: string
  /** What answers the question, where `WEBHOOK_SECRET` is that of the endpoint. */
  readonly command?: string
}

/** What another attempt shows about the endpoint. */
export interface Sighting {
  readonly delivery: string
  readonly at: number
  /** A valid delivery whose body changes when it is printed again, or does not; a copy signed over the body printed again; a forgery. */
  readonly kind: 'changing' | 'stable' | 'reprinted' | 'forgery'
  readonly status: number
  readonly isAccepted: boolean
}

/** Everything that a cause is found in. */
export interface Situation {
  readonly attempt: AttemptRecord
  /** The body that was signed. */
  readonly body: string
  readonly url: string
  /** Of the secret in use. */
  readonly fingerprint: string
  /** Where the page shows the delivery. */
  readonly address: string
  /** Other attempts at the same endpoint. */
  readonly others: readonly Sighting[]
}
