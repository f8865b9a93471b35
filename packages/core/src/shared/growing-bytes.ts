/**
 * Joins chunks in memory of its own, because a host may soon write others where a chunk lies. A list of copies would take
 * a hundred times the limit with chunks of one byte. Never allocates more than twice what arrived, whatever length the
 * sender declared.
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

  /** Not a copy. */
  all(): Uint8Array {
    // A body in one piece fills its memory, and needs no second view of it.
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length)
  }
}
