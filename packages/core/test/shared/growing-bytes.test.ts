import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingBytes } from '../../src/shared/growing-bytes.js'

function recorded(): { bytes: GrowingBytes; allocations: number[] } {
  const allocations: number[] = []
  const bytes = new GrowingBytes((length) => {
    allocations.push(length)
    return new Uint8Array(length)
  })
  return { bytes, allocations }
}

describe('GrowingBytes', () => {
  it('returns the bytes that were added, in any pieces', () => {
    const sizes = fc.array(fc.oneof(fc.nat(5), fc.nat(40_000)), { maxLength: 12 })
    fc.assert(
      fc.property(sizes, (lengths) => {
        const chunks = lengths.map((length, i) => Buffer.alloc(length, i + 1))
        const bytes = new GrowingBytes()
        for (const chunk of chunks) bytes.append(chunk)
        expect(bytes.length).toBe(lengths.reduce((sum, length) => sum + length, 0))
        expect(Buffer.concat(chunks).equals(bytes.all())).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('allocates nothing before the first byte', () => {
    expect(recorded().allocations).toEqual([])
  })

  it('never allocates more than twice what arrived, and seldom', () => {
    const { bytes, allocations } = recorded()
    for (let i = 1; i <= 100_000; i++) {
      bytes.append(Buffer.of(7))
      if (allocations.at(-1)! > 2 * i) expect.fail(`${allocations.at(-1)} bytes for ${i}`)
    }
    expect(allocations.length).toBeLessThan(20)
  })

  it('allocates once, and exactly, for a body in one piece', () => {
    const { bytes, allocations } = recorded()
    bytes.append(Buffer.alloc(1147))
    expect(allocations).toEqual([1147])
  })
})
