// Requests of the runtime itself. They are signed by its Web Crypto, never by the code under test.

export const secret = 'test_signature_key'
export const timestamp = 1743090080
export const BODY = '{"amount":10.5,"type":"order.shipped"}'

const encoder = new TextEncoder()

/**
 * @typedef {object} Changes
 * @property {string | Uint8Array<ArrayBuffer>} [body]
 * @property {RequestInit['body']} [sent] in place of the signed body
 * @property {readonly string[]} [signature] one header line each
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {'GET' | 'POST'} [method]
 *
 * @param {Changes} [changes]
 */
export async function delivery({ body = BODY, sent = body, signature, headers, method = 'POST' } = {}) {
  const all = new Headers(headers)
  for (const value of signature ?? [await sign(body)]) all.append('Service-Signature', value)
  const content = method === 'GET' ? {} : { body: sent, duplex: /** @type {const} */ ('half') }
  return new Request('https://merchant.example/webhooks', { method, headers: all, ...content })
}

/**
 * @param {string | Uint8Array<ArrayBuffer>} body
 * @param {{ t?: number }} [signing]
 */
export async function sign(body, { t = timestamp } = {}) {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(btoa(binary) + String(t)))
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return `t=${t},v3=${hex.join('')}`
}

/**
 * A body in pieces, and whether it was cancelled. After the pieces it ends, unless `end` does something else.
 *
 * @typedef {import('node:stream/web').ReadableStreamDefaultController<Uint8Array>} Controller
 * @param {Iterable<Uint8Array>} pieces
 * @param {(controller: Controller) => Promise<void> | void} [end]
 */
export function streamOf(pieces, end) {
  const left = pieces[Symbol.iterator]()
  const watched = { isCancelled: false, stream: new ReadableStream({ pull, cancel }) }
  return watched

  /** @param {Controller} controller */
  async function pull(controller) {
    const { done, value } = left.next()
    if (done !== true) controller.enqueue(value)
    else if (end === undefined) controller.close()
    else await end(controller)
  }

  function cancel() {
    watched.isCancelled = true
  }
}

/**
 * @param {string} body
 * @param {number} size of a piece
 */
export function* cut(body, size) {
  const bytes = encoder.encode(body)
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size)
}
