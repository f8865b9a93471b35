import type { Clock } from '../store/clock.js'
import type { Random } from '../store/random.js'
import type { Store } from '../store/store.js'
import type { Faults } from './faults.js'

/** What the rules of the service are applied to. */
export interface Model {
  readonly store: Store
  readonly random: Random
  readonly faults: Faults
  readonly clock: Clock
  readonly now: () => number
}
