import { createHmac } from 'node:crypto'

/** HMAC-SHA256 in hex, for expected digests. A test compares it with openssl. */
export function hmac(key: string, message: string | Uint8Array): string {
  return createHmac('sha256', key).update(message).digest('hex')
}
