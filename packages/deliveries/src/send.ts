import {
  request as requestHttp,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction, TcpNetConnectOpts } from 'node:net'

/** What is sent to an endpoint. */
export interface Message {
  /** Default: `POST`. */
  readonly method?: string | undefined
  /** An object, or a flat list of all that are sent, `Host` too: in this order, and a name twice if it is listed twice. */
  readonly headers: OutgoingHttpHeaders | readonly string[]
  /** Default: that of the system. */
  readonly lookup?: LookupFunction | undefined
  readonly signal: AbortSignal
  /** The bytes of the body, or what writes them. */
  readonly body: string | Uint8Array | ((request: ClientRequest) => void)
}

/** What an endpoint answered. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** Its beginning. */
  readonly body: Buffer
  /** Why the rest of it is missing, if the connection broke off. */
  readonly failure?: Error
}

/** After this much of an answer, the connection is closed. */
const MAX_ANSWER_BYTES = 1024 * 1024

/**
 * Sends one delivery over a connection of its own, and follows no redirect: another server would get what was meant for the
 * address of the merchant. With node:http, because fetch sends the names of headers in lower case, and some receivers compare
 * them case by case.
 *
 * @throws {Error} the error of Node, if no answer begins
 */
export async function send(
  url: string | URL,
  { method = 'POST', headers, lookup, signal, body }: Message,
): Promise<Answer> {
  const request = String(url).startsWith('https:') ? requestHttps : requestHttp
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> = {
    method,
    headers,
    ...(lookup && { lookup }),
    signal,
    agent: false,
    autoSelectFamily: true,
  }
  const sent = request(url, options)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', (error) => {
      // For a name with several addresses, it has no message of its own.
      reject(error instanceof AggregateError ? (error.errors[0] as Error) : error)
    })
    if (typeof body === 'function') body(sent)
    else sent.end(body)
  })
  const answer = {
    status: response.statusCode!,
    statusText: response.statusMessage!,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
  }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= MAX_ANSWER_BYTES) break
    }
    return { ...answer, body: Buffer.concat(chunks) }
  } catch (failure) {
    return { ...answer, body: Buffer.concat(chunks), failure: failure as Error }
  } finally {
    // The rest of the answer, or of the delivery, is no longer needed.
    if (!response.complete || !sent.writableFinished) sent.destroy()
  }
}
