import { describe, expect, it } from 'vitest'
import { searchEveryOrder, type Bounds, type Found, type Trouble } from './every-order.js'
import type { Invariant } from './invariants.js'
import { useSimulatedTime } from './simulated-time.js'
import type { StoreKind } from './simulation.js'
import { STORES } from './stores/all.js'
import { FAULTS } from './stores/broken.js'

useSimulatedTime()

/** Two at a time: all four are too many for minutes. */
const TROUBLES: readonly (readonly Trouble[])[] = [
  ['crash', 'loss'],
  ['jump', 'ending'],
]

/** Some faults need a third request, of which one finds what two have done. */
const FOR_FAULTS: readonly Bounds[] = [
  { requests: 2, troubles: [] },
  ...TROUBLES.map((troubles) => ({ requests: 2, troubles })),
  { requests: 3, troubles: TROUBLES[1]! },
]

/** For a minute of each search. The output says which were cut off. */
const MAX_ORDERS = 50_000

async function search(kind: StoreKind, bounds: Bounds, wanted?: ReadonlySet<Invariant>): Promise<Found> {
  const startedAt = process.hrtime.bigint()
  const found = await searchEveryOrder(kind, { ...bounds, maxOrders: MAX_ORDERS }, wanted)
  const { orders, states, isComplete, violated } = found
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9
  const end =
    violated.size > 0 ? `found "${[...violated].join('", "')}"` : isComplete ? 'complete' : 'cut off'
  const what = [`${bounds.requests} requests`, ...bounds.troubles].join(', ')
  console.log(`${kind.name}: ${what}: ${orders} orders, ${states} states, ${end}, ${seconds.toFixed(1)} s`)
  return found
}

// One of each kind: the others are in the drill.
const FEW = STORES.filter(({ name }) => !name.includes('replay store') && !name.includes('Durable'))

it.each(FEW)('$name keeps its promises in every order of two requests', async (kind) => {
  const { isComplete } = await searchEveryOrder(kind, { requests: 2, troubles: [] })
  expect(isComplete).toBe(true)
})

// For minutes: npm run drill -- orders.
describe.runIf(process.env['EVERY_ORDER'] !== undefined)(
  'in every order of the steps',
  { timeout: 0 },
  () => {
    const cases = TROUBLES.flatMap((troubles) =>
      STORES.map((kind) => [kind.name, troubles.join(' and a '), kind, troubles] as const),
    )
    it.each(cases)('%s keeps its promises with a %s', async (_name, _troubles, kind, troubles) => {
      await search(kind, { requests: 2, troubles })
    })

    it.each(FAULTS.map((each) => [each.fault, each] as const))(
      'the fault is found that %s',
      async (_fault, { kind, invariants }) => {
        const missing = new Set(invariants)
        for (const bounds of FOR_FAULTS) {
          if (missing.size === 0) return
          const { violated } = await search(kind, bounds, missing)
          for (const each of violated) missing.delete(each)
        }
        expect([...missing]).toEqual([])
      },
    )
  },
)
