import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { Journal, PRIVATE_FILE } from './journal.js'

/** Changes when an earlier version could not read what this one writes. */
const FORMAT = 1

/** All changes of the records and their texts, after a line that says what the folder is. */
const JOURNAL = 'journal'
const NEW_JOURNAL = 'journal.new'
/** Holds the number of the process that uses the folder. */
const LOCK = 'in-use'
/** What a new folder may contain: the rest of a start that was interrupted, and what is at the root of a file system. */
const IGNORED = [LOCK, NEW_JOURNAL, 'lost+found']

const PRIVATE_FOLDER = 0o700

/** A data folder that cannot be used. The message says why, and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** The first line of the journal. */
interface Label {
  readonly format: number
  readonly seed: string
}

/** The folders that this process uses. */
const inUse = new Set<string>()

/** The folder of a store that outlives its process. */
export class DataFolder {
  readonly path: string
  readonly seed: string
  /** The one that it had when it was opened. */
  readonly journal: Journal

  /**
   * Opens a folder, and passes on each line of its journal. A folder that does not exist is made.
   *
   * @throws {DataFolderError} if it is in use, is not a data folder, or was made by a later version or with another seed
   */
  constructor(given: string, seed: string | undefined, onLine: (line: string) => void) {
    this.path = makeFolder(given)
    lock(this.path)
    let journal: Journal | undefined
    try {
      const file = join(this.path, JOURNAL)
      rmSync(join(this.path, NEW_JOURNAL), { force: true })
      if (isNew(this.path)) {
        journal = startJournal(this.path, seed ?? randomUUID())
        journal.moveTo(file)
      } else journal = new Journal(file, 'r+')
      this.seed = checkLabel(this.path, journal.firstLine(), seed)
      journal.readLines((line, at) => {
        if (at > 0) readLine(line, at, onLine)
      })
      this.journal = journal
    } catch (error) {
      journal?.close()
      this.unlock()
      if (error instanceof DataFolderError) throw error
      throw new DataFolderError(
        `The data folder ${this.path} cannot be opened: ${(error as Error).message}. Pass another folder, or restore this one.`,
        { cause: error },
      )
    }
  }

  /** A journal that can take the place of the present one. */
  startJournal(): Journal {
    return startJournal(this.path, this.seed)
  }

  /** Puts a journal in place of the present one: all of it, or, if it throws, nothing. */
  useJournal(journal: Journal): void {
    journal.moveTo(join(this.path, JOURNAL))
  }

  /** Lets other processes use the folder. */
  unlock(): void {
    inUse.delete(this.path)
    rmSync(join(this.path, LOCK), { force: true })
  }
}

function startJournal(folder: string, seed: string): Journal {
  const journal = new Journal(join(folder, NEW_JOURNAL), 'w+')
  const label: Label = { format: FORMAT, seed }
  journal.addLine(JSON.stringify(label))
  return journal
}

function isNew(folder: string): boolean {
  const names = readdirSync(folder)
  if (names.includes(JOURNAL)) return false
  if (names.every((name) => IGNORED.includes(name))) return true
  throw new DataFolderError(
    `The folder ${folder} contains files that are not of the sandbox. Pass an empty folder, or one that does not exist.`,
  )
}

/** Returns the seed of the folder. */
function checkLabel(folder: string, line: string | undefined, wantedSeed: string | undefined): string {
  const label = parseLabel(line)
  if (label === undefined) throw new Error(`its ${JOURNAL} does not begin as it must`)
  const { format, seed } = label
  if (format > FORMAT) {
    throw new DataFolderError(
      `The data folder ${folder} was written by a later version of the sandbox (format ${format}; this version ` +
        `reads up to ${FORMAT}). Update @service-signature/sandbox, or pass another folder.`,
    )
  }
  if (wantedSeed !== undefined && wantedSeed !== seed) {
    throw new DataFolderError(
      `The data folder ${folder} was made with another seed. Leave out the seed, or pass another folder.`,
    )
  }
  return seed
}

function parseLabel(line = ''): Label | undefined {
  try {
    const { format, seed } = JSON.parse(line) as Partial<Label>
    return typeof format === 'number' && typeof seed === 'string' ? { format, seed } : undefined
  } catch {
    return undefined
  }
}

function readLine(line: string, at: number, onLine: (line: string) => void): void {
  try {
    onLine(line)
  } catch (error) {
    throw new Error(`its ${JOURNAL} is damaged at byte ${at} (${(error as Error).message})`, { cause: error })
  }
}

function makeFolder(given: string): string {
  try {
    mkdirSync(given, { recursive: true, mode: PRIVATE_FOLDER })
    return realpathSync(given)
  } catch (error) {
    throw unusable(resolve(given), error)
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
