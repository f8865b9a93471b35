import { sign } from '@service-signature/core/testing'
import { Changes } from './changes.js'
import { Deliveries } from './deliveries/deliveries.js'
import type { Attempt, Delivery } from './deliveries/delivery.js'
import { Targets, type Lookup } from './deliveries/target.js'
import { eventsOf } from './events/events.js'
import { Faults } from './faults/faults.js'
import { Memory } from './memory.js'
import type { Intent, Transaction } from './model/entities.js'
import { touchIntent } from './model/intents.js'
import { createState, type State } from './model/state.js'
import type { Settings } from './options.js'
import { seededRandom } from './random.js'
import { createVault } from './vault/vault.js'

/** Everything that a reset replaces. */
interface Contents {
  readonly state: State
  readonly faults: Faults
  readonly deliveries: Deliveries
}

/** The service without its server. */
export class Service {
  readonly settings: Settings
  readonly changes = new Changes()
  readonly targets: Targets
  #contents: Contents

  constructor(settings: Settings, lookup?: Lookup) {
    this.settings = settings
    this.targets = new Targets(settings.allowRemote, lookup)
    this.#contents = this.#createContents()
  }

  get state(): State {
    return this.#contents.state
  }

  get faults(): Faults {
    return this.#contents.faults
  }

  get deliveries(): Deliveries {
    return this.#contents.deliveries
  }

  /** Back to the state of the start. */
  reset(): void {
    this.deliveries.end()
    this.#contents = this.#createContents()
    this.changes.announce('reset')
  }

  /** Sends the events of a transaction to the address of its intent. */
  notifyMerchant(intent: Intent, transaction: Transaction | undefined): void {
    this.changes.announce('intent', intent.id)
    touchIntent(this.state, intent)
    const { id: intentId, webhookUrl: url, scope, keyId } = intent
    if (transaction === undefined || url === undefined) return
    const events = eventsOf(this.state, intent, transaction, this.settings.bodyStyle)
    this.deliveries.send(events, { intentId, url, accountId: scope.accountId, keyId })
  }

  /** The contents at the start; with the same seed, the same ones. */
  #createContents(): Contents {
    const { seed, clock, timeScale, canonicalForm, maxBytes } = this.settings
    const random = seededRandom(seed)
    const faults = new Faults(random)
    const memory = new Memory(maxBytes)
    const state = createState(
      random,
      clock.now,
      createVault(() => faults.vaultIsDown()),
      memory,
    )
    const deliveries = new Deliveries({
      memory,
      random,
      faults,
      clock,
      timeScale,
      targets: this.targets,
      sign: ({ accountId, keyId, body }, timestamp) =>
        sign(body, {
          secret: state.organization.secret,
          apiKey: state.keys.signing(accountId, keyId),
          timestamp,
          versions: ['v1', 'v2', 'v3'],
          canonicalForm,
        }),
      onChange: (delivery) => {
        this.#deliveryChanged(delivery)
      },
    })
    return { state, faults, deliveries }
  }

  #deliveryChanged(delivery: Delivery): void {
    const last = delivery.attempts.at(-1)
    if (last !== undefined) this.settings.logger(lineOf(delivery, last))
    this.changes.announce('delivery', delivery.id)
  }
}

function lineOf({ id, type, status }: Delivery, { answer, error }: Attempt): string {
  return `delivery ${id} ${type} ${status}: ${answer?.status ?? error!}`
}
