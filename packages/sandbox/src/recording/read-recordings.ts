import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isFixture, readFixture } from './fixture.js'
import { isHar, readHar } from './har.js'
import type { RecordedDelivery } from './recorded-delivery.js'

/** A delivery, and where it was read. */
export interface Recording {
  /** The name of the file; with a number where it holds several: `payments.har#2`. */
  readonly file: string
  readonly delivery: RecordedDelivery
}

/**
 * Reads the fixtures and HAR files of a folder, or one file, in the order in which their deliveries were recorded. Other files are
 * left out, but every JSON file must be a recording.
 *
 * @throws {Error} if the path does not exist, a file is not a recording, or there is no recording at all
 */
export async function readRecordings(path: string): Promise<readonly Recording[]> {
  const isFolder = (await stat(path)).isDirectory()
  const files = isFolder ? (await readdir(path)).sort().map((name) => join(path, name)) : [path]
  const recordings: Recording[] = []
  for (const file of files) {
    if (isFolder && !/\.(?:json|har)$/i.test(file)) continue
    recordings.push(...readRecording(await readFile(file, 'utf8'), basename(file)))
  }
  if (recordings.length === 0) throw new Error(`There are no recorded deliveries in ${path}.`)
  return recordings.sort((one, other) => one.delivery.recordedAt - other.delivery.recordedAt)
}

function readRecording(text: string, file: string): readonly Recording[] {
  const content = parse(text, file)
  if (isFixture(content)) return [{ file, delivery: readFixture(content, file) }]
  if (isHar(content)) return numbered(readHar(content, file), file)
  if (Array.isArray(content) && content.every(isFixture)) {
    return numbered(
      content.map((each, index) => readFixture(each, `${file}#${index + 1}`)),
      file,
    )
  }
  throw new Error(`${file} is neither a recorded delivery nor a HAR.`)
}

function numbered(deliveries: readonly RecordedDelivery[], file: string): readonly Recording[] {
  return deliveries.map((delivery, index) => ({ file: `${file}#${index + 1}`, delivery }))
}

function parse(text: string, file: string): unknown {
  try {
    // A byte order mark, which some programs put at the start, is not JSON.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new Error(`${file} is not JSON.`)
  }
}
