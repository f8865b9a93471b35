/**
 * Finds the items that contain a text, in whatever case. A list is fetched again with each change, so the items that
 * fitted the last search are remembered, and only new ones are looked at.
 */
export class TextSearch<Item extends object> {
  readonly #textsOf: (item: Item) => readonly string[]
  #search = ''
  #fitting = new WeakSet<Item>()
  /** This item and all older ones were looked at. */
  #newest: Item | undefined

  constructor(textsOf: (item: Item) => readonly string[]) {
    this.#textsOf = textsOf
  }

  *find(newestFirst: Iterable<Item>, search: string): Generator<Item, void> {
    if (search !== this.#search) {
      this.#search = search
      this.#fitting = new WeakSet()
      this.#newest = undefined
    }
    const pattern = patternOf(search)
    const known = this.#newest
    let newest: Item | undefined
    let isKnown = false
    for (const item of newestFirst) {
      newest ??= item
      isKnown ||= item === known
      if (!isKnown && this.#textsOf(item).some((text) => pattern.test(text))) this.#fitting.add(item)
      if (this.#fitting.has(item)) yield item
    }
    this.#newest = newest
  }
}

/** It finds a text in 50,000 bodies faster than a change of their case does. */
function patternOf(search: string): RegExp {
  const escaped = search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(escaped.replace(/[^\0-\x7f]/g, inBodies), 'i')
}

/** A letter beyond ASCII, or its escape in a body of Python's style. */
function inBodies(letter: string): string {
  const escapes = [letter.toLowerCase(), letter.toUpperCase()].map((cased) =>
    cased.replace(/[^]/g, (unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
  return `(?:${[letter, ...escapes].join('|')})`
}
