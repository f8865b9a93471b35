import { UsageError } from '../exit.js'
import { decodeChunked } from './chunked.js'
import { headerValue, parseHeaderLines, type HeaderLines } from './header-lines.js'
import type { SavedDelivery } from './saved-delivery.js'

/**
 * Reads a request as it was on the wire: head, blank line, body. The lines of the head may have lost their CR; the
 * body is taken byte for byte.
 *
 * @throws {UsageError} when it is no such request
 */
export function readRawRequest(bytes: Buffer, place: string): SavedDelivery {
  // One character for each byte, so that a position in the text is one in the bytes.
  const text = bytes.toString('latin1')
  const blank = /\r?\n\r?\n/.exec(text)
  if (blank === null || !/^[A-Z]+ \S+(?: HTTP\/[\d.]+)?\r?\n/.test(text)) {
    throw new UsageError(
      `${place} is neither a raw HTTP request (request line, headers, blank line, body) nor a HAR.`,
    )
  }
  const headers = parseHeaderLines(text.slice(0, blank.index))
  const rest = bytes.subarray(blank.index + blank[0].length)
  return { header: headerValue(headers, 'service-signature'), ...bodyOf(rest, headers) }
}

function bodyOf(rest: Buffer, headers: HeaderLines): Pick<SavedDelivery, 'body' | 'notes'> {
  if (/\bchunked\b/i.test(headerValue(headers, 'transfer-encoding') ?? '')) {
    const body = decodeChunked(rest)
    if (body !== undefined) return { body, notes: [] }
    // Many tools save the head as it came, and the body without its frame.
    return { body: rest, notes: ['The head says "chunked", and the body is not: it is taken as it stands.'] }
  }
  const length = headerValue(headers, 'content-length')
  if (length === undefined || !/^\d+$/.test(length)) return { body: rest, notes: [] }
  if (rest.length >= Number(length)) return { body: rest.subarray(0, Number(length)), notes: [] }
  const note = `Content-Length says ${length} bytes, and the file has ${rest.length} of them: it is not the whole body.`
  return { body: rest, notes: [note] }
}
