import { createHmac } from 'node:crypto'

/** Every contestant signs and verifies with this key, and at the clock's own time. */
export const SECRET = 'test_signature_key'

export function unixTime() {
  return Math.floor(Date.now() / 1000)
}

/**
 * HMAC-SHA256 by node:crypto: headers are made without any code that is measured.
 *
 * @param {...(string | Uint8Array)} parts
 */
export function hmac(...parts) {
  const hash = createHmac('sha256', SECRET)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/**
 * S6.3.
 *
 * @param {Buffer} body
 * @param {number} timestamp
 */
export function v3Header(body, timestamp = unixTime()) {
  return `t=${timestamp},v3=${hmac(body.toString('base64'), String(timestamp)).toString('hex')}`
}

/**
 * @param {Buffer} body
 * @param {number} timestamp
 */
export function stripeHeader(body, timestamp = unixTime()) {
  return `t=${timestamp},v1=${hmac(`${timestamp}.`, body).toString('hex')}`
}
