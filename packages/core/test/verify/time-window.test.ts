import { describe, expect, it } from 'vitest'
import { checkTimeWindow, timeWindowVerdict } from '../../src/verify/time-window.js'

const window = { toleranceSeconds: 300, futureToleranceSeconds: 60 }
const signedAt = 1743090080
const now = (seconds: number) => (signedAt + seconds) * 1000

describe('the time window', () => {
  it.each([
    ['in the future', -60.001],
    ['in time', -60],
    ['in time', 0],
    ['in time', 300],
    ['too old', 300.001],
  ] as const)('is "%s" at an age of %s s', (verdict, age) => {
    expect(timeWindowVerdict(String(signedAt), now(age), window)).toEqual({ verdict, ageSeconds: age })
  })

  it('accepts any age if the tolerance is Infinity, and no other future', () => {
    const unbounded = { ...window, toleranceSeconds: Infinity }
    expect(timeWindowVerdict('0', now(0), unbounded).verdict).toBe('in time')
    expect(timeWindowVerdict('999999999999', now(0), unbounded).verdict).toBe('in the future')
  })
})

describe('a refusal because of the time', () => {
  it.each([
    [300.04, '300.1 seconds'],
    [100.04, '100.1 seconds'],
    [599.9, '599.9 seconds'],
    [600, '10 minutes'],
    [840, '14 minutes'],
    [7199, '119 minutes'],
    [7200, '2 hours'],
    [172_800, '2 days'],
    [52_235_430.291, '604 days'],
  ])('prints %s s as %s', (seconds, words) => {
    const narrow = { toleranceSeconds: 100, futureToleranceSeconds: 100 }
    const check = (age: number) => () => {
      checkTimeWindow(String(signedAt), now(age), narrow)
    }
    expect(check(seconds)).toThrow(`: ${words} ago; toleranceSeconds is 100. `)
    expect(check(-seconds)).toThrow(`: ${words} ahead; futureToleranceSeconds is 100. `)
  })
})
