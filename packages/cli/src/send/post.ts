import { send, type Answer, type SignedBody } from '@service-signature/deliveries/node'
import { UnreachableError } from '@service-signature/terminal'

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused. Does something listen there?'],
  ['ENOTFOUND', 'there is no such host.'],
  ['ECONNRESET', 'the connection was closed without an answer.'],
  ['EPIPE', 'the connection was closed without an answer.'],
])

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
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = signal.aborted
      ? `there was no whole answer within ${timeoutSeconds} s.`
      : (REASONS.get(code) ?? (code.startsWith('HPE_') ? 'the answer is not HTTP.' : `${code}.`))
    throw new UnreachableError(`Cannot reach ${url.host}: ${reason}`)
  }
}
