/** Numbers that look random, and are the same again for the same seed (mulberry32). */
export class Random {
  #state

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to 2 ** 32 - 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /**
   * A whole number below `count`; 0 where there is none.
   *
   * @param {number} count
   */
  below(count) {
    return Math.floor((this.next() / 2 ** 32) * count)
  }

  /**
   * True once in `count` times.
   *
   * @param {number} count
   */
  oneIn(count) {
    return this.below(count) === 0
  }

  /**
   * @template Item
   * @param {readonly Item[]} items at least one
   * @returns {Item}
   */
  pick(items) {
    return /** @type {Item} */ (items[this.below(items.length)])
  }
}
