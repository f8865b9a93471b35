// HTTP/1.1, byte for byte.

/**
 * What stands before the body.
 *
 * @param {string} path
 * @param {import('./deliveries.js').Delivery} delivery
 */
export function headOf(path, { method, signature, signatureName, headers, body, framing }) {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...signature.map((value) => `${signatureName}: ${value}`),
  ]
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked')
  if (framing === 'length') lines.push(`Content-Length: ${body.length}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * The whole body; chunked, in two chunks, so that none of them is the body.
 *
 * @param {import('./deliveries.js').Delivery} delivery
 */
export function framed({ body, framing }) {
  if (framing !== 'chunked') return body
  const middle = body.length >> 1
  return Buffer.concat([chunk(body.subarray(0, middle)), chunk(body.subarray(middle)), LAST_CHUNK])
}

/** @param {Uint8Array} bytes */
export function chunk(bytes) {
  // An empty chunk would be the last.
  if (bytes.length === 0) return Buffer.alloc(0)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Readonly<Record<string, string>>} headers by their names in small letters
 * @property {string} body
 * @property {string} text the status line, the headers and the body as they came, without the date
 */

/**
 * The first answer of what has been received so far, and the rest.
 *
 * @param {Buffer} received
 * @param {boolean} isAll
 * @returns {{ answer: Answer, rest: Buffer } | undefined}
 */
export function takeAnswer(received, isAll) {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const taken = takeBody(received.subarray(headEnd + 4), status, headers, isAll)
  if (taken === undefined) return undefined
  const text = [statusLine, ...lines.filter((line) => !/^date:/i.test(line)), '', taken.body].join('\r\n')
  return { answer: { status, headers, body: taken.body, text }, rest: taken.rest }
}

/**
 * @param {Buffer} bytes
 * @param {number} status
 * @param {Readonly<Record<string, string>>} headers
 * @param {boolean} isAll
 */
function takeBody(bytes, status, headers, isAll) {
  if (status < 200 || status === 204) return { body: '', rest: bytes }
  if (headers['transfer-encoding'] !== undefined) return takeChunks(bytes)
  const length = Number(headers['content-length'] ?? (isAll ? bytes.length : NaN))
  if (!(bytes.length >= length)) return undefined
  return { body: bytes.toString('utf8', 0, length), rest: bytes.subarray(length) }
}

/** @param {Buffer} bytes */
function takeChunks(bytes) {
  /** @type {Buffer[]} */
  const chunks = []
  for (let rest = bytes; ;) {
    const lineEnd = rest.indexOf('\r\n')
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.toString('latin1', 0, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (rest.length < next) return undefined
    chunks.push(rest.subarray(lineEnd + 2, next - 2))
    rest = rest.subarray(next)
    if (size === 0) return { body: Buffer.concat(chunks).toString(), rest }
  }
}
