import { createChanges, type Changes } from './changes.js'
import { createTargets, type Lookup, type Targets } from './deliveries/target.js'
import { eventsOf } from './events/events.js'
import type { Intent, Transaction } from './model/entities.js'
import { touchIntent } from './model/intents.js'
import type { Settings } from './options.js'
import { createStage, type Stage } from './stage.js'

/** The service without its server. */
export interface Service {
  readonly settings: Settings
  readonly changes: Changes
  readonly targets: Targets
  /** The present one: `reset` replaces it. */
  readonly stage: Stage
  /** Back to the state of the start. */
  readonly reset: () => void
  /** Sends what is to be told of a transaction to the address of its intent. */
  readonly tell: (intent: Intent, transaction: Transaction | undefined) => void
}

export function createService(settings: Settings, lookup?: Lookup): Service {
  const changes = createChanges()
  const targets = createTargets(settings.allowRemote, lookup)
  let stage = createStage(settings, targets, changes)
  return {
    settings,
    changes,
    targets,
    get stage() {
      return stage
    },
    reset() {
      stage.deliveries.end()
      stage = createStage(settings, targets, changes)
      changes.announce('reset')
    },
    tell(intent, transaction) {
      changes.announce('intent', intent.id)
      touchIntent(stage.state, intent)
      const { id: intentId, webhookUrl: url, scope, keyId } = intent
      if (transaction === undefined || url === undefined) return
      const events = eventsOf(stage.state, intent, transaction)
      stage.deliveries.send(events, { intentId, url, accountId: scope.accountId, keyId })
    },
  }
}
