import { createHmac } from 'node:crypto'

/** Every contestant signs and verifies with this key and the current time. */
export const SECRET = 'test_signature_key'

export const unixTime = () => Math.floor(Date.now() / 1000)

/** HMAC-SHA256 by node:crypto: no measured code takes part in making a header. */
export function hmac(...parts) {
  const hash = createHmac('sha256', SECRET)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export function v3Header(body, timestamp = unixTime()) {
  return `t=${timestamp},v3=${hmac(body.toString('base64'), String(timestamp)).toString('hex')}`
}

export function stripeHeader(body, timestamp = unixTime()) {
  return `t=${timestamp},v1=${hmac(`${timestamp}.`, body).toString('hex')}`
}

/** The headers of standardwebhooks (prefix "webhook") and of svix, which differ in the prefix alone. */
export function standardHeaders(prefix, body, timestamp = unixTime()) {
  const id = 'msg_01jqbz3m8qk4w7v5e2d9xa6h1c'
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: `v1,${hmac(`${id}.${timestamp}.`, body).toString('base64')}`,
  }
}

/** Changes the last hex digit of the signature. */
export function forge(header) {
  return header.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
}

/** Still JSON, so that only the signature can reveal the change. */
export function tamper(body) {
  const tampered = Buffer.from(body.toString().replace('EUR', 'USD'))
  if (tampered.equals(body)) throw new Error('The body has no currency to change.')
  return tampered
}
