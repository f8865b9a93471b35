import { WebhookError } from '../errors.js'

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  readonly bodyLimit: number
  readonly bodyTimeoutSeconds: number
}

/** @param fix what to do, in this host, if something read the body before */
export function bodyConsumed(fix: string): WebhookError {
  return new WebhookError('ERR_BODY_CONSUMED', { detail: fix })
}

/** @param arrived how many bytes, as far as it is known */
export function bodyIncomplete(
  arrived: number | string,
  reason: { readonly cause?: unknown } = {},
): WebhookError {
  return new WebhookError('ERR_BODY_INCOMPLETE', { detail: `${arrived} bytes arrived`, ...reason })
}

/** @param arrived how many bytes, as far as it is known */
export function bodyLate(arrived: number | string, { bodyTimeoutSeconds }: BodyLimits): WebhookError {
  return new WebhookError('ERR_BODY_TIMEOUT', { detail: `${arrived} bytes in ${bodyTimeoutSeconds} s` })
}

/** @throws {WebhookError} `ERR_BODY_TOO_LARGE` */
export function checkBodyLength(length: number, limits: BodyLimits): void {
  if (length > limits.bodyLimit) throw bodyTooLarge(limits)
}

export function bodyTooLarge({ bodyLimit }: BodyLimits): WebhookError {
  return new WebhookError('ERR_BODY_TOO_LARGE', { detail: `more than ${bodyLimit} bytes` })
}
