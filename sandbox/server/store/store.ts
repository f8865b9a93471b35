import { randomUUID } from 'node:crypto'
import { DataFile, DataFolderError } from './data-file.js'
import { Table, type Identified, type Kind } from './table.js'

/** What has changed. A listener that needs more asks for it. */
export interface Change {
  /** The name of the kind; `reset`: everything. */
  readonly kind: string
  readonly id?: string
}

export interface StoreOptions {
  readonly kinds: readonly Kind<never>[]
  /** Where it is stored, so that it survives the end of the process. */
  readonly folder?: string | undefined
  /** Of all that is random; by default that of the folder, or another one each time. */
  readonly seed?: string | undefined
  /** How many records there are at most of each kind whose limit is "keep". */
  readonly keep: number
  /** How many bytes of bodies and answers there are at most. */
  readonly maxBytes?: number
  /** How long the file in the folder becomes before it is rewritten. */
  readonly maxFileBytes?: number
}

/** A change of one record. The file has a line for each. */
type Step =
  | { readonly kind: string; readonly record: Identified }
  // JSON has no undefined, so the fields that become undefined have a list of their own.
  | {
      readonly kind: string
      readonly id: string
      readonly change: object
      readonly cleared: readonly string[]
    }
  // It is removed.
  | { readonly kind: string; readonly id: string }

/** A line of the file, besides that of the seed. */
type Entry = Step | { readonly counts: Readonly<Record<string, number>> }

const MEBIBYTE = 1024 * 1024

/** Everything that the sandbox knows, in memory, and the only way to change it. */
export class Store {
  readonly folder: string | undefined
  #seed: string
  readonly #keep: number
  readonly #maxBytes: number
  readonly #tables: ReadonlyMap<string, Table>
  /** How often each thing was counted. */
  readonly #counts = new Map<string, number>()
  /** The names whose count is not written yet. It is written with the next change, because nothing else depends on it. */
  readonly #unwrittenCounts = new Set<string>()
  readonly #listeners = new Set<(change: Change) => void>()
  /** Undefined without a folder, before its file was read, and after the end. */
  #file: DataFile | undefined

  /** @throws {DataFolderError} if the folder cannot be used */
  constructor({
    kinds,
    folder,
    seed,
    keep,
    maxBytes = 128 * MEBIBYTE,
    maxFileBytes = 512 * MEBIBYTE,
  }: StoreOptions) {
    this.#seed = seed ?? randomUUID()
    this.#keep = keep
    this.#maxBytes = maxBytes
    this.#tables = new Map(kinds.map((kind) => [kind.name, new Table(kind as unknown as Kind<Identified>)]))
    if (folder === undefined) return
    const file = new DataFile(folder, maxFileBytes, () => this.#entries())
    file.open((entry) => {
      if (!('seed' in entry)) this.#restore(entry as Entry)
      else if (entry.seed === (seed ?? entry.seed)) this.#seed = String(entry.seed)
      else throw otherSeedError(file.folder)
    })
    this.#file = file
    this.folder = file.folder
  }

  get seed(): string {
    return this.#seed
  }

  /** Makes a change that an earlier process has written. */
  #restore(entry: Entry): void {
    if ('counts' in entry) {
      for (const [name, count] of Object.entries(entry.counts)) this.#counts.set(name, count)
      return
    }
    const table = this.#tables.get(entry.kind)
    if (table === undefined) throw new Error('is of an unknown kind')
    // With a smaller "keep" than before, a record may be gone that changed later.
    if ('record' in entry || table.get(entry.id) !== undefined) this.#change(entry)
  }

  get<Of extends Identified>(kind: Kind<Of>, id: string): Of | undefined {
    return this.#table(kind).get(id)
  }

  /** All records of a kind as they are now, the oldest first. */
  list<Of extends Identified>(kind: Kind<Of>): readonly Of[] {
    return this.#table(kind).items
  }

  newestFirst<Of extends Identified>(kind: Kind<Of>): readonly Of[] {
    return [...this.list(kind)].reverse()
  }

