import { receivedAtIn, signatureIn, type Headers, type SavedDelivery } from './delivery.js'

const REQUEST_LINE = /^[A-Z]+ \S+(?: HTTP\/[\d.]+)?\r?\n/

/** Whether the bytes start like an HTTP request. */
export function isRawRequest(bytes: Uint8Array): boolean {
  return REQUEST_LINE.test(latin1(bytes.subarray(0, 16 * 1024)))
}

/**
 * Reads a request as it was sent: request line, headers, blank line, body. The lines of the head may have lost their CR; the
 * body is read byte for byte.
 *
 * @throws {Error} if there is no blank line after the headers
 */
export function readRawRequest(bytes: Uint8Array): SavedDelivery {
  const text = latin1(bytes)
  const blank = /\r?\n\r?\n/.exec(text)
  if (blank === null) throw new Error('The request has no blank line between its headers and its body.')
  const head = text.slice(0, blank.index)
  const headers = headersIn(head)
  const rest = bytes.subarray(blank.index + blank[0].length)
  const named = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const { body, notes } = bodyOf(rest, named)
  const [refused, code, date, unread] = REFUSED.exec(named.get('refused') ?? '') ?? []
  return {
    label: head.split(/\r?\n/, 1)[0]!,
    header: signatureIn(headers),
    body,
    ...receivedAtIn(date),
    ...(unread !== undefined && { refusedUnread: code! }),
    notes: [
      ...(refused === undefined ? [] : [`It was refused with ${refused}.`]),
      ...(/\n[ \t]/.test(head) ? [FOLDED] : []),
      ...notes,
    ],
  }
}

/** What `recordRefusals` writes. */
const REFUSED = /^(ERR_[A-Z_]+) at ([\dTZ.:+-]+)(, before its body was read)?$/

const FOLDED =
  'A header line of the request is folded, which HTTP no longer allows: Node answers 400 before any handler runs.'

/**
 * The value of `Service-Signature` in header lines as `curl -D` or `curl -v` write them; other lines are skipped.
 *
 * @example
 * signatureInLines('> Service-Signature: t=1743090080,v3=...')
 */
export function signatureInLines(text: string): string | null {
  return signatureIn(headersIn(text.replace(/^\ufeff/, '').replace(/^[<>] ?/gm, '')))
}

function headersIn(head: string): Headers {
  // A line that starts with white space continues the one before (RFC 9112, 5.2). The line break stays in the value, because a
  // server refuses it.
  return head.split(/\r?\n(?![ \t])/).flatMap((line) => {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*)$/s.exec(line)
    return match === null ? [] : [[match[1]!, match[2]!.trimEnd()] as const]
  })
}

function bodyOf(
  rest: Uint8Array,
  headers: ReadonlyMap<string, string>,
): Pick<SavedDelivery, 'body' | 'notes'> {
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')) {
    const body = withoutChunks(rest)
    if (body !== undefined) return { body, notes: [] }
    // Many tools save the head as it was received, and the body without its chunks.
    return { body: rest, notes: ['The head says "chunked", but the body is not: it is used as it is.'] }
  }
  const length = headers.get('content-length')
  if (length === undefined || !/^\d+$/.test(length)) return { body: rest, notes: [] }
  if (rest.length >= Number(length)) return { body: rest.slice(0, Number(length)), notes: [] }
  const note = `Content-Length is ${length} bytes, and there are ${rest.length}: the body is cut, or has lost carriage returns.`
  return { body: rest, notes: [note] }
}

const SIZE_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]{0,64})?\r?\n/i

/**
 * The body without chunked transfer coding (RFC 9112, 7.1), or undefined if the bytes are not chunks.
 *
 * @param mayBeCut the last chunk, or a part of one, may be missing
 */
export function withoutChunks(bytes: Uint8Array, mayBeCut = false): Uint8Array | undefined {
  const body: number[] = []
  for (let at = 0; at < bytes.length;) {
    const line = SIZE_LINE.exec(latin1(bytes.subarray(at, at + 80)))
    if (line === null) return undefined
    const size = Number.parseInt(line[1]!, 16)
    const start = at + line[0].length
    if (size === 0) return Uint8Array.from(body)
    for (const byte of bytes.subarray(start, start + size)) body.push(byte)
    at = start + size + (bytes[start + size] === 0x0d ? 2 : 1)
  }
  return mayBeCut ? Uint8Array.from(body) : undefined
}

/** One character for each byte, so that a position in the text is one in the bytes. (To `TextDecoder` it is Windows-1252.) */
function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}
