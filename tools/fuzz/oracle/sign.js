import { createHmac } from 'node:crypto'
import { canonicalText } from './canonical.js'

/** @import { Form } from './canonical.js' */

/** @typedef {'v1' | 'v2' | 'v3'} Version */

/**
 * The digest that a faithful sender puts into the header (S6.3 to S6.5), or nothing where v2 has no JSON to sign.
 *
 * @param {Version} version
 * @param {string} key
 * @param {Uint8Array} body
 * @param {string} t
 * @param {Form} form
 */
export function digestOf(version, key, body, t, form = 'source') {
  const message = messageOf(version, body, form)
  return message === undefined ? undefined : createHmac('sha256', key).update(message).update(t).digest('hex')
}

/**
 * @param {Version} version
 * @param {Uint8Array} body
 * @param {Form} form
 */
function messageOf(version, body, form) {
  if (version === 'v1') return withoutSpaces(body)
  return version === 'v2' ? canonicalText(body, form) : Buffer.from(body).toString('base64')
}

/** @param {Uint8Array} body */
export function withoutSpaces(body) {
  return body.filter((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d)
}
