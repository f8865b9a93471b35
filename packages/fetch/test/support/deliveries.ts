import type { WebhookError, WebhookErrorCode } from '@service-signature/core'
import type { ServiceSignatureOptions } from '@service-signature/fetch'
import { transactionEvent } from '@service-signature/core/testing'
import { createHmac } from 'node:crypto'

export const secret = 'test_signature_key'
export const timestamp = 1743090080
const now = () => timestamp * 1000
const url = 'https://merchant.example/webhooks'

export const event = transactionEvent()
export const transaction = Buffer.from(JSON.stringify(event))

/** The header, by node:crypto alone (see specification, Signature v3). */
export function sign(body: Uint8Array | string, { key = secret, t = timestamp } = {}): string {
  const message = Buffer.from(body as string).toString('base64') + String(t)
  return `t=${t},v3=${createHmac('sha256', key).update(message).digest('hex')}`
}

/** A valid delivery with the changes of the case. */
export function delivery({
  body = transaction,
  stream = bytesOf(body),
  signature = sign(body),
  headers = {},
  signal,
}: {
  readonly body?: Uint8Array | string
  /** The stream that is sent in place of the signed body. */
  readonly stream?: RequestInit['body']
  readonly signature?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
} = {}): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'Service-Signature': signature, ...headers },
    body: stream,
    duplex: 'half',
    ...(signal && { signal }),
  })
}

/** The same without its signature. */
export function unsigned(): Request {
  const request = delivery()
  request.headers.delete('service-signature')
  return request
}

function bytesOf(body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(body as string))
}

/** Options with the time and the key of the deliveries, and the reasons of refusals. */
export function observed(): {
  readonly options: ServiceSignatureOptions & { readonly dispatcher?: undefined }
  readonly codes: readonly WebhookErrorCode[]
  readonly errors: readonly WebhookError[]
} {
  const errors: WebhookError[] = []
  const codes: WebhookErrorCode[] = []
  const onRejected = (error: WebhookError) => {
    errors.push(error)
    codes.push(error.code)
  }
  return { options: { secret, now, onRejected }, errors, codes }
}
