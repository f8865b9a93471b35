export interface Identified {
  readonly id: string
}

/** A kind of records. It is declared next to their type, and the store imports no kind. */
export interface Kind<Of extends Identified> {
  /** Unique. Changes are written and announced under it. */
  readonly name: string
  /** How many there are at most, the newest ones: as many as the user chose, or a number. Missing if they are never removed. */
  readonly limit?: 'keep' | number
  /** They end with the process. */
  readonly isVolatile?: boolean
  /** How many bytes its bodies and answers take. Missing if the kind has no bodies. */
  readonly bytesOf?: (record: Of) => number
}

const declared: Kind<never>[] = []

/** Every kind that a loaded module declares. The server loads them all. */
export const KINDS: readonly Kind<never>[] = declared

/** Declares a kind, so that stores have a table for it. */
export function declareKind<Of extends Identified>(kind: Kind<Of>): Kind<Of> {
  declared.push(kind)
  return kind
}

/** The records of one kind, in the order in which they came. */
export class Table<Of extends Identified = Identified> {
  readonly kind: Kind<Of>
  readonly #byId = new Map<string, Of>()
  // A map can only be walked from its oldest item, and lists show the newest ones.
  readonly #items: Of[] = []
  #bytes = 0

  constructor(kind: Kind<Of>) {
    this.kind = kind
  }

  get items(): readonly Of[] {
    return this.#items
  }

  /** Of all bodies and answers. */
  get bytes(): number {
    return this.#bytes
  }

  get(id: string): Of | undefined {
    return this.#byId.get(id)
  }

  insert(item: Of): void {
    this.#byId.set(item.id, item)
    this.#items.push(item)
    this.#bytes += this.#bytesOf(item)
  }

  /** Changes the item itself. The cleared fields become undefined. */
  update(id: string, change: object, cleared: readonly string[]): void {
    const item = this.get(id)!
    this.#bytes -= this.#bytesOf(item)
    Object.assign(item, change, Object.fromEntries(cleared.map((name) => [name, undefined])))
    this.#bytes += this.#bytesOf(item)
  }

  remove(id: string): void {
    const item = this.get(id)!
    this.#byId.delete(id)
    if (this.#items[0] === item) this.#items.shift()
    else this.#items.splice(this.#items.indexOf(item), 1)
    this.#bytes -= this.#bytesOf(item)
  }

  clear(): void {
    this.#byId.clear()
    this.#items.length = 0
    this.#bytes = 0
  }

  /** The oldest items beyond the limit. `keep`: how many the user chose to keep. */
  surplus(keep: number): readonly Of[] {
    const { limit = Infinity } = this.kind
    return this.#items.slice(0, Math.max(0, this.#items.length - (limit === 'keep' ? keep : limit)))
  }

  #bytesOf(item: Of): number {
    return this.kind.bytesOf?.(item) ?? 0
  }
}

/** A copy of a text to keep. V8 keeps a piece of a text with the whole of it. */
export function compact(text: string): string {
  return Buffer.from(text).toString()
}

/** How much memory texts take together: a letter beyond Latin-1 makes V8 keep all letters of its text in two bytes. */
export function bytesOf(texts: readonly (string | null | undefined)[]): number {
  let bytes = 0
  for (const text of texts) bytes += 2 * (text?.length ?? 0)
  return bytes
}
