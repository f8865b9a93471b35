import type { RoutingAction } from '../store/records.js'

/** A simulated provider. It holds cards and agreements of its own. */
export interface Provider {
  readonly id: ProviderId
  /** Whether it can hold coverage of an agreement. */
  readonly mapsAgreements: boolean
}

export const PROVIDER_IDS = ['north', 'south', 'east'] as const

export type ProviderId = (typeof PROVIDER_IDS)[number]

/** Those that are connected to every account. The first one gets every charge that is not routed. */
export const PROVIDERS: readonly [Provider, ...Provider[]] = [
  { id: 'north', mapsAgreements: true },
  { id: 'south', mapsAgreements: true },
  { id: 'east', mapsAgreements: false },
]

/** The faults of a provider: unreachable, slow, declining every card, or every card as stolen. */
export const PROVIDER_FAULTS = ['down', 'slow', 'declines', 'rejects-stolen'] as const

export type ProviderFault = (typeof PROVIDER_FAULTS)[number]

/** How long a slow provider takes to answer. */
export const SLOW_PROVIDER_MS = 5000

/** The provider with this id, or the first one. */
export function providerOf(id: string | undefined): Provider {
  return PROVIDERS.find((provider) => provider.id === id) ?? PROVIDERS[0]
}

export interface RoutingQuestion {
  readonly action: RoutingAction | undefined
  /** The providers that can get the card, at least one. The first gets the charge if the action does not choose another. */
  readonly possible: readonly Provider[]
  readonly isCovered: (provider: Provider) => boolean
  /** The id of the provider where the last charge of the agreement failed, for a recovery. */
  readonly failedAt: string | undefined
}

/** The provider that a charge goes to; undefined if a recovery has no other provider left. */
export function route({ action, possible, isCovered, failedAt }: RoutingQuestion): Provider | undefined {
  switch (action) {
    case 'SMART_RECURRING_SETUP':
      return possible.find((provider) => provider.mapsAgreements && !isCovered(provider)) ?? possible[0]
    case 'SMART_RECURRING_PROCESSING':
      return possible.find(isCovered) ?? possible[0]
    case 'SMART_RECURRING_RECOVERY':
      return possible.find((provider) => isCovered(provider) && provider.id !== failedAt)
    case undefined:
      return possible[0]
  }
}
