import { WebhookError } from '@service-signature/core'
import { firstSentence } from './words.js'

/** Why core refuses something, without the fix: the fix is for endpoints. */
export class Refusal {
  readonly sentence: string

  constructor({ message }: Pick<WebhookError, 'message'>) {
    this.sentence = `${firstSentence(message)}.`
  }
}

/** What the call returns, or why core refuses its input. Any other error is a bug, and is thrown. */
export function resultOf<Result>(call: () => Result): Result | Refusal {
  try {
    return call()
  } catch (error) {
    if (!WebhookError.is(error)) throw error
    return new Refusal(error)
  }
}
