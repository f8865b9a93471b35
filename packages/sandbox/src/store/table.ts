/** The records of one kind, in the order in which they came. */
export class Table<Item extends { readonly id: string }> {
  readonly #byId = new Map<string, Item>()
  // A map can only be walked from its oldest item, and lists show the newest ones.
  readonly #items: Item[] = []

  get items(): readonly Item[] {
    return this.#items
  }

  get(id: string): Item | undefined {
    return this.#byId.get(id)
  }

  add(item: Item): void {
    this.insert(item, this.#items.length)
  }

  insert(item: Item, index: number): void {
    this.#byId.set(item.id, item)
    if (index === this.#items.length) this.#items.push(item)
    else this.#items.splice(index, 0, item)
  }

  /** Returns where the item was. */
  remove(item: Item): number {
    const index = this.#items.indexOf(item)
    this.#byId.delete(item.id)
    if (index === 0) this.#items.shift()
    else this.#items.splice(index, 1)
    return index
  }

  clear(): void {
    this.#byId.clear()
    this.#items.length = 0
  }
}
