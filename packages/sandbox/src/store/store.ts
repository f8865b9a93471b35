import { randomUUID } from 'node:crypto'
import { DataFolder, DataFolderError, SHELVES } from './data-folder.js'
import {
  KINDS,
  type Kind,
  type KindRules,
  type Records,
  type Shelf,
  type TextRef,
  type UseText,
} from './records.js'
import { Table } from './table.js'
import { Texts } from './texts.js'

/** What has changed. A listener that needs more asks for it. */
export interface Change {
  /** `reset`: everything. */
  readonly kind: Kind | 'reset'
  readonly id?: string
}

export interface StoreOptions {
  /** Where it is stored, so that it survives the end of the process. */
  readonly folder?: string | undefined
  /** Of all that is random; by default that of the folder, or another one each time. */
  readonly seed?: string | undefined
  /** How many there are at most of each kind whose limit is "keep". */
  readonly keep: number
  /** How much there is at most of all texts. Beyond it, the oldest records of the kind with the most are removed. */
  readonly maxTextBytes?: number
}

/** One change, as a line of the folder has it. */
type Step =
  | readonly ['insert', Kind, { readonly id: string }]
  // JSON has no undefined, so the fields that become undefined have a list of their own.
  | readonly ['update', Kind, string, object, readonly string[]]
  | readonly ['remove', Kind, string]

/** The same in a line of the folder, with what was counted meanwhile. */
type WrittenStep = Step | readonly ['count', string, number]

/** The changes that are made together. */
interface Transaction {
  readonly steps: Step[]
  readonly undo: (() => void)[]
}

type Tables = { readonly [Of in Kind]: Table<Records[Of]> }

const KIND_NAMES = Object.keys(KINDS) as Kind[]

/** Those of kinds that end with the process. */
const VOLATILE_SHELVES: readonly Shelf[] = ['calls']

const GIBIBYTE = 1024 * 1024 * 1024

/** A file is written again without what is no longer needed, once that is more than the rest and so much. */
const SLACK_BYTES = 16 * 1024 * 1024

/**
 * Everything that the sandbox knows, and the only way to change it. A change is written, then bounded, then announced:
 * the code that makes it need not know which listeners there are.
 */
export class Store {
  readonly seed: string
  readonly #keep: number
  readonly #maxTextBytes: number
  readonly #tables = Object.fromEntries(KIND_NAMES.map((kind) => [kind, new Table()])) as unknown as Tables
  /** How often each thing was counted. */
  readonly #counts = new Map<string, number>()
  /** The names whose count is not written yet. It is written with the next change, because nothing else depends on it. */
  readonly #counted = new Set<string>()
  readonly #textBytes = new Map<Kind, number>()
  readonly #listeners = new Set<(change: Change) => void>()
  #folder: DataFolder | undefined
  #texts: Texts
  #volatileTexts = Texts.temporary(VOLATILE_SHELVES)
  #isClosed = false
  #open: Transaction | undefined
  /** The size of the records after they were last written as a whole. */
  #fullSize = 0

  /** @throws {DataFolderError} if the folder cannot be used */
  constructor({ folder, seed, keep, maxTextBytes = GIBIBYTE }: StoreOptions) {
    this.#keep = keep
    this.#maxTextBytes = maxTextBytes
    this.#folder =
      folder === undefined
        ? undefined
        : new DataFolder(folder, seed, (line) => {
            for (const step of JSON.parse(line) as WrittenStep[]) this.#replay(step)
          })
    this.seed = this.#folder?.seed ?? seed ?? randomUUID()
    this.#texts = this.#folder?.texts ?? Texts.temporary(SHELVES)
    for (const kind of KIND_NAMES) {
      for (const record of this.list(kind)) this.#measure(kind, record, 1)
    }
    this.#checkTexts()
    this.#compact()
  }

