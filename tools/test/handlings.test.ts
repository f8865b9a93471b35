import { expect, it } from 'vitest'
import { Handlings, reasonOf, type Handling } from '../../test/drills/handlings.js'

const NO_REASONS = {
  ...{ commitLost: 0, claimLost: 0, processKilled: 0, commitFailed: 0, leaseEnded: 0, unexplained: 0 },
}
const KILLS = { downAt: [1000], killed: new Set([7]), leaseMilliseconds: 500 }

function handling(askedAt: number, endedAt: number, isCommitted = true, pid = 1): Handling {
  return { askedAt, claimedAt: askedAt + 2, endedAt, isCommitted, pid }
}

it.each<[string, Handling, Handling]>([
  ['commitLost', handling(900, 990), handling(1300, 1400)],
  ['claimLost', handling(990, 1800), handling(1300, 1400)],
  ['processKilled', handling(100, Infinity, false, 7), handling(700, 800)],
  ['commitFailed', handling(900, 1010, false), handling(1500, 1600)],
  ['leaseEnded', handling(100, Infinity, false), handling(700, 800)],
  ['leaseEnded', handling(900, 1900), handling(1500, 1600)],
  ['leaseEnded', handling(2000, 2600), handling(2550, 2600)],
  ['unexplained', handling(100, 200), handling(300, 400)],
  ['unexplained', handling(100, 400), handling(300, 400)],
  ['unexplained', handling(900, 1100), handling(1300, 1400)],
  ['unexplained', handling(2000, 2100), handling(2600, 2700)],
])('the reason of a second handling is %s', (reason, previous, next) => {
  expect(reasonOf(previous, next, KILLS)).toBe(reason)
})

it('compares the handlings of a delivery in the order of their claims', () => {
  const handlings = new Handlings()
  for (const [token, start] of [
    ['b', 1300],
    ['a', 900],
  ] as const) {
    handlings.add({ kind: 'claimed', token, askedAt: start, at: start + 2 }, 1)
    handlings.add({ kind: 'handled', id: 'delivery 1', token }, 1)
    handlings.add({ kind: 'ended', token, step: 'commit', at: start + 20, isFailed: false }, 1)
  }
  handlings.add({ kind: 'claimed', token: 'c', askedAt: 400, at: 402 }, 1)
  handlings.add({ kind: 'handled', id: 'delivery 2', token: 'c' }, 1)
  expect(handlings.again(handlings.handled, KILLS)).toEqual({ ...NO_REASONS, commitLost: 1 })
})
