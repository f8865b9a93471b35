import type { Request } from './deliveries.js'

/** The request line and the headers as they are on the wire. */
export function headOf({ path, signature, headers, body, framing }: Request): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...signature.map((value) => `Service-Signature: ${value}`),
    framing === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** The complete body on the wire; if chunked, in two chunks, so that neither of them is the body. */
export function framed({ body, framing }: Request): Buffer {
  if (framing === 'length') return Buffer.from(body)
  const middle = body.length >> 1
  return Buffer.concat([chunk(body.subarray(0, middle)), chunk(body.subarray(middle)), LAST_CHUNK])
}

export function chunk(bytes: Uint8Array): Buffer {
  // An empty chunk would end the body.
  if (bytes.length === 0) return Buffer.alloc(0)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

export const LAST_CHUNK = Buffer.from('0\r\n\r\n')

export interface Answer {
  readonly status: number
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The status line, the headers and the body as they arrived. */
  readonly text: string
}

/** The first answer of what has been received so far, and the rest. */
export function takeAnswer(received: Buffer, isAll: boolean): { answer: Answer; rest: Buffer } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine, ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine!.split(' ')[1])
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  if (headers['transfer-encoding'] !== undefined)
    throw new Error('The host must answer with a Content-Length')

  const start = headEnd + '\r\n\r\n'.length
  const hasNoBody = status < 200 || status === 204 || status === 304
  const length = hasNoBody ? 0 : Number(headers['content-length'] ?? (isAll ? received.length - start : NaN))
  const end = start + length
  if (!(received.length >= end)) return undefined
  const body = received.toString('utf8', start, end)
  const text = received.toString('utf8', 0, end)
  return { answer: { status, headers, body, text }, rest: received.subarray(end) }
}