  #checkTexts(): void {
    const folder = this.#folder
    if (folder === undefined) return
    const cut = this.#placed(this.#texts).find(({ shelf, ref }) => !this.#texts.holds(shelf, ref))
    if (cut === undefined) return
    this.close()
    throw new DataFolderError(
      `The data folder ${folder.path} cannot be opened: its file ${cut.shelf}-${this.#texts.name} was cut short. Pass another folder, or restore this one.`,
    )
  }

  /** Where everything is in some texts. */
  #placed(texts: Texts): { readonly shelf: Shelf; readonly ref: { at: number; readonly bytes: number } }[] {
    const placed: { shelf: Shelf; ref: TextRef }[] = []
    for (const kind of KIND_NAMES) {
      for (const record of this.list(kind)) {
        eachText(kind, record as never, (shelf, ref) => {
          if (texts.has(shelf) && ref) placed.push({ shelf, ref })
        })
      }
    }
    return placed
  }

  get folder(): string | undefined {
    return this.#folder?.path
  }

  get<Of extends Kind>(kind: Of, id: string): Records[Of] | undefined {
    return this.#tables[kind].get(id)
  }

  /** All records of a kind as they are now, the oldest first. */
  list<Of extends Kind>(kind: Of): readonly Records[Of][] {
    return this.#tables[kind].items
  }

  newestFirst<Of extends Kind>(kind: Of): readonly Records[Of][] {
    return [...this.list(kind)].reverse()
  }

  insert<Of extends Kind>(kind: Of, record: Records[Of]): Records[Of] {
    return this.transaction(({ steps, undo }) => {
      this.#tables[kind].add(record)
      this.#measure(kind, record, 1)
      steps.push(['insert', kind, record])
      undo.push(() => this.#take(kind, record))
      return record
    })
  }

  /** The record itself changes. Nothing happens if it was removed in the meantime. */
  update<Of extends Kind>(kind: Of, id: string, change: Partial<Omit<Records[Of], 'id'>>): void {
    const record = this.get(kind, id)
    if (record === undefined) return
    this.transaction(({ steps, undo }) => {
      const names = Object.keys(change) as (keyof typeof change)[]
      const before = Object.fromEntries(names.map((name) => [name, record[name]]))
      this.#assign(kind, record, change)
      steps.push(['update', kind, id, change, names.filter((name) => change[name] === undefined) as string[]])
      undo.push(() => {
        this.#assign(kind, record, before)
      })
    })
  }

  #assign<Of extends Kind>(kind: Of, record: Records[Of], change: object): void {
    this.#measure(kind, record, -1)
    Object.assign(record, change)
    this.#measure(kind, record, 1)
  }

  remove(kind: Kind, id: string): void {
    const record = this.get(kind, id)
    if (record === undefined) return
    this.transaction(({ steps, undo }) => {
      const index = this.#take(kind, record)
      steps.push(['remove', kind, id])
      undo.push(() => {
        this.#tables[kind].insert(record as never, index)
        this.#measure(kind, record, 1)
      })
    })
  }

  /** Returns where it was. */
  #take<Of extends Kind>(kind: Of, record: Records[Of]): number {
    this.#measure(kind, record, -1)
    return this.#tables[kind].remove(record)
  }

  /** How often this name was counted before. */
  count(name: string): number {
    const count = this.#counts.get(name) ?? 0
    this.#counts.set(name, count + 1)
    if (this.#folder !== undefined) this.#counted.add(name)
    return count
  }

  /** Writes a text that a record will refer to. */
  writeText(shelf: Shelf, text: string): TextRef {
    return this.#textsWith(shelf).append(shelf, text)
  }

  readText(shelf: Shelf, ref: TextRef): string {
    return this.#textsWith(shelf).read(shelf, ref)
  }

  /** Whether a text has a match of a pattern; faster than to read it, if the texts are asked in their order or against it. */
  matchesText(shelf: Shelf, ref: TextRef, pattern: RegExp): boolean {
    return this.#textsWith(shelf).matches(shelf, ref, pattern)
  }

  #textsWith(shelf: Shelf): Texts {
    return this.#texts.has(shelf) ? this.#texts : this.#volatileTexts
  }

  /**
   * Makes all changes of a function, which must not be asynchronous, or none of them: then it throws. They are written before
   * this returns, and announced after that.
   */
  transaction<Result>(work: (transaction: Transaction) => Result): Result {
    if (this.#open !== undefined) return work(this.#open)
    const transaction: Transaction = { steps: [], undo: [] }
    this.#open = transaction
    let result: Result
    try {
      result = work(transaction)
      this.#bound(transaction)
      this.#write(transaction)
    } catch (error) {
      for (const undo of transaction.undo.reverse()) undo()
      throw error
    } finally {
      this.#open = undefined
    }
    this.#compact()
    for (const [, kind, of] of transaction.steps) {
      this.#announce({ kind, id: typeof of === 'string' ? of : of.id })
    }
    return result
  }

  #write({ steps }: Transaction): void {
    if (this.#folder === undefined) return
    const lasting = steps.filter(([, kind]) => KINDS[kind].isVolatile !== true)
    if (lasting.length === 0) return
    const counts = [...this.#counted].map((name) => ['count', name, this.#counts.get(name)!] as const)
    // The texts first: a record must not refer to one that is not there.
    this.#texts.flush()
    this.#folder.append(JSON.stringify([...lasting, ...counts]))
    this.#counted.clear()
  }

  /** Removes the oldest records where there are too many now, or where their texts are too long. */
  #bound({ steps }: Transaction): void {
    for (const kind of new Set(steps.flatMap(([step, kind]) => (step === 'insert' ? kind : [])))) {
      this.#boundCount(kind)
    }
    let bytes = sum(this.#textBytes.values()) - this.#maxTextBytes
    if (bytes <= 0) return
    const [[largest]] = [...this.#textBytes].sort(([, a], [, b]) => b - a) as [[Kind, number]]
    for (const record of [...this.list(largest)]) {
      if (bytes <= 0) break
      bytes -= bytesOf(largest, record as never)
      this.remove(largest, record.id)
    }
  }

  #boundCount(kind: Kind): void {
    const { limit = Infinity, isInUse = () => false } = rulesOf(kind)
    const excess = this.list(kind).length - (limit === 'keep' ? this.#keep : limit)
    if (excess <= 0) return
    const surplus: string[] = []
    for (const record of this.list(kind)) {
      if (surplus.length === excess) break
      if (!isInUse(record)) surplus.push(record.id)
    }
    for (const id of surplus) this.remove(kind, id)
  }

  #announce(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** Returns a function that ends it. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Removes everything. */
  reset(): void {
    for (const kind of KIND_NAMES) this.#tables[kind].clear()
    this.#textBytes.clear()
    this.#counts.clear()
    this.#counted.clear()
    this.#rewriteVolatileTexts()
    this.#rewrite()
    this.#announce({ kind: 'reset' })
  }

  /** What is changed after that is not written. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#folder?.close()
    this.#folder = undefined
    this.#texts.close()
    this.#volatileTexts.close()
  }

  /** Takes over a change that was written by an earlier process. */
  #replay(step: WrittenStep): void {
    const [what, kind] = step
    if (what === 'count') this.#counts.set(kind, step[2])
    else if (what === 'insert') this.#tables[kind].add(step[2] as never)
    else if (what === 'remove') this.#tables[kind].remove(this.get(kind, step[2]) as never)
    else Object.assign(this.get(kind, step[2])!, step[3], undefinedFields(step[4]))
  }

  #measure<Of extends Kind>(kind: Of, record: Records[Of], sign: 1 | -1): void {
    const bytes = bytesOf(kind, record)
    if (bytes > 0) this.#textBytes.set(kind, (this.#textBytes.get(kind) ?? 0) + sign * bytes)
  }

  #compact(): void {
    try {
      const volatile = this.#bytesOf((kind) => KINDS[kind].isVolatile === true)
      if (hasSlack(this.#volatileTexts.size, volatile)) this.#rewriteVolatileTexts()
      const lasting = this.#bytesOf((kind) => KINDS[kind].isVolatile !== true)
      const hasOldRecords = hasSlack(this.#folder?.size ?? 0, this.#fullSize)
      if (hasOldRecords || hasSlack(this.#texts.size, lasting)) this.#rewrite()
    } catch {
      // There is no room for a second copy. The first one is as good as before.
    }
  }

  #bytesOf(isCounted: (kind: Kind) => boolean): number {
    return sum([...this.#textBytes].map(([kind, bytes]) => (isCounted(kind) ? bytes : 0)))
  }

  #rewriteVolatileTexts(): void {
    const before = this.#volatileTexts
    const after = Texts.temporary(VOLATILE_SHELVES)
    this.#moveTexts(before, after, () => undefined)
    this.#volatileTexts = after
    before.close()
  }

  /** Writes everything that there is to new files. If that fails, it throws, and all stays as it is. */
  #rewrite(): void {
    const folder = this.#folder
    const before = this.#texts
    const after = folder?.newTexts() ?? Texts.temporary(SHELVES)
    this.#moveTexts(before, after, () => folder?.replace(this.#lines(), after))
    this.#texts = after
    this.#fullSize = folder?.size ?? 0
    before.close()
  }

  #moveTexts(before: Texts, after: Texts, use: () => void): void {
    const placed = this.#placed(before)
    const places = placed.map(({ ref }) => ref.at)
    try {
      for (const { shelf, ref } of placed) ref.at = after.take(before, shelf, ref).at
      use()
    } catch (error) {
      for (const [index, { ref }] of placed.entries()) ref.at = places[index]!
      after.close()
      throw error
    }
  }

  *#lines(): Generator<string, void> {
    yield JSON.stringify([...this.#counts].map(([name, count]) => ['count', name, count]))
    for (const kind of KIND_NAMES) {
      if (KINDS[kind].isVolatile === true) continue
      for (const record of this.list(kind)) yield JSON.stringify([['insert', kind, record]])
    }
  }
}

function hasSlack(size: number, needed: number): boolean {
  return size > 2 * needed + SLACK_BYTES
}

/** The type of a table does not say that the rules and the records of a kind belong together. */
function rulesOf<Of extends Kind>(kind: Of): KindRules<Records[Of]> {
  return KINDS[kind]
}

function eachText<Of extends Kind>(kind: Of, record: Records[Of], use: UseText): void {
  rulesOf(kind).eachText?.(record, use)
}

function bytesOf<Of extends Kind>(kind: Of, record: Records[Of]): number {
  let bytes = 0
  eachText(kind, record, (_shelf, ref) => {
    bytes += ref?.bytes ?? 0
  })
  return bytes
}

function undefinedFields(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
