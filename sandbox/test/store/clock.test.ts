import { expect, it } from 'vitest'
import { manualClock } from '../../server/index.js'

it('a manual clock begins now, or at the time that is passed, and stands still until it is advanced', () => {
  const before = Date.now()
  const now = manualClock().now()
  expect(before <= now && now <= Date.now()).toBe(true)
  const clock = manualClock(1000)
  expect([clock.now(), clock.now()]).toEqual([1000, 1000])
  clock.advance(5)
  expect(clock.now()).toBe(1005)
})

it('a manual clock calls back in the order in which things are due, each at its time', () => {
  const clock = manualClock(0)
  const calls: string[] = []
  const call = (name: string) => () => calls.push(`${name} at ${clock.now()}`)
  clock.after(20, call('c'))
  clock.after(10, () => {
    call('a')()
    clock.after(5, call('b'))
    clock.after(100, call('never'))
  })
  const cancel = clock.after(15, call('cancelled'))
  cancel()
  clock.advance(20)
  expect(calls).toEqual(['a at 10', 'b at 15', 'c at 20'])
  expect(clock.now()).toBe(20)
})
