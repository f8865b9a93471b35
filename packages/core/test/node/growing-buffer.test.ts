import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingBuffer } from '../../src/node/growing-buffer.js'

describe('GrowingBuffer', () => {
  it('is what was put into it, in any pieces and with any expectation', () => {
    const sizes = fc.array(fc.oneof(fc.nat(5), fc.nat(40_000)), { maxLength: 12 })
    const expectations = fc.option(fc.oneof(fc.nat(100), fc.nat(10_000_000)), { nil: undefined })
    fc.assert(
      fc.property(sizes, expectations, (lengths, expected) => {
        const chunks = lengths.map((length, i) => Buffer.alloc(length, i + 1))
        const buffer = new GrowingBuffer(expected)
        for (const chunk of chunks) buffer.append(chunk)
        expect(buffer.length).toBe(lengths.reduce((sum, length) => sum + length, 0))
        expect(buffer.bytes().equals(Buffer.concat(chunks))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('takes no more than twice what it holds, however small the pieces', () => {
    const buffer = new GrowingBuffer(undefined)
    for (let i = 0; i < 100_000; i++) buffer.append(Buffer.of(7))
    expect(buffer.bytes().buffer.byteLength).toBeLessThanOrEqual(200_000)
  })

  it('believes no sender that promises much', () => {
    expect(new GrowingBuffer(1e9).bytes().buffer.byteLength).toBeLessThanOrEqual(64 * 1024)
  })
})
