import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'

const FILE = 'sandbox.jsonl'
/** Holds the number of the process that uses the folder. */
const LOCK = 'sandbox.lock'

// Only the user who runs the sandbox may read what it stores: keys and the secret are in it.
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

const NEWLINE = 0x0a

/** A data folder that cannot be used. The message says why, and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** The folders that this process uses. */
const inUse = new Set<string>()

/** A file of JSON lines, in a folder that one process uses at a time. */
export class DataFile {
  readonly folder: string
  readonly #path: string
  readonly #maxBytes: number
  readonly #entries: () => Iterable<object>
  /** Undefined until it is written. */
  #file: number | undefined
  #size = 0
  /** The size at which it is rewritten. */
  #rewriteAt = 0

  /**
   * Holds a folder, which is made if it does not exist.
   *
   * @param entries - what the file has when it is rewritten
   * @throws {DataFolderError} if the folder is in use, or cannot be used
   */
  constructor(folder: string, maxBytes: number, entries: () => Iterable<object>) {
    this.folder = makeFolder(folder)
    this.#path = join(this.folder, FILE)
    this.#maxBytes = maxBytes
    this.#entries = entries
    lock(this.folder)
  }

  /**
   * Passes on each entry of an earlier process, and then rewrites the file.
   *
   * @throws {DataFolderError} if a line is not JSON, or `onEntry` throws: the file stays as it is
   */
  open(onEntry: (entry: object) => void): void {
    try {
      if (existsSync(this.#path)) this.#read(onEntry)
      this.rewrite()
    } catch (error) {
      this.close()
      throw error instanceof DataFolderError ? error : unusable(this.folder, error)
    }
  }

  #read(onEntry: (entry: object) => void): void {
    let number = 0
    for (const { text, isWhole } of linesOf(this.#path)) {
      number++
      if (!isWhole) {
        // The process was killed while it wrote.
        process.emitWarning(`Line ${number} of ${this.#path} is incomplete, and was left out.`)
        return
      }
      try {
        onEntry(parsed(text))
      } catch (error) {
        if (error instanceof DataFolderError) throw error
        const { message } = error as Error
        throw new DataFolderError(
          `Line ${number} of ${this.#path} ${message}. Restore the file, or pass another folder.`,
        )
      }
    }
  }

  /** Adds entries. When this returns, the operating system has all of them; if it throws, the file is as before. */
  append(entries: readonly object[]): void {
    try {
      this.#size += write(this.#file!, entries)
    } catch (error) {
      // A part of a line would be joined to the next one.
      ftruncateSync(this.#file!, this.#size)
      throw error
    }
  }

  /** Writes a new file in place of the present one, which stays as it is if that fails. */
  rewrite(): void {
    const path = `${this.#path}.new`
    rmSync(path, { force: true })
    const file = openSync(path, 'ax', PRIVATE_FILE)
    let size: number
    try {
      size = write(file, this.#entries())
      renameSync(path, this.#path)
    } catch (error) {
      closeSync(file)
      rmSync(path)
      throw error
    }
    this.#closeFile()
    this.#file = file
    this.#size = size
    this.#rewriteAt = Math.max(this.#maxBytes, 2 * size)
  }

  /** Rewrites the file if it has become too long. */
  shorten(): void {
    if (this.#size <= this.#rewriteAt) return
    try {
      this.rewrite()
    } catch {
      // There is no room for a second file. The first one is as good.
      this.#rewriteAt = 2 * this.#size
    }
  }

  /** Lets other processes use the folder. */
  close(): void {
    this.#closeFile()
    inUse.delete(this.folder)
    rmSync(join(this.folder, LOCK), { force: true })
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

/** Returns how many bytes it has written. */
function write(file: number, entries: Iterable<object>): number {
  let size = 0
  for (const entry of entries) {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    writeFileSync(file, line)
    size += line.length
  }
  return size
}

/** @throws {Error} if it is not an object. The message has nothing of the text, which may be a secret. */
function parsed(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  if (typeof value === 'object' && value !== null) return value
  throw new Error('is not an object')
}

/** The lines of a file, of which the last may have no line break. */
function* linesOf(path: string): Iterable<{ readonly text: string; readonly isWhole: boolean }> {
  const bytes = readFileSync(path)
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    yield { text: bytes.toString('utf8', start, end), isWhole: true }
    start = end + 1
  }
  if (start < bytes.length) yield { text: bytes.toString('utf8', start), isWhole: false }
}

function makeFolder(given: string): string {
  try {
    mkdirSync(given, { recursive: true, mode: PRIVATE_FOLDER })
    return realpathSync(given)
  } catch (error) {
    throw unusable(resolve(given), error)
  }
}

/** Writes the number of the process to a file. A process that was killed has left its own, and a container gives all the same number. */
function lock(folder: string): void {
  const file = join(folder, LOCK)
  if (inUse.has(folder)) throw inUseError(folder, process.pid)
  try {
    const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : process.pid
    if (other !== process.pid && isRunning(other)) throw inUseError(folder, other)
    rmSync(file, { force: true })
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: PRIVATE_FILE })
  } catch (error) {
    throw error instanceof DataFolderError ? error : unusable(folder, error)
  }
  inUse.add(folder)
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

function unusable(folder: string, cause: unknown): DataFolderError {
  const { message } = cause as Error
  return new DataFolderError(`The data folder ${folder} cannot be used: ${message}`, { cause })
}
