import { sign } from '@service-signature/core/testing'
import { Audits } from './audits.js'
import { Changes } from './changes.js'
import { Deliveries } from './deliveries/deliveries.js'
import type { Attempt, Delivery } from './deliveries/delivery.js'
import { Targets } from './deliveries/target.js'
import { cardTokenEvent, eventsOf } from './events/events.js'
import { Faults } from './faults/faults.js'
import { Memory } from './memory.js'
import type { CardTokenIntent, Intent, Scope, Transaction } from './model/entities.js'
import { intentChanged, touchIntent } from './model/intents.js'
import { SLOW_PROVIDER_MS, type ProviderId } from './model/providers.js'
import { createState, type State } from './model/state.js'
import type { Settings } from './options.js'
import { seededRandom } from './random.js'
import { reportAttempt } from './recording/attempt-report.js'
import { Requests } from './requests.js'
import type { Storage } from './storage/storage.js'
import { StoredMap } from './storage/stored-map.js'
import { createVault } from './vault/vault.js'

/** How the events of payments are sent. */
const OF_A_PAYMENT = { source: 'payment', forgeries: [], isRetried: true } as const

/** What a forger signs with who does not know the secret. */
const WRONG_SECRET = 'not_the_secret_of_this_sandbox'

/** Everything that a reset replaces. */
interface Contents {
  readonly state: State
  readonly faults: Faults
  readonly deliveries: Deliveries
  readonly audits: Audits
}

/** The service without its server. */
export class Service {
  readonly settings: Settings
  readonly changes = new Changes()
  readonly targets: Targets
  readonly requests = new Requests()
  storage: Storage
  readonly #pauses = new Set<() => void>()
  #contents: Contents

  constructor(settings: Settings, storage: Storage) {
    this.settings = settings
    this.storage = storage
    this.targets = new Targets(settings)
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

  get audits(): Audits {
    return this.#contents.audits
  }

  /** Back to the state of the start. */
  reset(): void {
    this.end()
    this.requests.clear()
    this.storage = this.storage.emptied()
    this.#contents = this.#createContents()
    this.changes.announce('reset')
  }

  /**
   * Sends the events of transactions to the address of their intent. Resolves when the providers have answered; the events
   * do not wait for a slow one.
   */
  async notifyMerchant(intent: Intent, transactions: readonly Transaction[]): Promise<void> {
    this.changes.announce('intent', intent.id)
    intentChanged(this.state, intent)
    const { id: intentId, scope, keyId } = intent
    const url = intent.webhookUrl ?? this.state.defaultEndpoint
    if (url !== undefined && transactions.length > 0) {
      this.ensureKey(scope)
      const events = transactions.flatMap((transaction) =>
        eventsOf(this.state, intent, transaction, this.settings.bodyStyle),
      )
      this.deliveries.send(events, { intentId, url, scope, keyId, ...OF_A_PAYMENT })
    }
    const slow = transactions.filter(({ isSlow }) => isSlow).length
    if (slow > 0) await this.#pause(slow * SLOW_PROVIDER_MS)
  }

  /** Announces a card token intent, and sends the event of a card that was saved, if that option is on. */
  notifyOfCard(intent: CardTokenIntent): void {
    this.state.cardTokenIntents.changed(intent.id)
    this.changes.announce('intent', intent.id)
    const { id: intentId, scope, keyId } = intent
    const url = intent.webhookUrl ?? this.state.defaultEndpoint
    if (!this.settings.cardTokenEvents || url === undefined || intent.cardTokenId === undefined) return
    this.ensureKey(scope)
    const event = cardTokenEvent(this.state.random, intent, this.settings.bodyStyle)
    this.deliveries.send([event], { intentId, url, scope, keyId, ...OF_A_PAYMENT })
  }

  /** An organization key can act in a mode of which the account has no key. To sign v1, one is made. */
  ensureKey(scope: Scope): void {
    const { keys } = this.state
    if (keys.has(scope)) return
    this.changes.announce('key', keys.createForAccount(scope.accountId, scope.isLive).id)
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#pauses.delete(end)
        resolve()
      }
      const cancel = this.settings.clock.after(milliseconds, end)
      this.#pauses.add(end)
    })
  }

  /** Ends every delivery, every audit and every pause. */
  end(): void {
    this.deliveries.end()
    this.audits.end()
    for (const end of this.#pauses) end()
  }

  /** The contents at the start; with the same seed, the same ones. */
  #createContents(): Contents {
    const { storage } = this
    const { clock, timeScale, canonicalForm, maxBytes, onAttempt, logger } = this.settings
    const random = seededRandom(storage.seed, new StoredMap(storage, 'drawn'))
    const faults = new Faults(random, storage)
    const memory = new Memory(maxBytes)
    const vault = createVault(() => faults.vaultIsDown(), storage)
    const faultOf = (id: ProviderId) => faults.provider(id)
    const state = createState({ random, now: clock.now, vault, faultOf, storage }, memory)
    state.defaultEndpoint = this.settings.defaultEndpoint ?? state.defaultEndpoint
    const deliveries = new Deliveries({
      memory,
      storage,
      random,
      faults,
      clock,
      timeScale,
      targets: this.targets,
      sign: ({ scope, keyId, body }, timestamp, isWithWrongSecret) =>
        sign(body, {
          secret: isWithWrongSecret ? WRONG_SECRET : state.organization.secret,
          apiKey: isWithWrongSecret ? WRONG_SECRET : state.keys.signing(scope, keyId),
          timestamp,
          canonicalForm,
        }),
      onAttempt: (delivery, attempt) => {
        onAttempt(reportAttempt(delivery, attempt))
      },
      onChange: (delivery) => {
        this.#deliveryChanged(delivery)
      },
    })
    const audits = new Audits({
      random,
      clock,
      logger,
      targets: this.targets,
      keys: ({ account: accountId = state.first.accountId, live: isLive = false }) => {
        this.ensureKey({ accountId, isLive })
        return {
          secret: state.organization.secret,
          apiKey: state.keys.signing({ accountId, isLive }, undefined),
        }
      },
      onChange: ({ id }) => {
        this.changes.announce('audit', id)
      },
    })
    restoreOrderOfUse(state, deliveries)
    return { state, faults, deliveries, audits }
  }

  #deliveryChanged(delivery: Delivery): void {
    const last = delivery.attempts.at(-1)
    if (last !== undefined) this.settings.logger(lineOf(delivery, last))
    this.changes.announce('delivery', delivery.id)
  }
}

/** When what is kept was used is not known after a restart: it is taken as used in the order in which it was made. */
function restoreOrderOfUse(state: State, deliveries: Deliveries): void {
  const made = [...state.intents.values(), ...deliveries.list()].sort((a, b) => a.created - b.created)
  for (const item of made) {
    if ('transactions' in item) touchIntent(state, item)
    else deliveries.touch(item)
  }
}

function lineOf({ id, type, status }: Delivery, { answer, error }: Attempt): string {
  // The type of a composed event may be any text.
  const shown = /^[a-z_.]{1,100}$/.test(type) ? type : '(other type)'
  return `delivery ${id} ${shown} ${status}: ${answer?.status ?? error!}`
}
