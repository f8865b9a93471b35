/** What came of a delivery, as far as its sender can see. */
export type Answer = Answered | Unanswered

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  readonly body: string
  /** The headers and the body. */
  readonly text: string
  /** The endpoint's clock, as a Unix time in seconds; NaN where it is not told. */
  readonly date: number
}

/**
 * - `closed`: the endpoint closed the connection without an answer
 * - `silent`: it gave no answer in time
 * - `unreachable`: there was no connection, or nothing that speaks HTTP at its end
 */
export interface Unanswered {
  readonly kind: 'closed' | 'silent' | 'unreachable'
  readonly reason: string
}

export function isAcknowledgement(answer: Answer): boolean {
  return isOfClass(2, answer)
}

export function isRefusal(answer: Answer): boolean {
  return isOfClass(4, answer)
}

/** The delivery is being handled right now, and has not been answered yet. */
export function isConflict(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status === 409
}

/** In a few words, none of which the endpoint chose. */
export function describeAnswer(answer: Answer): string {
  if (answer.kind !== 'answered') return answer.reason
  // No redirect is followed: the delivery is lost.
  return isOfClass(3, answer) ? `${answer.status} (redirect)` : String(answer.status)
}

function isOfClass(first: number, answer: Answer): boolean {
  return answer.kind === 'answered' && Math.floor(answer.status / 100) === first
}
