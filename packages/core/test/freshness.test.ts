import { describe, expect, it } from 'vitest'
import { freshness } from '../src/freshness.js'

const window = { toleranceSeconds: 300, futureToleranceSeconds: 60 }
const signedAt = 1743090080
const now = (seconds: number) => (signedAt + seconds) * 1000

describe('freshness', () => {
  it.each([
    ['in the future', -60.001],
    ['fresh', -60],
    ['fresh', 0],
    ['fresh', 300],
    ['too old', 300.001],
  ] as const)('is "%s" at an age of %s s', (verdict, age) => {
    expect(freshness(String(signedAt), now(age), window)).toEqual({ verdict, ageSeconds: age })
  })

  it('accepts any age where the tolerance is unbounded, and no other future for that', () => {
    const unbounded = { ...window, toleranceSeconds: Infinity }
    expect(freshness('0', now(0), unbounded).verdict).toBe('fresh')
    expect(freshness('999999999999', now(0), unbounded).verdict).toBe('in the future')
  })
})
