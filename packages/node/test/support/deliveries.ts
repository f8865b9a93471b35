import { transactionEvent } from '@service-signature/core/testing'
import { createHmac } from 'node:crypto'

export const secret = 'test_signature_key'
const timestamp = 1743090080
export const now = () => timestamp * 1000

export const transaction = Buffer.from(JSON.stringify(transactionEvent()))

/** The signature header, made by node:crypto alone. */
export function sign(body: Uint8Array, key = secret): string {
  const message = Buffer.from(body).toString('base64') + String(timestamp)
  return `t=${timestamp},v3=${createHmac('sha256', key).update(message).digest('hex')}`
}
