import type { KindRules, TextRef } from './records.js'

interface Identified {
  readonly id: string
}

/** The records of one kind, in the order in which they came. */
export class Table<Item extends Identified = Identified> {
  readonly #rules: KindRules<Item>
  readonly #byId = new Map<string, Item>()
  // A map can only be walked from its oldest item, and lists show the newest ones.
  readonly #items: Item[] = []
  #textBytes = 0

  constructor(rules: KindRules<Item>) {
    this.#rules = rules
  }

  get items(): readonly Item[] {
    return this.#items
  }

  /** The length of all texts that the records refer to. */
  get textBytes(): number {
    return this.#textBytes
  }

  get(id: string): Item | undefined {
    return this.#byId.get(id)
  }

  insert(item: Item, index = this.#items.length): void {
    this.#byId.set(item.id, item)
    if (index === this.#items.length) this.#items.push(item)
    else this.#items.splice(index, 0, item)
    this.#textBytes += this.textBytesOf(item)
  }

  /** Changes the item itself. Returns the previous values. */
  update(item: Item, change: Partial<Item>): Partial<Item> {
    const names = Object.keys(change) as (keyof Item)[]
    const before = Object.fromEntries(names.map((name) => [name, item[name]])) as Partial<Item>
    this.#textBytes -= this.textBytesOf(item)
    Object.assign(item, change)
    this.#textBytes += this.textBytesOf(item)
    return before
  }

  /** Returns the place that the item had. */
  remove(item: Item): number {
    const index = this.#items.indexOf(item)
    this.#byId.delete(item.id)
    if (index === 0) this.#items.shift()
    else this.#items.splice(index, 1)
    this.#textBytes -= this.textBytesOf(item)
    return index
  }

  clear(): void {
    this.#byId.clear()
    this.#items.length = 0
    this.#textBytes = 0
  }

  /** The oldest items beyond the limit, without those that are in use. `keep`: how many the user chose to keep. */
  surplus(keep: number): readonly Item[] {
    const { limit = Infinity, isInUse } = this.#rules
    const excess = this.#items.length - (limit === 'keep' ? keep : limit)
    if (excess <= 0) return []
    const removable = isInUse === undefined ? this.#items : this.#items.filter((item) => !isInUse(item))
    return removable.slice(0, excess)
  }

  textsOf(item: Item): readonly TextRef[] {
    const texts = this.#rules.textsOf?.(item) ?? []
    return texts.filter((text) => text !== null && text !== undefined)
  }

  textBytesOf(item: Item): number {
    let bytes = 0
    for (const text of this.textsOf(item)) bytes += text.bytes
    return bytes
  }
}
