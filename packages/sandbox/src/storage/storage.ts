import { randomUUID } from 'node:crypto'

/** What is kept under a kind and an id. The value is plain data, as JSON has it. */
export type StoredRecord = readonly [kind: string, id: string, value: unknown]

/** Records are numbered in the order in which they were put first. */
export type NumberedRecord = readonly [number: number, record: StoredRecord]

/** Keeps the state beyond the end of the process. In memory it is as well, so nothing is read from here after the start. */
export interface Storage {
  /** That of the random source, whose draws are kept, too. */
  readonly seed: string
  /** Missing if nothing is kept. */
  readonly folder?: string
  /** What earlier processes have left of a kind, in the order in which it was put first. */
  load(kind: string): readonly StoredRecord[]
  /** The value is read at the end of the present turn, with all changes that are made to it until then. */
  put(kind: string, id: string, value: unknown): void
  remove(kind: string, id: string): void
  /** Resolves to whether everything that was put until now survives the end of the process. */
  written(): Promise<boolean>
  /** Removes everything. Returns the storage to use from now on; what is put into this one is ignored. */
  emptied(): Storage
  close(): Promise<void>
}

/** Keeps nothing. */
export class NoStorage implements Storage {
  readonly seed: string

  constructor(seed: string = randomUUID()) {
    this.seed = seed
  }

  load(): readonly StoredRecord[] {
    return []
  }

  put(): void {
    // The state is in memory, and that is all.
  }

  remove(): void {
    // Nothing was put.
  }

  written(): Promise<boolean> {
    return Promise.resolve(true)
  }

  emptied(): Storage {
    return this
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
