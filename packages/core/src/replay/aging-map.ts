/** So few need no tidying up. */
const FEW = 64

/**
 * A map that knows its oldest entry. A `Map` has the order too, but finds its first entry only by stepping over all that
 * were deleted since it last grew.
 */
export class AgingMap<Value> {
  readonly #entries = new Map<string, Value>()
  // In the order of age. What was deleted stays in until it comes to the front, or is too much.
  readonly #keys: string[] = []
  readonly #values: Value[] = []
  #front = 0

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  /** Adds a key that is not there, as the youngest. */
  add(key: string, value: Value): void {
    // When this runs changes only memory and time; that it runs often enough has a test of its own.
    // Stryker disable next-line ConditionalExpression,EqualityOperator,ArithmeticOperator: the entries are the same.
    if (this.#keys.length > 2 * this.size + FEW) this.#tidyUp()
    this.#entries.set(key, value)
    this.#keys.push(key)
    this.#values.push(value)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  oldest(): { readonly key: string; readonly value: Value } | undefined {
    // Past the end, the key and the value are both undefined, which ends the loop like an entry that is present.
    // Stryker disable next-line ConditionalExpression,EqualityOperator: the second condition ends the loop too.
    while (this.#front < this.#keys.length && !this.#isThere(this.#front)) this.#front++
    if (this.#front === this.#keys.length) return undefined
    return { key: this.#keys[this.#front]!, value: this.#values[this.#front]! }
  }

  #isThere(index: number): boolean {
    return this.#entries.get(this.#keys[index]!) === this.#values[index]
  }

  #tidyUp(): void {
    let kept = 0
    for (let index = this.#front; index < this.#keys.length; index++) {
      if (!this.#isThere(index)) continue
      this.#keys[kept] = this.#keys[index]!
      this.#values[kept++] = this.#values[index]!
    }
    this.#keys.length = this.#values.length = kept
    this.#front = 0
  }
}
