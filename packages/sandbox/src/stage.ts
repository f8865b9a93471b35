import { sign } from '@service-signature/core/testing'
import type { Changes } from './changes.js'
import { createDeliveries, type Deliveries } from './deliveries/deliveries.js'
import type { Attempt, Delivery } from './deliveries/delivery.js'
import type { Targets } from './deliveries/target.js'
import { createFaults, type Faults } from './faults/faults.js'
import { Memory } from './memory.js'
import { createState, type State } from './model/state.js'
import type { Settings } from './options.js'
import { seededRandom } from './random.js'
import { createVault } from './vault/vault.js'

/** All that a reset replaces. */
export interface Stage {
  readonly state: State
  readonly faults: Faults
  readonly deliveries: Deliveries
}

/** A stage as it is at the start; with the same seed, the same one. */
export function createStage(settings: Settings, targets: Targets, changes: Changes): Stage {
  const { seed, clock, timeScale, canonicalForm, logger } = settings
  const random = seededRandom(seed)
  const faults = createFaults(random)
  const vault = createVault(faults.vaultIsDown)
  const memory = new Memory(settings.maxBytes)
  const state = createState(random, clock.now, vault, memory)

  const deliveries = createDeliveries({
    memory,
    random,
    faults,
    clock,
    timeScale,
    targets,
    sign({ accountId, keyId, body }, timestamp) {
      return sign(body, {
        secret: state.organization.secret,
        apiKey: state.keys.signing(accountId, keyId),
        timestamp,
        versions: ['v1', 'v2', 'v3'],
        canonicalForm,
      })
    },
    onChange(delivery) {
      const last = delivery.attempts.at(-1)
      if (last !== undefined) logger(lineOf(delivery, last))
      changes.announce('delivery', delivery.id)
    },
  })
  return { state, faults, deliveries }
}

function lineOf({ id, type, status }: Delivery, { answer, error }: Attempt): string {
  return `delivery ${id} ${type} ${status}: ${answer?.status ?? error!}`
}
