import { send as sendDelivery } from '@service-signature/deliveries/node'
import type { OutgoingHttpHeaders } from 'node:http'
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
  readonly method?: string
  readonly headers: OutgoingHttpHeaders | readonly string[]
  readonly body: string | Uint8Array
  readonly lookup?: LookupFunction
}

/** How much of an answer is kept for the log. */
const KEPT_BYTES = 4096

/** @throws {Error} where there is no whole answer */
export async function send(url: string, message: Message, signal: AbortSignal): Promise<Answer> {
  const { status, headers, body, failure } = await sendDelivery(url, { ...message, signal })
  if (failure !== undefined) throw failure
  return { status, headers: headers as Answer['headers'], body: body.toString('utf8', 0, KEPT_BYTES) }
}
