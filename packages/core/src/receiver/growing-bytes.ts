// For a body of unknown length; it doubles from there.
const SMALLEST = 16 * 1024
// A sender can declare any length, and need not send it.
const LARGEST_AT_FIRST = 64 * 1024

/**
 * Bytes put behind each other in memory of their own: chunks may lie where their host soon writes others. A list of copies
 * would do for most, but of chunks of one byte it would take a hundred times the memory that the limit allows.
 */
export class GrowingBytes {
  readonly #allocate: (length: number) => Uint8Array
  #bytes: Uint8Array
  #length = 0

  /**
   * @param expected how long it will get, as far as that is known
   * @param allocate the runtime's own way to memory, where it has one that is cheaper
   */
  constructor(expected: number | undefined, allocate = (length: number) => new Uint8Array(length)) {
    this.#allocate = allocate
    this.#bytes = allocate(Math.min(expected ?? SMALLEST, LARGEST_AT_FIRST))
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

  /** What is there so far; not a copy. */
  all(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
