import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { Shelf } from './records.js'
import { PRIVATE_FILE } from './text-file.js'
import { Texts } from './texts.js'

/** Changes when an earlier version could not read what this one writes. */
const FORMAT = 1

/** Lines of JSON: what the folder is, and then every change of its records. */
const RECORDS = 'records.jsonl'
const NEW_RECORDS = `${RECORDS}.new`
/** Holds the number of the process that uses the folder. */
const LOCK = 'in-use'
/** The texts that the records refer to. */
export const SHELVES: readonly Shelf[] = ['fields', 'bodies', 'attempts']
/** A shelf, and a name that is another one each time that all files are written. The first line of the records has that of today. */
const TEXTS = /^(?:fields|bodies|attempts)-[0-9a-f-]{36}$/
/** What a file system of its own contains. */
const NOT_COUNTED = ['lost+found', LOCK, NEW_RECORDS]

const PRIVATE_FOLDER = 0o700
const CHUNK_BYTES = 1024 * 1024

/** A data folder that cannot be used. The message says why, and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

interface Label {
  readonly format: number
  readonly seed: string
  readonly texts: string
}

/** The folders that this process uses. */
const inUse = new Set<string>()

/** The files of a store that outlives its process. */
export class DataFolder {
  readonly path: string
  readonly seed: string
  texts: Texts
  #records: number
  #size: number

  /**
   * Opens a folder, and passes on each line of its records. A folder that does not exist is made.
   *
   * @throws {DataFolderError} if it is in use, is not a data folder, or was made by a later version or with another seed
   */
  constructor(given: string, seed: string | undefined, onLine: (line: string) => void) {
    this.path = makeFolder(given)
    lock(this.path)
    try {
      const label = this.#readLabel() ?? this.#create(seed)
      if (seed !== undefined && seed !== label.seed) {
        throw new DataFolderError(
          `The data folder ${this.path} was made with another seed. Leave out the seed, or pass another folder.`,
        )
      }
      this.seed = label.seed
      this.#removeOtherTexts(label.texts)
      this.texts = new Texts(SHELVES, this.path, label.texts)
      this.#records = openSync(join(this.path, RECORDS), 'r+')
      this.#size = this.#readLines(onLine)
      // The end of a line that was being written when the process was killed.
      ftruncateSync(this.#records, this.#size)
    } catch (error) {
      unlock(this.path)
      if (error instanceof DataFolderError) throw error
      throw new DataFolderError(
        `The data folder ${this.path} cannot be opened: ${(error as Error).message}. Pass another folder, or restore this one.`,
        { cause: error },
      )
    }
  }

  /** Undefined for a folder that is empty. */
  #readLabel(): Label | undefined {
    const names = readdirSync(this.path)
    if (!names.includes(RECORDS)) {
      if (names.every((name) => NOT_COUNTED.includes(name) || TEXTS.test(name))) return undefined
      throw new DataFolderError(
        `The folder ${this.path} contains files that are not of the sandbox. Pass an empty folder, or one that does not exist.`,
      )
    }
    const label = parseLabel(firstLineOf(join(this.path, RECORDS)))
    if (label === undefined) throw new Error(`${RECORDS} does not begin as it must`)
    if (label.format > FORMAT) {
      throw new DataFolderError(
        `The data folder ${this.path} was written by a later version of the sandbox (format ${label.format}; this version ` +
          `reads up to ${FORMAT}). Update @service-signature/sandbox, or pass another folder.`,
      )
    }
    return label
  }

