import type { RecordDatabase } from './record-database.js'
import type { NumberedRecord, Storage, StoredRecord } from './storage.js'

/** What a folder is, and what is in it. */
export interface FolderContents {
  readonly folder: string
  readonly seed: string
  readonly database: Pick<RecordDatabase, 'write' | 'clear'>
  readonly records: readonly NumberedRecord[]
  /** Closes the database, and lets others use the folder. */
  readonly close: () => Promise<void>
}

/** Keeps the state in a database in a folder. Changes that are made together are written together. */
export class FolderStorage implements Storage {
  readonly #contents: Omit<FolderContents, 'records'>
  /** What earlier processes have left, by kind. */
  readonly #left = new Map<string, StoredRecord[]>()
  /** The number of each record, by kind and id. */
  readonly #numbers = new Map<string, Map<string, number>>()
  #lastNumber = 0
  /** What changed since the last transaction, by number. A record that was removed is undefined. */
  readonly #changed = new Map<number, StoredRecord | undefined>()
  /** The transactions until now, one after the other. Once one failed, the folder is behind the memory, and stays so. */
  #writing = Promise.resolve(true)
  #isOver = false

  constructor({ records, ...contents }: FolderContents) {
    this.#contents = contents
    for (const [number, record] of records) {
      const [kind, id] = record
      this.#lastNumber = number
      this.#numbersOf(kind).set(id, number)
      const left = this.#left.get(kind)
      if (left === undefined) this.#left.set(kind, [record])
      else left.push(record)
    }
  }

  get seed(): string {
    return this.#contents.seed
  }

  get folder(): string {
    return this.#contents.folder
  }

  load(kind: string): readonly StoredRecord[] {
    const left = this.#left.get(kind) ?? []
    // The values belong to the caller now, which may forget them.
    this.#left.delete(kind)
    return left
  }

  put(kind: string, id: string, value: unknown): void {
    const numbers = this.#numbersOf(kind)
    let number = numbers.get(id)
    if (number === undefined) {
      number = ++this.#lastNumber
      numbers.set(id, number)
    }
    this.#change(number, [kind, id, value])
  }

  remove(kind: string, id: string): void {
    const numbers = this.#numbersOf(kind)
    const number = numbers.get(id)
    if (number === undefined) return
    numbers.delete(id)
    this.#change(number, undefined)
  }

  #numbersOf(kind: string): Map<string, number> {
    let numbers = this.#numbers.get(kind)
    if (numbers === undefined) {
      numbers = new Map()
      this.#numbers.set(kind, numbers)
    }
    return numbers
  }

  #change(number: number, record: StoredRecord | undefined): void {
    if (this.#isOver) return
    if (this.#changed.size === 0) setImmediate(() => void this.written())
    this.#changed.set(number, record)
  }

  written(): Promise<boolean> {
    this.#writing = this.#writing.then((isOk) => isOk && this.#write())
    return this.#writing
  }

  async #write(): Promise<boolean> {
    if (this.#changed.size === 0) return true
    const changes = [...this.#changed]
    this.#changed.clear()
    return succeeds(this.#contents.database.write(changes))
  }

  emptied(): Storage {
    this.#isOver = true
    this.#changed.clear()
    const empty = new FolderStorage({ ...this.#contents, records: [] })
    empty.#writing = this.#writing.then((isOk) => isOk && succeeds(this.#contents.database.clear()))
    return empty
  }

  async close(): Promise<void> {
    await this.written()
    this.#isOver = true
    await this.#contents.close()
  }
}

async function succeeds(done: Promise<unknown>): Promise<boolean> {
  try {
    await done
    return true
  } catch {
    return false
  }
}
