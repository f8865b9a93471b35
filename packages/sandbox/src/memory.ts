import { NewestFirst } from './newest-first.js'
import { StoredMap } from './storage/stored-map.js'
import type { Storage } from './storage/storage.js'

/** What forgets an item: the map that it is in. */
interface Owner {
  forget(key: string): void
}

interface Kept {
  readonly bytes: number
  readonly owner: Owner
  readonly key: string
}

/** Bounds what is kept, in bytes: where it is too much, the items that were not used for the longest time are forgotten. */
export class Memory {
  readonly #maxBytes: number
  #bytes = 0
  /** The least recently used item first. */
  readonly #items = new Map<object, Kept>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Takes the item as the most recently used one. */
  keep(item: object, kept: Kept): void {
    this.release(item)
    this.add(item, kept)
    for (const [oldest, { owner, key }] of this.#items) {
      if (this.#bytes <= this.#maxBytes) break
      this.release(oldest)
      owner.forget(key)
    }
  }

  /** The same for a new item, and forgets nothing before the next one is kept. */
  add(item: object, kept: Kept): void {
    this.#items.set(item, kept)
    this.#bytes += kept.bytes
  }

  /** An item that is kept is in use, and of the same size as before. */
  use(item: object): void {
    const kept = this.#items.get(item)!
    this.#items.delete(item)
    this.#items.set(item, kept)
  }

  release(item: object): void {
    this.#bytes -= this.#items.get(item)?.bytes ?? 0
    this.#items.delete(item)
  }
}

export interface KeptMapOptions<Value> {
  readonly memory: Memory
  readonly storage: Storage
  readonly kind: string
  /** Called after the memory has forgotten a value. */
  readonly onForget?: (value: Value, key: string) => void
  readonly bytesOf?: (value: Value) => number
}

/** A map whose values count against a memory, which may forget them. */
export class KeptMap<Value extends object> extends StoredMap<Value> {
  readonly #memory: Memory
  readonly #bytesOf: (value: Value) => number
  readonly #onForget: (value: Value, key: string) => void
  readonly #newestFirst = new NewestFirst<Value>()

  constructor({ memory, storage, kind, onForget, bytesOf = sizeOf }: KeptMapOptions<Value>) {
    super(storage, kind)
    this.#memory = memory
    this.#onForget = onForget ?? (() => undefined)
    this.#bytesOf = bytesOf
    for (const [key, value] of this) {
      this.#newestFirst.add(value)
      memory.add(value, { bytes: bytesOf(value), owner: this, key })
    }
  }

  override set(key: string, value: Value): this {
    const before = this.get(key)
    if (before !== undefined) this.#release(before)
    super.set(key, value)
    this.#newestFirst.add(value)
    this.#measure(key, value)
    return this
  }

  override delete(key: string): boolean {
    const value = this.get(key)
    if (value !== undefined) this.#release(value)
    return super.delete(key)
  }

  #measure(key: string, value: Value): void {
    this.#memory.keep(value, { bytes: this.#bytesOf(value), owner: this, key })
  }

  #release(value: Value): void {
    this.#memory.release(value)
    this.#newestFirst.delete(value)
  }

  /** Called by the memory, which has released the value already. */
  forget(key: string): void {
    const value = this.get(key)!
    super.delete(key)
    this.#newestFirst.delete(value)
    this.#onForget(value, key)
  }

  /** The values, and first the one that was set last. */
  newestFirst(): Iterable<Value> {
    return this.#newestFirst
  }

  /** The value is in use. */
  touch(key: string | undefined): void {
    const value = key === undefined ? undefined : this.get(key)
    if (value !== undefined) this.#memory.use(value)
  }

  /** The value is in use, and something in it has changed. */
  override changed(key: string): void {
    const value = this.get(key)
    if (value === undefined) return
    super.changed(key)
    this.#measure(key, value)
  }
}

/** About how many bytes a value of plain objects takes in V8. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 24 + lengthOf(value)
  if (typeof value !== 'object' || value === null) return 8
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 8 + sizeOf(item), 48)
  return Object.entries(value).reduce((sum, [name, item]) => sum + 32 + lengthOf(name) + sizeOf(item), 56)
}

/** V8 takes one byte for each character as long as all are of Latin-1. */
function lengthOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length
}
