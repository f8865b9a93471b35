import { isCurl, readCurl } from './curl.js'
import { fieldOf, parsedJson, type SavedDelivery } from './delivery.js'
import { isFixture, readFixture } from './fixture.js'
import { isHar, readHar } from './har.js'
import { isRawRequest, readRawRequest } from './raw-request.js'
import { isSandboxDelivery, readSandboxDelivery } from './sandbox-delivery.js'

/**
 * Reads a HAR, a raw request, a curl command, saved deliveries, a delivery of the sandbox's control API, or a log with a saved
 * delivery in some of its lines.
 *
 * @throws {Error} if it is neither, or is broken
 */
export function readDeliveries(bytes: Uint8Array): readonly SavedDelivery[] {
  // The decoder leaves out the byte order mark that some programs put at the start.
  const text = new TextDecoder().decode(bytes)
  if (isCurl(text)) return [readCurl(text)]
  if (isRawRequest(bytes)) return [readRawRequest(bytes)]
  const json = parsedJson(text)
  if (json !== undefined) return readJson(json)
  const logged = readLog(text)
  if (logged.length > 0) return logged
  // The error of JSON.parse quotes the text.
  if (/^\s*[{[]/.test(text)) throw new Error('This starts like JSON, but is not JSON: it may be cut.')
  throw new Error('This is not a HAR, a raw HTTP request, a curl command or a saved delivery.')
}

function readJson(json: unknown): readonly SavedDelivery[] {
  if (isHar(json)) return readHar(json)
  if (isSandboxDelivery(json)) return [readSandboxDelivery(json)]
  const saved = [json].flat().map(savedIn)
  if (saved.length > 0 && saved.every((value) => value !== undefined)) return saved.map(readFixture)
  throw new Error('This is JSON, but not a HAR or a saved delivery.')
}

/** The deliveries in the lines of a log, which may have other lines. */
function readLog(text: string): readonly SavedDelivery[] {
  return text.split('\n').flatMap((line) => {
    // Some logs write a time or a level before each record.
    const start = line.indexOf('{')
    const saved = start === -1 ? undefined : savedIn(parsedJson(line.slice(start)))
    return saved === undefined ? [] : [readFixture(saved)]
  })
}

/** A saved delivery: the value, or a field of it, as a logger nests what it is given. */
function savedIn(value: unknown): unknown {
  if (isFixture(value)) return value
  const fields: readonly string[] = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return fields.map((name) => fieldOf(value, name)).find(isFixture)
}
