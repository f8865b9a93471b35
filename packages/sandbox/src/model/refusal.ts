/** Why something is not done. What it means in HTTP is said elsewhere. */
export type RefusalReason = 'invalid' | 'unauthenticated' | 'forbidden' | 'unknown' | 'conflict'

/** A request that the rules of the service do not allow. Its words are for the caller and repeat no value. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  /** The field that is wrong, and what is wrong with it. */
  readonly field: string
  readonly problem: string

  constructor(reason: RefusalReason, field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.reason = reason
    this.field = field
    this.problem = problem
  }
}

/** A field is not as it must be. */
export function invalid(field: string, problem: string): Refusal {
  return new Refusal('invalid', field, problem)
}

/** What the path or a field names does not exist, or not for who asks. */
export function unknown(field: string, problem: string): Refusal {
  return new Refusal('unknown', field, problem)
}

/** It could be done, but not in the state that things are in. */
export function conflict(field: string, problem: string): Refusal {
  return new Refusal('conflict', field, problem)
}
