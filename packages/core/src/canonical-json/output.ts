/** A stretch of the output. */
export interface Segment {
  readonly from: number
  readonly to: number
}

/** Bytes that are written from start to end. Whoever writes to `bytes` by hand keeps to what was reserved. */
export class Output {
  bytes: Uint8Array
  length = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const larger = new Uint8Array(2 * (this.length + count))
    larger.set(this.written())
    this.bytes = larger
  }

  /** Has these segments in this order, instead of what stands there from `from` on. */
  rearrange(from: number, segments: readonly Segment[]): void {
    const end = this.length
    const shift = end - from
    this.reserve(shift)
    this.bytes.copyWithin(end, from, end)
    this.length = from
    for (const segment of segments) {
      this.bytes.copyWithin(this.length, segment.from + shift, segment.to + shift)
      this.length += segment.to - segment.from
    }
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}
