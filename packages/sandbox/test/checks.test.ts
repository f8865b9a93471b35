import { expect, it } from 'vitest'
import { Checks } from '../src/deliveries/checks.js'

const changing = '{"a": 1.0}'

it('forgets the endpoints when there are too many, and checks them again', () => {
  const checks = new Checks()
  const copies = (status: number, at: number) =>
    Array.from({ length: 1001 }, (_, i) =>
      checks.copyAfter({ url: `http://127.0.0.1:${i}/` }, { at, status, faults: [] }, changing),
    )
  expect(new Set(copies(204, 0))).toEqual(new Set(['wrong-secret']))
  expect(checks.copyAfter({ url: 'http://127.0.0.1:0/' }, { at: 0, status: 204, faults: [] }, changing)).toBe(
    'wrong-secret',
  )
  expect(new Set(copies(401, 10_000))).toEqual(new Set(['reprinted']))
  // The last one made room.
  expect(
    checks.copyAfter({ url: 'http://127.0.0.1:0/' }, { at: 10_001, status: 401, faults: [] }, changing),
  ).toBe('reprinted')
  expect(
    checks.copyAfter({ url: 'http://127.0.0.1:1000/' }, { at: 10_001, status: 401, faults: [] }, changing),
  ).toBeUndefined()
})
