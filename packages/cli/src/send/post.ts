import { causeSentences } from '@service-signature/deliveries'
import { causeOfSilence, send, type Answer, type SignedBody } from '@service-signature/deliveries/node'
import { UnreachableError } from '@service-signature/terminal'

/**
 * Sends a delivery as the payment service does.
 *
 * @throws {UnreachableError} when there is no whole answer in time
 */
export async function post(url: URL, { body, header }: SignedBody, timeoutSeconds: number): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'Service-Signature': header,
  }
  try {
    const answer = await send(url, { headers, body, signal })
    if (answer.failure === undefined) return answer
    throw answer.failure
  } catch (error) {
    const reason = signal.aborted
      ? `There was no answer within ${timeoutSeconds} s`
      : (error as Error).message
    throw new UnreachableError(causeSentences(causeOfSilence(reason, url.href)).join(' '))
  }
}