  #create(seed: string = randomUUID()): Label {
    const texts = this.newTexts()
    texts.close()
    return this.#writeFiles(seed, [], texts)
  }

  /** Those that a killed process was writing, or had not yet removed. */
  #removeOtherTexts(texts: string): void {
    const names = readdirSync(this.path)
    for (const shelf of SHELVES) {
      const needed = `${shelf}-${texts}`
      if (!names.includes(needed)) throw new Error(`the file ${needed} is missing`)
    }
    for (const name of names) if (TEXTS.test(name) && !name.endsWith(texts)) rmSync(join(this.path, name))
  }

  /** Returns where the last whole line ends. */
  #readLines(onLine: (line: string) => void): number {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const decoder = new StringDecoder('utf8')
    let [rest, number, end] = ['', 0, 0]
    for (let at = 0; ;) {
      const bytes = readSync(this.#records, chunk, 0, CHUNK_BYTES, at)
      if (bytes === 0) return end
      const lines = (rest + decoder.write(chunk.subarray(0, bytes))).split('\n')
      rest = lines.pop()!
      const newline = chunk.subarray(0, bytes).lastIndexOf(0x0a)
      if (newline >= 0) end = at + newline + 1
      at += bytes
      for (const line of lines) {
        number++
        if (number > 1) readLine(line, number, onLine)
      }
    }
  }

  /** The size of the records. */
  get size(): number {
    return this.#size
  }

  /** When it returns, the line survives the end of the process. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`)
    for (let written = 0; written < bytes.length;) {
      // At a place of its own, so that the next one overwrites what is left of one that failed.
      written += writeSync(this.#records, bytes, written, bytes.length - written, this.#size + written)
    }
    this.#size += bytes.length
  }

  /** New files for the texts that `replace` will name. */
  newTexts(): Texts {
    return new Texts(SHELVES, this.path)
  }

  /** Puts these lines in place of all others, and these texts, whose files were those of `texts` until now: both, or neither of them. */
  replace(lines: Iterable<string>, texts: Texts): void {
    texts.flush()
    this.#writeFiles(this.seed, lines, texts)
    closeSync(this.#records)
    this.#records = openSync(join(this.path, RECORDS), 'r+')
    this.#size = fstatSync(this.#records).size
    this.texts.removeFiles()
    this.texts = texts
  }

  #writeFiles(seed: string, lines: Iterable<string>, { name }: Texts): Label {
    const label = { format: FORMAT, seed, texts: name }
    const file = openSync(join(this.path, NEW_RECORDS), 'w', PRIVATE_FILE)
    let waiting = `${JSON.stringify(label)}\n`
    for (const line of lines) {
      waiting += `${line}\n`
      if (waiting.length < CHUNK_BYTES) continue
      writeFileSync(file, waiting)
      waiting = ''
    }
    writeFileSync(file, waiting)
    closeSync(file)
    renameSync(join(this.path, NEW_RECORDS), join(this.path, RECORDS))
    return label
  }

  close(): void {
    closeSync(this.#records)
    unlock(this.path)
  }
}

function readLine(line: string, number: number, onLine: (line: string) => void): void {
  try {
    onLine(line)
  } catch (error) {
    throw new Error(`line ${number} of ${RECORDS} is damaged (${(error as Error).message})`, { cause: error })
  }
}

function makeFolder(given: string): string {
  try {
    mkdirSync(given, { recursive: true, mode: PRIVATE_FOLDER })
    return realpathSync(given)
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${resolve(given)} cannot be used: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

function firstLineOf(file: string): string {
  const opened = openSync(file, 'r')
  try {
    const start = Buffer.alloc(1024)
    return start.toString('utf8', 0, readSync(opened, start)).split('\n', 1)[0]!
  } finally {
    closeSync(opened)
  }
}

function parseLabel(text: string): Label | undefined {
  try {
    const { format, seed, texts } = JSON.parse(text) as Partial<Label>
    const isLabel =
      typeof format === 'number' && typeof seed === 'string' && /^[0-9a-f-]{36}$/.test(texts ?? '')
    return isLabel ? { format, seed, texts: texts! } : undefined
  } catch {
    return undefined
  }
}

/** A file with the number of the process. One that was killed has left it, and a container gives all the same number. */
function lock(folder: string): void {
  const file = join(folder, LOCK)
  if (inUse.has(folder)) throw inUseError(folder, process.pid)
  try {
    const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : process.pid
    if (other !== process.pid && isRunning(other)) throw inUseError(folder, other)
    rmSync(file, { force: true })
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: PRIVATE_FILE })
  } catch (error) {
    if (error instanceof DataFolderError) throw error
    const { message } = error as Error
    throw new DataFolderError(`The data folder ${folder} cannot be used: ${message}`, { cause: error })
  }
  inUse.add(folder)
}

function unlock(folder: string): void {
  inUse.delete(folder)
  rmSync(join(folder, LOCK), { force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function inUseError(folder: string, pid: number): DataFolderError {
  return new DataFolderError(
    `The data folder ${folder} is in use by the process ${pid}. Stop that sandbox, or pass another folder.`,
  )
}
