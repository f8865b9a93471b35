import type { Answer } from './send.js'

type Headers = Answer['headers']

/** How many are remembered. An endpoint gives the same ones within a second, and then another date. */
const MAX_REMEMBERED = 100

/** The headers of answers by their JSON, the oldest first. */
const remembered = new Map<string, Headers>()

/** One object for all answers with the same headers, because they take as much memory as the rest of an attempt. */
export function sharedHeaders(headers: Headers): Headers {
  const text = JSON.stringify(headers)
  const same = remembered.get(text)
  if (same !== undefined) return same
  if (remembered.size === MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
  remembered.set(text, headers)
  return headers
}
