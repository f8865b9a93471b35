import { expect, it } from 'vitest'
import { compareDigests } from '../src/digest-comparison.js'

const digest = '0123456789abcdef'.repeat(4)

it.each([
  [digest, true, 'The value in the header is the same.'],
  [
    digest.toUpperCase(),
    false,
    'The value in the header has the same digits in upper case; the header must have lower case.',
  ],
  [`sha256=${digest}`, false, 'The value in the header has other characters around this digest.'],
  [digest.slice(0, 40), false, 'The value in the header is cut: its 40 digits are the first of this digest.'],
  ['0', false, 'The value in the header is cut: its 1 digit are the first of this digest.'],
  [`${digest.slice(0, 62)}00`, false, 'The value in the header differs in 2 of 64 digits, from digit 63 on.'],
])('compares with %s', (received, matches, sentence) => {
  expect(compareDigests(digest, received)).toMatchObject({ matches, sentence })
})

it('marks the digits that differ, in both', () => {
  expect(compareDigests('aabbccdd', 'aa00ccd')).toMatchObject({
    computed: [
      { text: 'aa', differs: false },
      { text: 'bb', differs: true },
      { text: 'ccd', differs: false },
      { text: 'd', differs: true },
    ],
    received: [
      { text: 'aa', differs: false },
      { text: '00', differs: true },
      { text: 'ccd', differs: false },
    ],
  })
  expect(compareDigests('aa', '')).toMatchObject({ received: [], computed: [{ text: 'aa', differs: true }] })
})
