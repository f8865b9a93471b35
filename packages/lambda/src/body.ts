import { WebhookError } from '@service-signature/core'
import type { BodyLimits } from '@service-signature/core/receiver'
import type { LambdaEvent } from './event.js'

const MEND =
  'in Lambda, let nothing change event.body or event.isBase64Encoded before serviceSignature, neither a middleware that ' +
  'parses it nor a test event made by hand, and in API Gateway use a Lambda proxy integration, without a mapping template'

/**
 * The bytes of the body: of base64 what it stands for, of text its UTF-8.
 *
 * @throws {WebhookError} `ERR_BODY_TOO_LARGE`, `ERR_BODY_CONSUMED`
 */
export function bodyOf({ body, isBase64Encoded }: LambdaEvent, { bodyLimit }: BodyLimits): Uint8Array {
  const text: unknown = body ?? ''
  if (typeof text !== 'string') throw consumed('event.body is no text any more')
  const encoding = isBase64Encoded ? 'base64' : 'utf8'
  // Counted, and not decoded for it.
  if (Buffer.byteLength(text, encoding) > bodyLimit) {
    throw new WebhookError('ERR_BODY_TOO_LARGE', { detail: `more than ${bodyLimit} bytes` })
  }
  const bytes = Buffer.from(text, encoding)
  // Node skips what is no base64. A gateway sends none that is not, so this was changed behind it.
  if (isBase64Encoded && bytes.toString('base64') !== text) throw consumed('event.body is no base64')
  return bytes
}

function consumed(what: string): WebhookError {
  return new WebhookError('ERR_BODY_CONSUMED', { detail: `${what}; ${MEND}` })
}
