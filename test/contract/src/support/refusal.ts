import type { WebhookError, WebhookErrorCode } from '@service-signature/core'
import { expect } from 'vitest'
import { apiKey, secret, sign, type Request } from './deliveries.js'
import type { Answer } from './wire.js'

/** The documented statuses, repeated here so that the sources cannot change them unnoticed. */
const STATUS: Readonly<Partial<Record<WebhookErrorCode, number>>> = {
  ERR_SIGNATURE_MISSING: 401,
  ERR_SIGNATURE_MALFORMED: 400,
  ERR_SIGNATURE_VERSION_MISSING: 401,
  ERR_TIMESTAMP_TOO_OLD: 401,
  ERR_TIMESTAMP_IN_FUTURE: 401,
  ERR_SIGNATURE_MISMATCH: 401,
  ERR_SECRET_UNKNOWN: 401,
  ERR_ACCOUNT_UNEXPECTED: 403,
  ERR_MODE_UNEXPECTED: 403,
  ERR_BODY_TOO_LARGE: 413,
  ERR_BODY_ENCODED: 415,
  ERR_BODY_INCOMPLETE: 400,
  ERR_BODY_CONSUMED: 500,
  ERR_BODY_TIMEOUT: 408,
  ERR_BODY_NOT_JSON: 400,
  ERR_SECRET_UNAVAILABLE: 503,
  ERR_REPLAY_STORE_UNAVAILABLE: 503,
  ERR_DELIVERY_IN_PROGRESS: 409,
}

/** Checks that apply to the answer of every refusal. */
export function expectRefusal(answer: Answer, error: WebhookError, request: Request): void {
  expect(answer.status, error.code).toBe(STATUS[error.code])
  const { status, headers, text } = answer
  // RFC 9110, 11.6.1.
  if (status === 401) expect(headers['www-authenticate']).toBe('Service-Signature')
  expect(headers['retry-after'], 'Retry-After').toBe([409, 503].includes(status) ? '10' : undefined)

  const [expected] = /(?<=v3=).*/.exec(sign(request.body))!
  const untold = [secret, apiKey, expected, error.code, ...identifiersIn(request.body)]
  // In development, hosts show the stack of other errors, and the message with it.
  if (status === 401 || status === 403) untold.push(error.message)
  for (const word of untold) expect(text).not.toContain(word)
}

function identifiersIn(body: Uint8Array): readonly string[] {
  return (
    Buffer.from(body)
      .toString('latin1')
      .match(/\b(?:int|acc|pm)_[0-9a-z]{26}/g) ?? []
  )
}
