import { NewestFirst } from './newest-first.js'

/** Bounds what is kept, in bytes: where it is too much, the items that were not used for the longest time are forgotten. */
export class Memory {
  readonly #maxBytes: number
  #bytes = 0
  /** The least recently used item first. */
  readonly #items = new Map<object, { readonly bytes: number; readonly forget: () => void }>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Takes the item as the most recently used one. */
  keep(item: object, bytes: number, forget: () => void): void {
    this.release(item)
    this.#items.set(item, { bytes, forget })
    this.#bytes += bytes
    for (const [oldest, kept] of this.#items) {
      if (this.#bytes <= this.#maxBytes) break
      this.release(oldest)
      kept.forget()
    }
  }

  release(item: object): void {
    this.#bytes -= this.#items.get(item)?.bytes ?? 0
    this.#items.delete(item)
  }
}

/** A map whose values count against a memory, which may forget them. */
export class KeptMap<Value extends object> extends Map<string, Value> {
  readonly #memory: Memory
  readonly #bytesOf: (value: Value) => number
  readonly #onForget: (value: Value, key: string) => void
  readonly #newestFirst = new NewestFirst<Value>()

  constructor(
    memory: Memory,
    onForget: (value: Value, key: string) => void = () => undefined,
    bytesOf: (value: Value) => number = sizeOf,
  ) {
    super()
    this.#memory = memory
    this.#onForget = onForget
    this.#bytesOf = bytesOf
  }

  override set(key: string, value: Value): this {
    const before = this.get(key)
    if (before !== undefined) this.#release(before)
    super.set(key, value)
    this.#newestFirst.add(value)
    this.touch(key)
    return this
  }

  override delete(key: string): boolean {
    const value = this.get(key)
    if (value !== undefined) this.#release(value)
    return super.delete(key)
  }

  #release(value: Value): void {
    this.#memory.release(value)
    this.#newestFirst.delete(value)
  }

  /** The values, and first the one that was set last. */
  newestFirst(): Iterable<Value> {
    return this.#newestFirst
  }

  /** The value is in use, and its size may have changed. */
  touch(key: string | undefined): void {
    const value = key === undefined ? undefined : this.get(key)
    if (key === undefined || value === undefined) return
    this.#memory.keep(value, this.#bytesOf(value), () => {
      super.delete(key)
      this.#newestFirst.delete(value)
      this.#onForget(value, key)
    })
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
