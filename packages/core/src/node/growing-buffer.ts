// For a body of unknown length; it doubles from there.
const SMALLEST = 16 * 1024
// A sender can declare any length, and need not send it.
const LARGEST_AT_FIRST = 64 * 1024

/**
 * Bytes put behind each other in one buffer. A list of the chunks would do for most, but of chunks of one byte it would
 * take a hundred times the memory that the limit allows.
 */
export class GrowingBuffer {
  #buffer: Buffer
  #length = 0

  /** @param expected how long it will get, as far as that is known */
  constructor(expected: number | undefined) {
    this.#buffer = Buffer.allocUnsafe(Math.min(expected ?? SMALLEST, LARGEST_AT_FIRST))
  }

  get length(): number {
    return this.#length
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2))
      larger.set(this.bytes())
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.#length)
    this.#length = length
  }

  /** What is there so far; not a copy. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}
