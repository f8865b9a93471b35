import stableStringify from 'fast-json-stable-stringify'
import { createHmac } from 'node:crypto'
import { hmac, SECRET, unixTime, v3Header } from './signing.js'

/** The steps of S6.3 and S6.4 as they are usually written down, without what guards them. */
export const recipe = {
  /** @param {Buffer} body */
  signature(body) {
    const header = v3Header(body)
    return (bytes) => {
      const { t, v3 } = elementsOf(header)
      return digestOf(bytes.toString('base64') + t) === v3
    }
  },

  /** @param {Buffer} body */
  full(body) {
    const verify = recipe.signature(body)
    return (bytes) => verify(bytes) && JSON.parse(bytes.toString())
  },

  /** @param {Buffer} body */
  v2(body) {
    const header = v2Header(body)
    return (bytes) => {
      const { t, v2 } = elementsOf(header)
      return digestOf(canonicalOf(bytes) + t) === v2
    }
  },
}

/**
 * S6.4, for a body in which all readings of it agree.
 *
 * @param {Buffer} body
 * @param {number} timestamp
 */
export function v2Header(body, timestamp = unixTime()) {
  return `t=${timestamp},v2=${hmac(canonicalOf(body), String(timestamp)).toString('hex')}`
}

/** @param {Buffer} body */
export function canonicalOf(body) {
  return stableStringify(JSON.parse(body.toString())).replace(/[ \n\r]/g, '')
}

/** @param {string} header */
function elementsOf(header) {
  return Object.fromEntries(header.split(',').map((element) => element.split('=')))
}

/** @param {string} message */
function digestOf(message) {
  return createHmac('sha256', SECRET).update(message).digest('hex')
}
