import type { WebhookError } from '@service-signature/core'
import type { BodyLimits } from '@service-signature/core/receiver'
import { bodyConsumed, checkBodyLength } from '@service-signature/core/shared/body-limits'
import type { LambdaEvent } from './event.js'

const EVENT_CHANGED =
  'in Lambda, nothing may change event.body or event.isBase64Encoded before serviceSignature: remove ' +
  'middlewares that parse the body, such as @middy/http-json-body-parser, and in API Gateway use a Lambda ' +
  'proxy integration without a mapping template'

/**
 * The bytes of the body: base64 is decoded, and other text is UTF-8.
 *
 * @throws {WebhookError} `ERR_BODY_TOO_LARGE`, `ERR_BODY_CONSUMED`
 */
export function bodyOf({ body, isBase64Encoded }: LambdaEvent, limits: BodyLimits): Uint8Array {
  const text: unknown = body ?? ''
  if (typeof text !== 'string') throw consumed('event.body is not a string')
  const encoding = isBase64Encoded ? 'base64' : 'utf8'
  // Counted before it is decoded.
  checkBodyLength(Buffer.byteLength(text, encoding), limits)
  const bytes = Buffer.from(text, encoding)
  // Node skips characters that are not base64. Gateways send correct base64, so the event was changed later.
  if (isBase64Encoded && bytes.toString('base64') !== text) throw consumed('event.body is not valid base64')
  return bytes
}

function consumed(what: string): WebhookError {
  return bodyConsumed(`${what}; ${EVENT_CHANGED}`)
}
