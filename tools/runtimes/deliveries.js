// What a sender puts on the wire. Every signature is made with node:crypto, by the specification.
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { createHmac } from 'node:crypto'

/** The keys and the time of public code's known answer. */
const secret = 'test_signature_key'
const apiKey = 'test_api_key'
export const timestamp = 1743090080

export const transaction = Buffer.from(JSON.stringify(transactionEvent()))
export const intent = Buffer.from(JSON.stringify(intentEvent()))

/**
 * @typedef {'v1' | 'v2' | 'v3'} Version
 *
 * @typedef {object} Delivery
 * @property {string} method
 * @property {readonly string[]} signature each a line of its own
 * @property {string} signatureName
 * @property {Readonly<Record<string, string>>} headers beside the signature and the framing
 * @property {Buffer} body
 * @property {'length' | 'chunked' | 'none'} framing
 */

/**
 * A delivery as the service sends it, with what the case changes of it.
 *
 * @param {Partial<Delivery>} [changes]
 * @returns {Delivery}
 */
export function delivery({ body = transaction, signature = [sign(body)], ...changes } = {}) {
  return {
    method: 'POST',
    signatureName: 'Service-Signature',
    headers: { 'Content-Type': 'application/json' },
    framing: 'length',
    ...changes,
    body,
    signature,
  }
}

/**
 * The same, with another signature: none, one line or more.
 *
 * @param {readonly string[]} signature
 */
export function deliverySigned(...signature) {
  return delivery({ signature })
}

/**
 * @param {string | Buffer} body
 * @param {Delivery['framing']} [framing]
 */
export function deliveryOf(body, framing = 'length') {
  return delivery({ body: Buffer.from(body), framing })
}

/**
 * A transaction event of that many bytes.
 *
 * @param {number} size
 */
export function eventOf(size) {
  const textWith = (/** @type {string} */ custom_message) =>
    JSON.stringify(transactionEvent({ transaction: { custom_message } }))
  return textWith('x'.repeat(size - textWith('').length))
}

/**
 * The header of S6.2, as S6.3 to S6.5 make it.
 *
 * @param {Uint8Array | string} bytes
 * @param {{ key?: string, t?: number, versions?: readonly Version[] }} [signing]
 */
export function sign(bytes, { key = secret, t = timestamp, versions = ['v3'] } = {}) {
  const body = Buffer.from(bytes)
  const digests = versions.map((version) => {
    const message = MESSAGES[version](body) + String(t)
    const digest = createHmac('sha256', version === 'v1' ? apiKey : key)
    return `${version}=${digest.update(message).digest('hex')}`
  })
  return [`t=${t}`, ...digests].join()
}

/** @type {Readonly<Record<Version, (body: Buffer) => string>>} */
const MESSAGES = {
  v1: (body) => withoutBlanks(body.toString()),
  v2: (body) => withoutBlanks(sorted(JSON.parse(body.toString()))),
  v3: (body) => body.toString('base64'),
}

/** @param {string} text */
function withoutBlanks(text) {
  return text.replace(/[ \n\r]/g, '')
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function sorted(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join()}}`
}
