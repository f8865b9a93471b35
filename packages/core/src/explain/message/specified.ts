import type { Message } from '../../versions.js'
import type { Messages } from '../case.js'
import { joined } from '../encoding.js'

/** What S6.3 to S6.5 say. */
export const specified: Messages = (version, body, timestamp) =>
  timestamp === undefined ? [] : body.messages(version).map((message) => ({ message, timestamp }))

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** A message out of texts and bytes in a row. */
export function message(...parts: readonly (Uint8Array | string)[]): Message {
  return { bytes: joined(...parts.map((part) => (typeof part === 'string' ? encode(part) : part))) }
}
