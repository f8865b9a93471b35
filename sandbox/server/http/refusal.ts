/** Why something is not done. `http/json-api.ts` has the status of each. */
export type RefusalReason = 'invalid' | 'unauthenticated' | 'forbidden' | 'unknown' | 'conflict'

/** A request that the rules of the service do not allow. Its words are for the caller. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  /** The field that is wrong, and what is wrong with it. */
  readonly field: string
  readonly problem: string
  /** A sentence that says how to fix it, in place of the general one of its status. */
  readonly sentence: string | undefined

  constructor(reason: RefusalReason, field: string, problem: string, sentence?: string) {
    super(`${field}: ${problem}`)
    this.reason = reason
    this.field = field
    this.problem = problem
    this.sentence = sentence
  }
}

/** A field is not as it must be. */
export function invalid(field: string, problem: string, sentence?: string): Refusal {
  return new Refusal('invalid', field, problem, sentence)
}

/** The path or a field names an object that does not exist, or belongs to another caller. */
export function unknown(
  field: string,
  problem: string,
  sentence = `${problem}. Check the id, and that it is from the same account and mode.`,
): Refusal {
  return new Refusal('unknown', field, problem, sentence)
}

/** It is not possible in the present state. */
export function conflict(field: string, problem: string): Refusal {
  return new Refusal('conflict', field, problem)
}
