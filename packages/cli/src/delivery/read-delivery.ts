import { UsageError } from '../exit.js'
import { placeOf, readInput, STDIN } from '../input.js'
import type { Io } from '../io.js'
import { count } from '../values.js'
import { isFixture, readFixture } from './fixture.js'
import { readHar } from './har.js'
import { headerValue, parseHeaderLines } from './header-lines.js'
import { readRawRequest } from './raw-request.js'
import type { SavedDelivery } from './saved-delivery.js'

/** Where a saved delivery is, as the options say. */
export interface DeliveryOptions {
  readonly body?: string
  readonly header?: string
  readonly headers?: string
  readonly request?: string
  readonly entry?: string
}

/**
 * Reads a saved delivery: a body and a header, or a whole request.
 *
 * @throws {UsageError} when an input cannot be read, or is not named
 */
export async function readDelivery(options: DeliveryOptions, io: Io): Promise<SavedDelivery> {
  const { request, headers, header, body, entry } = options
  if (request !== undefined) {
    if ((body ?? header ?? headers) !== undefined) {
      throw new UsageError('--request has head and body: leave --body, --header and --headers out.')
    }
    return readRequest(request, entry, io)
  }
  if (entry !== undefined) throw new UsageError('--entry chooses from a HAR: name it with --request.')
  if ((header === undefined) === (headers === undefined)) {
    throw new UsageError(
      'Say where the signature is: --header <value>, --headers <file> or --request <file>.',
    )
  }
  const saved = headers === undefined ? header : await readHeader(headers, io)
  return { body: await readInput(body ?? STDIN, io), header: saved, notes: [] }
}

async function readHeader(file: string, io: Io): Promise<string | undefined> {
  const text = (await readInput(file, io)).toString()
  return headerValue(parseHeaderLines(text), 'service-signature')
}

async function readRequest(file: string, entry: string | undefined, io: Io): Promise<SavedDelivery> {
  const bytes = await readInput(file, io)
  const place = placeOf(file)
  // The byte order mark that some tools put in front is no part of JSON.
  const text = new TextDecoder().decode(bytes).trimStart()
  const json = text.startsWith('{') ? parse(text, place) : undefined
  if (json !== undefined && !isFixture(json)) {
    return readHar(json, place, entry === undefined ? entry : count('--entry', entry))
  }
  if (entry !== undefined) throw new UsageError(`--entry chooses from a HAR, and ${place} is none.`)
  return json === undefined ? readRawRequest(bytes, place) : readFixture(json, place)
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error of JSON.parse quotes the text.
    throw new UsageError(`${place} starts like a HAR, and is not JSON.`)
  }
}
