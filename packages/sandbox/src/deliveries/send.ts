import { once } from 'node:events'
import { request as requestHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

/** What an endpoint answered. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Its beginning. */
  readonly body: string
}

/** What is sent to an endpoint. */
export interface Message {
  /** Default: `POST`. */
  readonly method?: string
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Uint8Array
  /** Default: that of the system. */
  readonly lookup?: LookupFunction
}

/** How much of an answer is kept for the log. */
const KEPT_BYTES = 4096

/**
 * Sends one event, on a connection of its own. No redirect is followed: another server would get what was
 * meant for the address of the merchant.
 *
 * @throws {Error} where there is no answer
 */
export async function send(
  url: string,
  { method = 'POST', headers, body, lookup }: Message,
  signal: AbortSignal,
): Promise<Answer> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  const sent = request(url, { method, agent: false, headers, lookup, signal })
  // An error while the answer is read also rejects the reading.
  sent.on('error', () => undefined)
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode!,
    headers: response.headers as Answer['headers'],
    body: await beginning(response),
  }
}

async function beginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (length < KEPT_BYTES) chunks.push(chunk)
    length += chunk.length
  }
  return Buffer.concat(chunks).toString('utf8', 0, KEPT_BYTES)
}
