import type { Storage } from './storage.js'

/** A map that a storage keeps, too: it starts with what was kept, and each change is kept at once. */
export class StoredMap<Value> extends Map<string, Value> {
  readonly #storage: Storage
  readonly #kind: string

  /** Nothing else in the storage may have the same kind. */
  constructor(storage: Storage, kind: string) {
    super()
    this.#storage = storage
    this.#kind = kind
    // The format of the folder says that values of this kind have this type.
    for (const [, key, value] of storage.load(kind)) super.set(key, value as Value)
  }

  override set(key: string, value: Value): this {
    super.set(key, value)
    this.#storage.put(this.#kind, key, value)
    return this
  }

  override delete(key: string): boolean {
    if (!super.delete(key)) return false
    this.#storage.remove(this.#kind, key)
    return true
  }

  /** Must be called after a change inside a value. */
  changed(key: string): void {
    const value = this.get(key)
    if (value !== undefined) this.#storage.put(this.#kind, key, value)
  }
}
