import { expect, it } from 'vitest'
import { Checks } from '../server/deliveries/checks.js'

const changing = '{"a": 1.0}'
const accepted = { at: 0, status: 204, faults: [] }

it('forgets the endpoints when there are too many, and checks them again', () => {
  const checks = new Checks('all')
  const copies = (status: number, at: number) =>
    Array.from({ length: 1001 }, (_, i) =>
      checks.copyAfter({ url: `http://127.0.0.1:${i}/`, isOwn: false }, { at, status, faults: [] }, changing),
    )
  const copy = (port: number, at: number, status: number) =>
    checks.copyAfter({ url: `http://127.0.0.1:${port}/`, isOwn: false }, { at, status, faults: [] }, changing)
  expect(new Set(copies(204, 0))).toEqual(new Set(['wrong-secret']))
  expect(copy(0, 0, 204)).toBe('wrong-secret')
  expect(new Set(copies(401, 10_000))).toEqual(new Set(['reprinted']))
  // The last one made room.
  expect(copy(0, 10_001, 401)).toBe('reprinted')
  expect(copy(1000, 10_001, 401)).toBeUndefined()
})

it('sends one copy to an origin and path, whatever the query is', () => {
  const checks = new Checks('all')
  const urls = ['/hook?order=1', '/hook?order=2', '/hook', '/other?order=1']
  const copies = urls.map((path) =>
    checks.copyAfter({ url: `http://127.0.0.1:3000${path}`, isOwn: false }, accepted, changing),
  )
  expect(copies).toEqual(['wrong-secret', undefined, undefined, 'wrong-secret'])
})

it.each([
  ['none', true, undefined],
  ['none', false, undefined],
  ['own', true, 'wrong-secret'],
  ['own', false, undefined],
  ['all', true, 'wrong-secret'],
  ['all', false, 'wrong-secret'],
] as const)(
  '%s: of a delivery whose intent was made on the page (%s), the copy is %s',
  (which, isOwn, copy) => {
    const url = 'http://127.0.0.1:3000/'
    expect(new Checks(which).copyAfter({ url, isOwn }, accepted, changing)).toBe(copy)
  },
)