  insert<Of extends Identified>(kind: Kind<Of>, record: Of): Of {
    this.#change({ kind: kind.name, record })
    return record
  }

  /** The record itself changes. Nothing happens if it was removed in the meantime. */
  update<Of extends Identified>(kind: Kind<Of>, id: string, change: Partial<Omit<Of, 'id'>>): void {
    if (this.get(kind, id) === undefined) return
    const cleared = Object.entries(change).flatMap(([name, value]) => (value === undefined ? name : []))
    this.#change({ kind: kind.name, id, change, cleared })
  }

  /** Inserts a record, or changes the one that has its id. */
  put<Of extends Identified>(kind: Kind<Of>, record: Of): void {
    if (this.get(kind, record.id) === undefined) this.insert(kind, record)
    else this.update(kind, record.id, record)
  }

  /** Nothing happens if it was removed already. */
  remove(kind: Kind<never>, id: string): void {
    if (this.#tables.get(kind.name)!.get(id) !== undefined) this.#change({ kind: kind.name, id })
  }

  /** Every change of a record: it is written, made, bounded and announced. If it cannot be written, it is not made. */
  #change(step: Step): void {
    const table = this.#tables.get(step.kind)!
    if (table.kind.isVolatile !== true) this.#write(step)
    if ('record' in step) table.insert(step.record)
    else if ('change' in step) table.update(step.id, step.change, step.cleared)
    else table.remove(step.id)
    if ('record' in step || 'change' in step) this.#bound(table)
    this.#file?.shorten()
    this.#announce({ kind: step.kind, id: 'record' in step ? step.record.id : step.id })
  }

  #write(step: Step): void {
    if (this.#file === undefined) return
    const names = this.#unwrittenCounts
    this.#file.append(names.size === 0 ? [step] : [this.#countsOf(names), step])
    this.#unwrittenCounts.clear()
  }

  /** Removes the oldest records where there are too many now, or too many bytes: then those of the kind that has the most. */
  #bound(changed: Table): void {
    for (const { id } of changed.surplus(this.#keep)) this.remove(changed.kind, id)
    const tables = [...this.#tables.values()]
    while (tables.reduce((sum, { bytes }) => sum + bytes, 0) > this.#maxBytes) {
      const largest = tables.reduce((a, b) => (b.bytes > a.bytes ? b : a))
      this.remove(largest.kind, largest.items[0]!.id)
    }
  }

  /** Returns how often this name was counted before. */
  count(name: string): number {
    const count = this.#counts.get(name) ?? 0
    this.#counts.set(name, count + 1)
    this.#unwrittenCounts.add(name)
    return count
  }

  #countsOf(names: Iterable<string>): Entry {
    return { counts: Object.fromEntries([...names].map((name) => [name, this.#counts.get(name)!])) }
  }

  #announce(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** Returns a function that ends it. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Removes everything. */
  reset(): void {
    for (const table of this.#tables.values()) table.clear()
    this.#counts.clear()
    this.#unwrittenCounts.clear()
    this.#file?.rewrite()
    this.#announce({ kind: 'reset' })
  }

  /** What is changed after that is not written. */
  close(): void {
    this.#file?.close()
    this.#file = undefined
  }

  /** Everything that is not volatile, as the file has it. */
  *#entries(): Iterable<Entry | { readonly seed: string }> {
    yield { seed: this.seed }
    yield this.#countsOf(this.#counts.keys())
    for (const [kind, table] of this.#tables) {
      if (table.kind.isVolatile !== true) for (const record of table.items) yield { kind, record }
    }
  }

  #table<Of extends Identified>(kind: Kind<Of>): Table<Of> {
    return this.#tables.get(kind.name) as unknown as Table<Of>
  }
}

function otherSeedError(folder: string): DataFolderError {
  return new DataFolderError(
    `The data folder ${folder} was made with another seed. Leave out the seed, or pass another folder.`,
  )
}
