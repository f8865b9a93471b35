import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingBytes } from '../../src/receiver/growing-bytes.js'

describe('GrowingBytes', () => {
  it('is what was put into it, in any pieces and with any expectation', () => {
    const sizes = fc.array(fc.oneof(fc.nat(5), fc.nat(40_000)), { maxLength: 12 })
    const expectations = fc.option(fc.oneof(fc.nat(100), fc.nat(10_000_000)), { nil: undefined })
    fc.assert(
      fc.property(sizes, expectations, (lengths, expected) => {
        const chunks = lengths.map((length, i) => Buffer.alloc(length, i + 1))
        const bytes = new GrowingBytes(expected)
        for (const chunk of chunks) bytes.append(chunk)
        expect(bytes.length).toBe(lengths.reduce((sum, length) => sum + length, 0))
        expect(Buffer.concat(chunks).equals(bytes.all())).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('takes no more than twice what it holds, however small the pieces', () => {
    const bytes = new GrowingBytes(undefined)
    for (let i = 0; i < 100_000; i++) bytes.append(Buffer.of(7))
    expect(bytes.all().buffer.byteLength).toBeLessThanOrEqual(200_000)
  })

  it('believes no sender that promises much', () => {
    expect(new GrowingBytes(1e9).all().buffer.byteLength).toBeLessThanOrEqual(64 * 1024)
  })
})
