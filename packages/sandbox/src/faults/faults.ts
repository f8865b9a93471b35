import type { Random } from '../random.js'

/** What is to go wrong, on demand. Nothing, where it is empty. */
export interface FaultSettings {
  readonly vault?: 'down'
  readonly secretEndpoint?: {
    readonly mode: 'slow' | 'error' | 'wrong-shape'
    readonly delayMs?: number
  }
  readonly deliveries?: {
    /** Each attempt is made twice. */
    readonly duplicate?: boolean
    /** Shape B is sent before shape A. */
    readonly reorder?: boolean
    /** Each attempt is held back so long. */
    readonly delayMs?: number
    /** The amount is changed after signing. */
    readonly tamper?: boolean
    /** `t` is an hour old, and signed. */
    readonly stale?: boolean
  }
  /** How likely each of them is, each time anew. Default: 1. */
  readonly chance?: number
}

export interface Faults {
  readonly get: () => FaultSettings
  readonly set: (settings: FaultSettings) => void
  readonly vaultIsDown: () => boolean
  /** What the signature-key endpoint does instead of its duty. */
  readonly secretEndpoint: () => FaultSettings['secretEndpoint']
  readonly reorders: (deliveryId: string) => boolean
  /** What happens to one attempt of a delivery. */
  readonly forAttempt: (deliveryId: string) => AttemptFaults
}

export interface AttemptFaults {
  readonly duplicate: boolean
  readonly delayMs: number
  readonly tamper: boolean
  readonly stale: boolean
}

export const NO_FAULTS: AttemptFaults = { duplicate: false, delayMs: 0, tamper: false, stale: false }

export function createFaults(random: Random): Faults {
  let settings: FaultSettings = {}
  const happens = (about: string) => random.happens(settings.chance ?? 1, about)

  return {
    get: () => settings,
    set(next) {
      settings = next
    },
    vaultIsDown: () => settings.vault === 'down' && happens('vault'),
    secretEndpoint() {
      const { secretEndpoint } = settings
      return secretEndpoint !== undefined && happens('secretEndpoint') ? secretEndpoint : undefined
    },
    reorders: (id) => settings.deliveries?.reorder === true && happens(`reorder ${id}`),
    forAttempt(id) {
      const { duplicate = false, delayMs = 0, tamper = false, stale = false } = settings.deliveries ?? {}
      return {
        duplicate: duplicate && happens(`duplicate ${id}`),
        delayMs: delayMs > 0 && happens(`delay ${id}`) ? delayMs : 0,
        tamper: tamper && happens(`tamper ${id}`),
        stale: stale && happens(`stale ${id}`),
      }
    },
  }
}
