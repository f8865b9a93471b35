import { open, type RootDatabase } from 'lmdb'
import type { NumberedRecord, StoredRecord } from './storage.js'

/** A record under its number, or undefined in place of one that is removed. */
export type RecordChange = readonly [number: number, record: StoredRecord | undefined]

type Database = RootDatabase<StoredRecord, number>

/**
 * LMDB maps the part of its file that it has read or written into the memory of the process, until it is closed. So it is
 * closed and opened again after so many records.
 */
const RECORDS_UNTIL_REOPENED = 10_000

const READ_AT_A_TIME = 200

/** The records of a data folder, under numbers, so that they stay in their order. */
export class RecordDatabase {
  readonly #file: string
  #database: Database
  #records = 0

  constructor(file: string) {
    this.#file = file
    this.#database = openDatabase(file)
  }

  /** All records in the order of their numbers, a few at a time, so that they take no memory together. */
  async *records(): AsyncGenerator<readonly NumberedRecord[], void> {
    for (let start = 0; ;) {
      const range = this.#database.getRange({ start, limit: READ_AT_A_TIME })
      const records = [...range].map(({ key, value }) => [key, value] as const)
      await this.#used(records.length)
      const last = records.at(-1)
      if (last === undefined) return
      yield records
      start = last[0] + 1
    }
  }

  /** Writes all changes, or none of them. */
  async write(changes: readonly RecordChange[]): Promise<void> {
    const database = this.#database
    // All writes of one turn are one transaction.
    await Promise.all(
      changes.map(([number, record]) =>
        record === undefined ? database.remove(number) : database.put(number, record),
      ),
    )
    await this.#used(changes.length)
  }

  async #used(records: number): Promise<void> {
    this.#records += records
    if (this.#records < RECORDS_UNTIL_REOPENED) return
    this.#records = 0
    await this.#database.close()
    this.#database = openDatabase(this.#file)
  }

  async clear(): Promise<void> {
    await this.#database.clearAsync()
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

function openDatabase(path: string): Database {
  return open<StoredRecord, number>({ path, encoding: 'json', compression: true })
}
