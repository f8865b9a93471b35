import { expect, it } from 'vitest'
import { counted, duration, firstSentence, joinedWords, lowerFirst, utcTime } from '../src/words.js'

it('counts in the singular and the plural', () => {
  expect([0, 1, 2, 1234].map((count) => counted(count, 'byte'))).toEqual([
    '0 bytes',
    '1 byte',
    '2 bytes',
    '1,234 bytes',
  ])
})

it('joins words as a sentence does', () => {
  expect([[], ['v1'], ['v1', 'v2'], ['v1', 'v2', 'v3']].map(joinedWords)).toEqual([
    '',
    'v1',
    'v1 and v2',
    'v1, v2 and v3',
  ])
})

it('takes the first sentence, without its full stop', () => {
  expect(firstSentence('It differs: v3. Check the key.')).toBe('It differs: v3')
  expect(firstSentence('Trim it.')).toBe('Trim it')
})

it('starts with a lower case letter', () => {
  expect(lowerFirst('The body')).toBe('the body')
})

it.each([
  [0.6, '1 second'],
  [119, '119 seconds'],
  [840, '14 minutes'],
  [7200, '2 hours'],
  [259_200, '3 days'],
])('%d seconds are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words)
})

it('prints a time in UTC, also one that no calendar has', () => {
  expect(utcTime(1743090080_000)).toBe('2025-03-27 15:41:20 UTC')
  expect(utcTime(1e18)).toBe('a time that no calendar has')
})
