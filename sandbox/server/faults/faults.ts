import type { Forgery } from '@service-signature/deliveries'
import Type, { type Static } from 'typebox'
import { PROVIDER_FAULTS, PROVIDER_IDS, type ProviderFault, type ProviderId } from './providers.js'
import type { Clock } from '../store/clock.js'
import type { Random } from '../store/random.js'
import { exactly, flag, oneOf } from '../http/schema.js'
import type { Store } from '../store/store.js'
import { declareKind } from '../store/table.js'

/** The fault of one provider, if it has one. */
const provider = Type.Optional(oneOf(PROVIDER_FAULTS))
const milliseconds = Type.Integer({ minimum: 0, maximum: 600_000 })
const on = Type.Optional(flag)

/** The faults that can be set. An empty object sets none. */
export const faultSettings = exactly({
  vault: Type.Optional(oneOf(['down'])),
  secretEndpoint: Type.Optional(
    exactly({ mode: oneOf(['slow', 'error', 'wrong-shape']), delayMs: Type.Optional(milliseconds) }),
  ),
  deliveries: Type.Optional(
    exactly({
      // Each attempt is made twice.
      duplicate: on,
      // The delivery is never sent.
      lost: on,
      // Shape B is sent before shape A.
      reorder: on,
      // Each attempt waits for this long.
      delayMs: Type.Optional(milliseconds),
      // The amount is changed after signing.
      tamper: on,
      // `t` is an hour old, and signed.
      stale: on,
    }),
  ),
  providers: Type.Optional(
    exactly(
      Object.fromEntries(PROVIDER_IDS.map((id) => [id, provider])) as Record<ProviderId, typeof provider>,
    ),
  ),
  // How likely each of them is, drawn each time.
  chance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
})

export type FaultSettings = Static<typeof faultSettings>

export interface AttemptFaults {
  readonly duplicate: boolean
  readonly delayMs: number
  readonly forgeries: readonly Forgery[]
}

/** The faults that are set. */
interface StoredFaults {
  readonly id: 'faults'
  readonly settings: FaultSettings
}

const FAULTS = declareKind<StoredFaults>({ name: 'faults' })

/** What the rules of the service are applied to. */
export interface Model {
  readonly store: Store
  readonly random: Random
  readonly faults: Faults
  readonly clock: Clock
  readonly now: () => number
}

/** Decides what goes wrong, by the settings and the seed. */
export class Faults {
  readonly #store: Store
  readonly #random: Random

  constructor(store: Store, random: Random) {
    this.#store = store
    this.#random = random
  }

  get settings(): FaultSettings {
    return this.#store.get(FAULTS, 'faults')?.settings ?? {}
  }

  set settings(settings: FaultSettings) {
    this.#store.put(FAULTS, { id: 'faults', settings })
  }

  #happens(about: string, number?: number): boolean {
    return this.#random.happens(this.settings.chance ?? 1, about, number)
  }

  vaultIsDown(): boolean {
    return this.settings.vault === 'down' && this.#happens('vault')
  }

  /** The fault of a provider at one charge. */
  provider(id: ProviderId): ProviderFault | undefined {
    const fault = this.settings.providers?.[id]
    return fault !== undefined && this.#happens(`provider ${id}`) ? fault : undefined
  }

  /** The fault of the signature-key endpoint for one request. */
  secretEndpoint(): FaultSettings['secretEndpoint'] {
    const { secretEndpoint } = this.settings
    return secretEndpoint !== undefined && this.#happens('secretEndpoint') ? secretEndpoint : undefined
  }

  reorders(deliveryId: string): boolean {
    return this.settings.deliveries?.reorder === true && this.#happens(`reorder ${deliveryId}`, 0)
  }

  loses(deliveryId: string): boolean {
    return this.settings.deliveries?.lost === true && this.#happens(`lost ${deliveryId}`, 0)
  }

  /** The faults of one attempt of a delivery. `number`: how many were made before. */
  forAttempt(id: string, number: number): AttemptFaults {
    const { duplicate = false, delayMs = 0, tamper = false, stale = false } = this.settings.deliveries ?? {}
    const happens = (isSet: boolean, name: string) => isSet && this.#happens(`${name} ${id}`, number)
    return {
      duplicate: happens(duplicate, 'duplicate'),
      delayMs: happens(delayMs > 0, 'delay') ? delayMs : 0,
      forgeries: [
        ...(happens(tamper, 'tamper') ? (['tamper'] as const) : []),
        ...(happens(stale, 'stale') ? (['stale'] as const) : []),
      ],
    }
  }
}
