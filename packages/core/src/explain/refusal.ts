import { WebhookError } from '../errors.js'

/** What a call gives, or how it refuses. Whatever else it throws is a bug, which must not look like a refusal. */
export function resultOf<Result>(call: () => Result): Result | WebhookError {
  try {
    return call()
  } catch (error) {
    if (!WebhookError.is(error)) throw error
    return error
  }
}
