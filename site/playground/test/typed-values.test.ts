import { expect, it } from 'vitest'
import { printTime, readFutureTolerance, readTime, readTolerance } from '../src/typed-values.js'

it.each([
  ['2025-03-27T15:41:20Z', 1743090080_000],
  ['2025-03-27T15:41:20', 1743090080_000],
  ['2025-03-27 15:41:20', 1743090080_000],
  ['2025-03-27T17:41:20.250+02:00', 1743090080_250],
  [' 1743090080 ', 1743090080_000],
  ['1743090080.5', 1743090080_500],
])('reads the time %s, which is in UTC unless it says otherwise', (text, time) => {
  expect(readTime(text)).toBe(time)
})

it('refuses what is not a time', () => {
  expect(() => readTime('yesterday')).toThrow('Enter a time such as 2025-03-27T15:41:20Z, or Unix seconds.')
})

it('prints a time so that it is read again', () => {
  expect(printTime(1743090080_250)).toBe('2025-03-27T15:41:20.250Z')
  expect(printTime(999_999_999_999_000)).toBe('+033658-09-27T01:46:39.000Z')
  expect(printTime(1e18)).toBe('1000000000000000')
})

it('reads tolerances: a number, Infinity, or nothing for the default', () => {
  expect(['', '10', '0.5', 'Infinity'].map(readTolerance)).toEqual([300, 10, 0.5, Infinity])
  expect([' ', '0', '120'].map(readFutureTolerance)).toEqual([60, 0, 120])
})

it('refuses tolerances that the verifier refuses, in its words', () => {
  expect(() => readTolerance('0')).toThrow('"toleranceSeconds" must be greater than 0 (or Infinity), got 0')
  expect(() => readTolerance('five')).toThrow(
    '"toleranceSeconds" must be greater than 0 (or Infinity), got NaN',
  )
  expect(() => readFutureTolerance('-1')).toThrow('"futureToleranceSeconds" must be 0 or greater')
})
