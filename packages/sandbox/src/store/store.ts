import { randomUUID } from 'node:crypto'
import { DataFolder } from './data-folder.js'
import { Journal } from './journal.js'
import { KINDS, type Kind, type Records, type TextRef } from './records.js'
import { Table } from './table.js'

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

/** One change of a record. */
type Step =
  // Without an index, the record is the newest.
  | readonly ['insert', Kind, { readonly id: string }, index?: number]
  // JSON has no undefined, so the fields that become undefined have a list of their own.
  | readonly ['update', Kind, string, object, readonly string[]]
  | readonly ['remove', Kind, string]

/** A line of the journal has several of them, and what was counted meanwhile. */
type JournalStep = Step | readonly ['count', string, number]

/** The changes that are made together, and those that take them back. */
interface Transaction {
  readonly steps: Step[]
  readonly inverse: Step[]
}

/** Their records are of the type that `Records` has for the kind. */
type Tables = Readonly<Record<Kind, Table>>

const KIND_NAMES = Object.keys(KINDS) as Kind[]

const GIBIBYTE = 1024 * 1024 * 1024

/** The journal is written again without what is no longer needed, once that is more than the rest and this much. */
const SLACK_BYTES = 16 * 1024 * 1024

/**
 * Everything that the sandbox knows, and the only way to change it. A change is bounded, then written, then announced:
 * the code that makes it need not know which listeners there are.
 */
