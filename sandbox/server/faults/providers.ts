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
