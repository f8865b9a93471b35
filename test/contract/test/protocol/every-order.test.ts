import { describe, expect, it } from 'vitest'
import { searchEveryOrder, type Bounds, type Trouble } from './every-order.js'
import type { Invariant } from './invariants.js'
import { useSimulatedTime } from './simulated-time.js'
import type { StoreKind } from './simulation.js'
import { STORES } from './stores/all.js'
import { FAULTS } from './stores/broken.js'

useSimulatedTime()

/** What the drill searches of each store. All of it is complete. */
const FOR_STORES: readonly Bounds[] = [
  { requests: 2, troubles: ['crash', 'loss'] },
  { requests: 2, troubles: ['jump', 'ending'] },
  { requests: 3, troubles: ['loss'] },
]

/** The smallest of these that finds a fault. Some faults need a third request, of which one finds what two have done. */
const FOR_FAULTS: readonly Bounds[] = [2, 3].flatMap((requests) =>
  [[], ['loss'], ['ending'], ['crash'], ['jump']].map((troubles) => ({
    requests,
    troubles: troubles as Trouble[],
  })),
)

/** No search needs so many. One that is cut off fails. */
const MAX_ORDERS = 200_000

async function search(
  { name, kind }: { readonly name: string; readonly kind: StoreKind },
  bounds: Bounds,
  wanted?: ReadonlySet<Invariant>,
): Promise<ReadonlySet<Invariant>> {
  const before = process.cpuUsage()
  const { orders, states, end, violated } = await searchEveryOrder(
    kind,
    { maxOrders: MAX_ORDERS, ...bounds },
    wanted,
  )
  const seconds = process.cpuUsage(before).user / 1e6
  const what = [`${bounds.requests} requests`, ...bounds.troubles].join(', ')
  const cost = `${orders} orders, ${states} states, ${seconds.toFixed(1)} s of CPU`
  process.stdout.write(
    `${name}: ${what}: ${end} in ${cost}${[...violated].map((each) => `\n  ${each}`).join('')}\n`,
  )
  expect(end).not.toBe('cut off')
  return violated
}

// One of each kind: the others are in the drill.
const FEW = STORES.filter(({ name }) => !name.includes('replay store'))

it.each(FEW)('$name keeps its promises in every order of two requests', async (kind) => {
  const { end } = await searchEveryOrder(kind, { requests: 2, troubles: [] })
  expect(end).toBe('complete')
})

it('a search that is cut off is not complete', async () => {
  const { end } = await searchEveryOrder(STORES[0]!, { requests: 2, troubles: [], maxOrders: 1 })
  expect(end).toBe('cut off')
})

// For minutes: npm run drill -- orders.
describe.runIf(process.env['EVERY_ORDER'] !== undefined)(
  'in every order of the steps',
  { timeout: 0 },
  () => {
    describe.each(STORES)('$name keeps its promises', (kind) => {
      it.each(FOR_STORES)('with $requests requests and $troubles', async (bounds) => {
        await search({ name: kind.name, kind }, bounds)
      })
    })

    it.each(FAULTS)('the fault is found that $fault', async ({ fault, kind, invariants }) => {
      const missing = new Set(invariants)
      for (const bounds of FOR_FAULTS) {
        if (missing.size === 0) return
        const violated = await search({ name: fault, kind }, bounds, missing)
        for (const each of violated) missing.delete(each)
      }
      expect([...missing]).toEqual([])
    })
  },
)
