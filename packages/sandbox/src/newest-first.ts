/** Items in the order in which they were added. They are walked from the newest one, without a copy. */
export class NewestFirst<Item extends object> implements Iterable<Item> {
  /** The oldest first. A deleted item leaves a gap. */
  #items: (Item | undefined)[] = []
  readonly #places = new Map<Item, number>()

  add(item: Item): void {
    this.#places.set(item, this.#items.push(item) - 1)
  }

  delete(item: Item): void {
    const place = this.#places.get(item)
    if (place === undefined) return
    this.#items[place] = undefined
    this.#places.delete(item)
    if (this.#items.length > 2 * this.#places.size) this.#closeGaps()
  }

  #closeGaps(): void {
    this.#items = [...this.#places.keys()]
    for (const [place, item] of this.#items.entries()) this.#places.set(item!, place)
  }

  *[Symbol.iterator](): Generator<Item, void> {
    const items = this.#items
    for (let place = items.length - 1; place >= 0; place--) {
      const item = items[place]
      if (item !== undefined) yield item
    }
  }
}