export class Store {
  readonly seed: string
  readonly #keep: number
  readonly #maxTextBytes: number
  readonly #tables = Object.fromEntries(
    KIND_NAMES.map((kind) => [kind, new Table(KINDS[kind] as object)]),
  ) as Tables
  /** How often each thing was counted. */
  readonly #counts = new Map<string, number>()
  /** The names whose count is not written yet. It is written with the next change, because nothing else depends on it. */
  readonly #unwrittenCounts = new Set<string>()
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #folder: DataFolder | undefined
  /** In a data folder it has everything that is not volatile, elsewhere only texts. */
  #journal: Journal
  /** The size of the journal when it was last written as a whole; after a start, that of its texts. */
  #fullSize: number
  #transaction: Transaction | undefined
  #isClosed = false

  /** @throws {DataFolderError} if the folder cannot be used */
  constructor({ folder, seed, keep, maxTextBytes = GIBIBYTE }: StoreOptions) {
    this.#keep = keep
    this.#maxTextBytes = maxTextBytes
    this.#folder =
      folder === undefined
        ? undefined
        : new DataFolder(folder, seed, (line) => {
            for (const step of JSON.parse(line) as JournalStep[]) {
              if (step[0] === 'count') this.#counts.set(step[1], step[2])
              else this.#apply(step)
            }
          })
    this.seed = this.#folder?.seed ?? seed ?? randomUUID()
    this.#journal = this.#folder?.journal ?? Journal.temporary()
    this.#fullSize = this.#textBytes()
    this.#compact()
  }

  get folder(): string | undefined {
    return this.#folder?.path
  }

  get<Of extends Kind>(kind: Of, id: string): Records[Of] | undefined {
    return this.#tables[kind].get(id) as Records[Of] | undefined
  }

  /** All records of a kind as they are now, the oldest first. */
  list<Of extends Kind>(kind: Of): readonly Records[Of][] {
    return this.#tables[kind].items as readonly Records[Of][]
  }

  newestFirst<Of extends Kind>(kind: Of): readonly Records[Of][] {
    return [...this.list(kind)].reverse()
  }

  insert<Of extends Kind>(kind: Of, record: Records[Of]): Records[Of] {
    this.#change(['insert', kind, record])
    return record
  }

  /** The record itself changes. Nothing happens if it was removed in the meantime. */
  update<Of extends Kind>(kind: Of, id: string, change: Partial<Omit<Records[Of], 'id'>>): void {
    if (this.get(kind, id) === undefined) return
    const undefinedNames = Object.entries(change).flatMap(([name, value]) =>
      value === undefined ? name : [],
    )
    this.#change(['update', kind, id, change, undefinedNames])
  }

  /** Nothing happens if it was removed already. */
  remove(kind: Kind, id: string): void {
    if (this.get(kind, id) !== undefined) this.#change(['remove', kind, id])
  }

  #change(step: Step): void {
    this.transaction(() => {
      const { steps, inverse } = this.#transaction!
      inverse.push(this.#apply(step))
      steps.push(step)
    })
  }

  /** Returns the step that takes it back. */
  #apply(step: Step): Step {
    const [what, kind] = step
    const table = this.#tables[kind]
    if (what === 'insert') {
      table.insert(step[2], step[3])
      return ['remove', kind, step[2].id]
    }
    const [, , id] = step
    const record = table.get(id)
    if (record === undefined) throw new Error(`there is no ${kind} ${id}`)
    if (what === 'remove') return ['insert', kind, record, table.remove(record)]
    const undefinedFields = Object.fromEntries(step[4].map((name) => [name, undefined]))
    return ['update', kind, id, table.update(record, { ...step[3], ...undefinedFields }), []]
  }

  /** Returns how often this name was counted before. */
  count(name: string): number {
    const count = this.#counts.get(name) ?? 0
    this.#counts.set(name, count + 1)
    this.#unwrittenCounts.add(name)
    return count
  }

  /** Writes a text that a record will refer to. */
  writeText(text: string): TextRef {
    return this.#journal.addText(text)
  }

  readText(ref: TextRef): string {
    return this.#journal.readText(ref)
  }

  /**
   * Makes all changes of a function, which must not be asynchronous, or none of them: then it throws. They are written before
   * this returns, and announced after that.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#transaction !== undefined) return work()
    const { steps, inverse } = (this.#transaction = { steps: [], inverse: [] } as Transaction)
    let result: Result
    try {
      result = work()
      this.#bound()
      this.#write(steps)
    } catch (error) {
      for (const step of inverse.reverse()) this.#apply(step)
      throw error
    } finally {
      this.#transaction = undefined
    }
    this.#compact()
    for (const [, kind, of] of steps) this.#announce({ kind, id: typeof of === 'string' ? of : of.id })
    return result
  }

  /** Removes the oldest records where there are too many now, or where their texts are too long. */
  #bound(): void {
    for (const kind of KIND_NAMES) {
      for (const { id } of this.#tables[kind].surplus(this.#keep)) this.remove(kind, id)
    }
    let excess = this.#textBytes() - this.#maxTextBytes
    if (excess <= 0) return
    const largest = KIND_NAMES.reduce((a, b) =>
      this.#tables[b].textBytes > this.#tables[a].textBytes ? b : a,
    )
    for (const record of [...this.#tables[largest].items]) {
      if (excess <= 0) return
      excess -= this.#tables[largest].textBytesOf(record)
      this.remove(largest, record.id)
    }
  }

  #textBytes(): number {
    return KIND_NAMES.reduce((sum, kind) => sum + this.#tables[kind].textBytes, 0)
  }

  #write(steps: readonly Step[]): void {
    const written = steps.filter(([, kind]) => this.#isWritten(kind))
    if (written.length === 0 || this.#isClosed) return
    this.#journal.writeLine(JSON.stringify([...written, ...this.#countSteps(this.#unwrittenCounts)]))
    this.#unwrittenCounts.clear()
  }

  #isWritten(kind: Kind): boolean {
    return this.#folder !== undefined && KINDS[kind].isVolatile !== true
  }

  #countSteps(names: Iterable<string>): readonly JournalStep[] {
    return [...names].map((name) => ['count', name, this.#counts.get(name)!])
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
    for (const table of Object.values(this.#tables)) table.clear()
    this.#counts.clear()
    this.#unwrittenCounts.clear()
    this.#rewrite()
    this.#announce({ kind: 'reset' })
  }

  /** What is changed after that is not written. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#journal.close()
    this.#folder?.unlock()
  }

  #compact(): void {
    if (this.#isClosed || this.#journal.size <= 2 * this.#fullSize + SLACK_BYTES) return
    try {
      this.#rewrite()
    } catch {
      // There is no room for a second copy. The first one is as good as before.
    }
  }

  /** Writes everything that there is to a new journal. If that fails, it throws, and all stays as it is. */
  #rewrite(): void {
    const before = this.#journal
    const after = this.#folder?.startJournal() ?? Journal.temporary()
    // In the order in which they lie, so that the file is read once.
    const texts = KIND_NAMES.flatMap((kind) =>
      this.#tables[kind].items.flatMap((record) => this.#tables[kind].textsOf(record)),
    ).sort((a, b) => a.at - b.at)
    const places = texts.map(({ at }) => at)
    try {
      for (const text of texts) text.at = after.copyText(before, text).at
      after.addLine(JSON.stringify(this.#countSteps(this.#counts.keys())))
      for (const kind of KIND_NAMES.filter((each) => this.#isWritten(each))) {
        for (const record of this.#tables[kind].items) {
          after.addLine(JSON.stringify([['insert', kind, record]]))
        }
      }
      this.#folder?.useJournal(after)
    } catch (error) {
      for (const [index, text] of texts.entries()) text.at = places[index]!
      after.discard()
      throw error
    }
    this.#journal = after
    this.#fullSize = after.size
    before.close()
  }
}
