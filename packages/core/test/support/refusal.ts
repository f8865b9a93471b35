import { WebhookError } from '../../src/entries/index.js'

/** The error with which the call refuses. A call that does not, or that fails in another way, fails the test. */
export async function refusalOf(call: () => unknown): Promise<WebhookError> {
  let result: unknown
  try {
    result = await call()
  } catch (error) {
    if (WebhookError.is(error)) return error
    throw error
  }
  throw new Error(`nothing was refused: ${JSON.stringify(result)}`)
}
