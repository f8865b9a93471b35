import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fieldOf, parsedJson, type Headers, type SavedDelivery } from './delivery.js'
import { FORGERIES, type Forgery } from './forgery.js'
import { readDeliveries } from './read-deliveries.js'

/** A delivery that can be sent again. */
export interface RecordedDelivery {
  /** The name of the file; with a number where it holds several: `payments.har#2`. */
  readonly file: string
  /** In milliseconds since 1970. */
  readonly recordedAt: number
  readonly type: string
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array
  /** What was broken on purpose. It is broken again when the delivery is signed again. */
  readonly faults: readonly Forgery[]
  /** The status of the answer; null if the endpoint did not answer. */
  readonly status: number | null
}

/**
 * Reads the fixtures and HAR files of a folder, or one file, in the order in which their deliveries were recorded. Other files are
 * left out, but every JSON file must be a recording.
 *
 * @throws {Error} if the path does not exist, a file is not a recording, or there is no recording at all
 */
export async function readRecordings(path: string): Promise<readonly RecordedDelivery[]> {
  const isFolder = (await stat(path)).isDirectory()
  const files = isFolder ? (await readdir(path)).sort().map((name) => join(path, name)) : [path]
  const recordings: RecordedDelivery[] = []
  for (const file of files) {
    if (isFolder && !/\.(?:json|har)$/i.test(file)) continue
    recordings.push(...recordingsIn(await readFile(file), basename(file)))
  }
  if (recordings.length === 0) throw new Error(`There are no recorded deliveries in ${path}.`)
  return recordings.sort((one, other) => one.recordedAt - other.recordedAt)
}

function recordingsIn(bytes: Uint8Array, file: string): readonly RecordedDelivery[] {
  const deliveries = named(file, () => readDeliveries(bytes))
  return deliveries.map((delivery, index) => {
    const place = deliveries.length === 1 ? file : `${file}#${index + 1}`
    return { file: place, ...named(place, () => replayable(delivery)) }
  })
}

/** Puts the name of a file before what is wrong with it. */
function named<Result>(file: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error })
  }
}

/** @throws {Error} if what a replay needs was not saved */
function replayable({ body, receivedAt, exchange }: SavedDelivery): Omit<RecordedDelivery, 'file'> {
  if (exchange === undefined) throw new Error('Only a fixture and a HAR can be sent again.')
  if (receivedAt === undefined) throw new Error('It has no time of recording such as 2025-03-27T15:41:20Z.')
  const { method = 'POST', headers, type, faults = [], status } = exchange
  if (!Array.isArray(faults) || !faults.every((fault) => FORGERIES.includes(fault as Forgery)))
    throw new Error(`The faults must be a list of ${FORGERIES.join(', ')}.`)
  if (status !== null && !Number.isInteger(status))
    throw new Error('"answer" must be null, or have a "status".')
  return {
    recordedAt: receivedAt,
    type: typeof type === 'string' ? type : typeIn(body),
    method: String(method),
    headers,
    body,
    faults: faults as Forgery[],
    status: status as number | null,
  }
}

/** Other programs do not save the type, but it is in the body. */
function typeIn(body: Uint8Array): string {
  const type = fieldOf(parsedJson(new TextDecoder().decode(body)), 'type')
  return typeof type === 'string' ? type : '(no type)'
}
