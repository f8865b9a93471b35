/**
 * Joins chunks in memory of its own, because a host may soon write others where a chunk lies. A list of copies would do
 * for most bodies, but with chunks of one byte it would take a hundred times the memory that the limit allows.
 *
 * A sender can declare any length and need not send it, so the declared length plays no part here: nothing is allocated
 * before the first chunk, and never more than twice what arrived.
 */
export class GrowingBytes {
  readonly #allocate: (length: number) => Uint8Array
  #bytes: Uint8Array = new Uint8Array(0)
  #length = 0

  /** @param allocate the runtime's own function, where it has one that does not fill with zeros */
  constructor(allocate = (length: number): Uint8Array => new Uint8Array(length)) {
    this.#allocate = allocate
  }

  get length(): number {
    return this.#length
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#bytes.length) {
      const larger = this.#allocate(Math.max(length, this.#bytes.length * 2))
      larger.set(this.all())
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.#length)
    this.#length = length
  }

  /** The bytes that arrived so far; not a copy. */
  all(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
