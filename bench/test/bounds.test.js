import { deepStrictEqual, strictEqual } from 'node:assert'
import { test } from 'node:test'
import { atLeast, atMost, exactly, holds, missed, round, widened } from '../report/bounds.js'

const CASES = [
  ['just at most', atMost(1.5, 1.5), true],
  ['more than at most', atMost(1.51, 1.5), false],
  ['just at least', atLeast(0.85, 0.85), true],
  ['less than at least', atLeast(0.849, 0.85), false],
  ['the very count', exactly(0, 0), true],
  ['fewer than the count', exactly(1, 2), false],
  ['more than the count', exactly(2, 1), false],
  ['no number', atMost(NaN, 1), false],
]

for (const [name, judged, expected] of CASES) {
  test(`${name}: the bound ${expected ? 'holds' : 'is missed'}`, () => {
    strictEqual(holds(judged), expected)
  })
}

test('what is missed is named by its table, row and column', () => {
  const rows = [{ event: 'small', time: 3, ratio: atMost(2, 1), rate: atLeast(1, 2), count: exactly(1, 0) }]
  deepStrictEqual(missed([{ title: 'verify', rows }]), [
    'verify: small: ratio: 2 (<= 1)',
    'verify: small: rate: 1 (>= 2)',
    'verify: small: count: 1, not 0',
  ])
})

test('widened bounds are twice as generous in either direction, and counts stay exact', () => {
  const rows = [{ event: 'small', time: 3, ratio: atMost(2, 1), rate: atLeast(1, 2), count: exactly(1, 0) }]
  const [table] = widened([{ title: 'verify', rows }], 2)
  deepStrictEqual(table, {
    title: 'verify',
    rows: [
      {
        event: 'small',
        time: 3,
        ratio: { value: 2, atMost: 2 },
        rate: { value: 1, atLeast: 1 },
        count: { value: 1, exactly: 0 },
      },
    ],
  })
})

test('values are rounded to three digits', () => {
  deepStrictEqual([1234.5, 1.2345, 0.012345].map(round), [1230, 1.23, 0.0123])
})
