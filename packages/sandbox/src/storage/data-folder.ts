import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { FolderStorage } from './folder-storage.js'
import type { NumberedRecord } from './storage.js'

/** Changes when an earlier version could not read what this one writes. */
const FORMAT = 1

/** Says that a folder is a data folder, and of which format. */
const LABEL = 'sandbox.json'
/** The label while it is written, and what a file system of its own contains. */
const NOT_COUNTED = [`${LABEL}.new`, 'lost+found']

const RECORDS = 'records.mdb'
/** An empty database that stays open for as long as the folder is in use. */
const LOCK = 'in-use.mdb'

/** The number 0xBEEFC0DE in the first page, by which LMDB knows its files. */
const MAGIC = Buffer.from('dec0efbe', 'hex')
const MAGIC_OFFSET = 24

/** Only the user who runs the sandbox may read what is in the folder: the keys and the secret are. */
const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/** A data folder that cannot be used. The message says why, and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

interface Label {
  readonly format: number
  readonly seed: string
}

/** Makes of what was kept the value that was put. It is called while others are read, because JSON takes more memory. */
export type Revive = (kind: string, value: unknown) => unknown

/** The folders that this process uses. */
const inUse = new Set<string>()

/**
 * Opens the folder, and reads everything in it. A folder that does not exist is made.
 *
 * @throws {DataFolderError} if it is in use, is not a data folder, or was made by a later version or with another seed
 */
export async function openDataFolder(
  given: string,
  seed: string | undefined,
  revive: Revive,
): Promise<FolderStorage> {
  const folder = makeFolder(given)
  const label = readLabel(folder) ?? writeLabel(folder, seed)
  if (seed !== undefined && seed !== label.seed) {
    throw new DataFolderError(
      `The data folder ${folder} was made with another seed. Leave out the seed, or pass another folder.`,
    )
  }
  if (inUse.has(folder)) throw inUseError(folder, process.pid)
  inUse.add(folder)
  try {
    return await openStorage(folder, label, revive)
  } catch (error) {
    inUse.delete(folder)
    if (error instanceof DataFolderError) throw error
    throw new DataFolderError(`The data folder ${folder} cannot be opened: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function openStorage(folder: string, { seed }: Label, revive: Revive): Promise<FolderStorage> {
  // Only a sandbox that keeps its state needs LMDB.
  const [{ open }, { RecordDatabase }] = await Promise.all([import('lmdb'), import('./record-database.js')])
  const lock = open({ path: privateFile(folder, LOCK) })
  await refuseSecondProcess(folder, lock)
  const database = new RecordDatabase(privateFile(folder, RECORDS))
  const records: NumberedRecord[] = []
  for await (const some of database.records()) {
    for (const [number, [kind, id, value]] of some) records.push([number, [kind, id, revive(kind, value)]])
  }
  return new FolderStorage({
    folder,
    seed,
    database,
    records,
    async close() {
      await database.close()
      await lock.close()
      inUse.delete(folder)
    },
  })
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

/** Returns undefined for an empty folder. */
function readLabel(folder: string): Label | undefined {
  const names = readdirSync(folder)
  if (names.every((name) => NOT_COUNTED.includes(name))) return undefined
  const label = names.includes(LABEL) ? parseLabel(readFileSync(join(folder, LABEL), 'utf8')) : undefined
  if (label === undefined) {
    throw new DataFolderError(
      `The folder ${folder} contains files that are not of the sandbox. Pass an empty folder, or one that does not exist.`,
    )
  }
  if (label.format > FORMAT) {
    throw new DataFolderError(
      `The data folder ${folder} was written by a later version of the sandbox (format ${label.format}; this version ` +
        `reads up to ${FORMAT}). Update @service-signature/sandbox, or pass another folder.`,
    )
  }
  return label
}

function parseLabel(text: string): Label | undefined {
  try {
    const { format, seed } = JSON.parse(text) as Partial<Label>
    return typeof format === 'number' && typeof seed === 'string' ? { format, seed } : undefined
  } catch {
    return undefined
  }
}

/** Written as a whole or not at all, because the process may end at any time. */
function writeLabel(folder: string, seed: string = randomUUID()): Label {
  const label: Label = { format: FORMAT, seed }
  const file = join(folder, LABEL)
  writeFileSync(`${file}.new`, `${JSON.stringify(label)}\n`, { mode: PRIVATE_FILE })
  renameSync(`${file}.new`, file)
  return label
}

/** A file of LMDB, and that of its locks. LMDB would let everyone read them. */
function privateFile(folder: string, name: string): string {
  const file = join(folder, name)
  for (const path of [file, `${file}-lock`]) {
    writeFileSync(path, '', { flag: 'a', mode: PRIVATE_FILE })
    chmodSync(path, PRIVATE_FILE)
  }
  // LMDB crashes, and the process with it, if it opens a file of another kind.
  if (statSync(file).size > 0 && !readStart(file).subarray(MAGIC_OFFSET).equals(MAGIC)) {
    throw new Error(`${name} is not a database`)
  }
  return file
}

function readStart(file: string): Buffer {
  const start = Buffer.alloc(MAGIC_OFFSET + MAGIC.length)
  const opened = openSync(file, 'r')
  try {
    readSync(opened, start)
    return start
  } finally {
    closeSync(opened)
  }
}

interface Lock {
  get(key: number): unknown
  readerCheck(): number
  readerList(): string
  close(): Promise<void>
}

/** LMDB lists the processes that have read, and notices if one was killed. So each process reads before it looks. */
async function refuseSecondProcess(folder: string, lock: Lock): Promise<void> {
  lock.get(0)
  lock.readerCheck()
  const pids = [...lock.readerList().matchAll(/^ *(\d+) /gm)].map(([, pid]) => Number(pid))
  const other = pids.find((pid) => pid !== process.pid)
  if (other === undefined) return
  await lock.close()
  throw inUseError(folder, other)
}

function inUseError(folder: string, pid: number): DataFolderError {
  return new DataFolderError(
    `The data folder ${folder} is in use by the process ${pid}. Stop that sandbox, or pass another folder.`,
  )
}
