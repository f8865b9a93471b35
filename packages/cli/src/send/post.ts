import type { IncomingMessage } from 'node:http'
import { UnreachableError } from '../exit.js'
import type { SignedBytes } from './tamper.js'

/** What the endpoint said. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  /** The beginning of it. */
  readonly body: string
}

const MAX_ANSWER_BYTES = 16 * 1024

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused. Does something listen there?'],
  ['ENOTFOUND', 'there is no such host.'],
  ['ECONNRESET', 'the connection was closed without an answer.'],
  ['EPIPE', 'the connection was closed without an answer.'],
])

/**
 * Sends a delivery over a connection of its own, and follows no redirect: the payment service's next request would be
 * another one.
 *
 * @throws {UnreachableError} when there is no whole answer in time
 */
export async function post(url: URL, { body, header }: SignedBytes, timeoutSeconds: number): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    // With node:http, because fetch would send the name in lower case, and some receivers compare it case by case.
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'Service-Signature': header,
    }
    const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method: 'POST', headers, agent: false, signal }, resolve).on('error', reject).end(body)
    })
    return {
      status: response.statusCode!,
      statusText: response.statusMessage!,
      body: await beginningOf(response),
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = signal.aborted
      ? `there was no whole answer within ${timeoutSeconds} s.`
      : (REASONS.get(code) ?? (code.startsWith('HPE_') ? 'the answer is not HTTP.' : `${code}.`))
    throw new UnreachableError(`Cannot reach ${url.host}: ${reason}`)
  }
}

async function beginningOf(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MAX_ANSWER_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ANSWER_BYTES)
}
