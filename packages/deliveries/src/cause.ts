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
  'no-secret',
  'store-unavailable',
  'login',
  'csrf',
  'not-json',
  'body-consumed',
  'header-lost',
  // The signature was refused.
  'clock',
  'time-unit',
  'body-reserialized',
  'body-changed',
  'other-secret',
  'api-key',
  'other-account',
  'rule',
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
  /** A line of the answer of the endpoint. */
  readonly said?: string | undefined
  readonly fix: string
  /** What answers the question, where `WEBHOOK_SECRET` is that of the endpoint. */
  readonly command?: string
}

/** The sentences of a cause: what it is with its evidence, what the endpoint said, and the fix. */
export function causeSentences({
  title,
  detail,
  said,
  fix,
}: Pick<Cause, 'title' | 'detail' | 'fix' | 'said'>): readonly string[] {
  return [`${causeTitle(title)} ${detail}`, ...(said ? [`It says: ${said}`] : []), fix]
}

/** The title as a sentence. */
export function causeTitle(title: string): string {
  return title.endsWith('?') ? title : `${title}.`
}
