import { checkKey } from '../keys.js'
import { refused, unusable } from './failure.js'
import type { FetchResponseBody } from './options.js'

const MAX_KIB = 64

/**
 * The bytes of an answer. Reading stops where it is longer than any answer of S4.2.
 *
 * @throws {SecretFetchError} on an answer that is too long
 */
export async function readBytes(body: FetchResponseBody | null): Promise<Uint8Array> {
  const bytes = new Uint8Array(MAX_KIB * 1024)
  let length = 0
  const reader = body?.getReader()
  for (;;) {
    const chunk = (await reader?.read())?.value
    if (chunk === undefined) return bytes.subarray(0, length)
    if (length + chunk.length > bytes.length) throw unusable(`the answer is longer than ${MAX_KIB} KiB`)
    bytes.set(chunk, length)
    length += chunk.length
  }
}

/**
 * The signing secret in an answer (S4.2).
 *
 * @throws {SecretFetchError} where there is none; the message holds nothing of the answer but its status code
 */
export function secretIn(bytes: Uint8Array): string {
  const answer = parse(bytes)
  const code = field(field(answer, 'status'), 'code')
  if (typeof code !== 'number') throw unusable('the answer has another shape: it has no status.code')
  if (code !== 200) throw refused(`status.code ${code} in an HTTP 200`, code)
  try {
    return checkKey(field(field(answer, 'data'), 'webhook_signature_secret'), 'secret')
  } catch {
    throw unusable(
      'the answer has another shape: its data.webhook_signature_secret is not there, or can be no key',
    )
  }
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw unusable('the answer is empty')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The error of JSON.parse quotes the text, and the secret may stand there.
    throw unusable(isMarkup(bytes) ? 'the answer is an HTML page' : 'the answer is not JSON')
  }
}

function isMarkup(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).trimStart().startsWith('<')
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
