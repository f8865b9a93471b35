import { expect, it } from 'vitest'
import { sharedHeaders } from '../src/deliveries/shared-headers.js'

it('answers with the same headers share one object, among the latest hundred', () => {
  const first = sharedHeaders({ date: 'first', 'set-cookie': ['a', 'b'] })
  expect(sharedHeaders({ date: 'first', 'set-cookie': ['a', 'b'] })).toBe(first)
  expect(sharedHeaders({ date: 'first', 'set-cookie': ['a'] })).not.toBe(first)
  for (let count = 0; count < 100; count++) sharedHeaders({ date: `later ${count}` })
  const again = sharedHeaders({ date: 'first', 'set-cookie': ['a', 'b'] })
  expect(again).toEqual(first)
  expect(again).not.toBe(first)
})
