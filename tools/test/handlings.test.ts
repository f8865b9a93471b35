import { expect, it } from 'vitest'
import { Handlings, reasonOf, type Handling } from '../drill/handlings.js'

const FAILOVER = { killedAt: 1000, leaseMilliseconds: 500 }

function handling(askedAt: number, endedAt: number, isCommitted = true): Handling {
  return { askedAt, claimedAt: askedAt + 2, endedAt, isCommitted }
}

it.each<[string, Handling, Handling]>([
  ['commitLost', handling(900, 990), handling(1300, 1400)],
  ['claimLost', handling(990, 1800), handling(1300, 1400)],
  ['commitFailed', handling(900, 1010, false), handling(1500, 1600)],
  ['leaseEnded', handling(900, 1900), handling(1500, 1600)],
  ['leaseEnded', handling(2000, 2600), handling(2550, 2600)],
  ['unexplained', handling(100, 200), handling(300, 400)],
  ['unexplained', handling(100, 400), handling(300, 400)],
  ['unexplained', handling(900, 1100), handling(1300, 1400)],
  ['unexplained', handling(2000, 2100), handling(2600, 2700)],
])('the reason of a second handling is %s', (reason, previous, next) => {
  expect(reasonOf(previous, next, FAILOVER)).toBe(reason)
})

it('combines the reports of a delivery, in the order of the claims', () => {
  const handlings = new Handlings()
  for (const [token, start] of [
    ['b', 300],
    ['a', 100],
  ] as const) {
    handlings.add({ kind: 'claimed', token, askedAt: start, at: start + 2 })
    handlings.add({ kind: 'handled', id: 'delivery 1', token, at: start + 10 })
  }
  handlings.add({ kind: 'ended', token: 'a', step: 'commit', at: 120, error: 'port 6379 closed' })
  handlings.add({ kind: 'ended', token: 'b', step: 'commit', at: 320 })
  handlings.add({ kind: 'claimed', token: 'c', askedAt: 400, at: 402 })
  expect(handlings.byDelivery()).toEqual(
    new Map([
      [
        'delivery 1',
        [
          { askedAt: 100, claimedAt: 102, endedAt: 120, isCommitted: false },
          { askedAt: 300, claimedAt: 302, endedAt: 320, isCommitted: true },
        ],
      ],
    ]),
  )
  expect(handlings.storeErrors).toEqual(new Map([['port N closed', 1]]))
})
