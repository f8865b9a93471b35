import type { Storage } from '../storage/storage.js'
import { StoredMap } from '../storage/stored-map.js'
import type { Card, RoutingAction } from './entities.js'

/** A simulated provider: it holds cards and agreements of its own. */
export interface Provider {
  readonly id: ProviderId
  /** Whether it can hold coverage of an agreement. */
  readonly mapsAgreements: boolean
  /** Its vault: cards by the id of their token. */
  readonly cards: Map<string, Card>
  /** Its own reference of each agreement that it covers, by the key of the agreement. */
  readonly coverage: Map<string, string>
}

function createProvider(id: ProviderId, mapsAgreements: boolean, storage: Storage): Provider {
  return {
    id,
    mapsAgreements,
    cards: new StoredMap(storage, `card at ${id}`),
    coverage: new StoredMap(storage, `coverage at ${id}`),
  }
}

/** The connected providers, and whether each can hold coverage of agreements. */
const CONNECTED = { north: true, south: true, east: false } as const

export const PROVIDER_IDS = Object.keys(CONNECTED) as (keyof typeof CONNECTED)[]

export type ProviderId = (typeof PROVIDER_IDS)[number]

/** The faults of a provider: unreachable, slow, declining every card, or every card as stolen. */
export const PROVIDER_FAULTS = ['down', 'slow', 'declines', 'rejects-stolen'] as const

export type ProviderFault = (typeof PROVIDER_FAULTS)[number]

/** How long a slow provider takes to answer. */
export const SLOW_PROVIDER_MS = 5000

/** The first one gets every charge that is not routed. */
export function createProviders(storage: Storage): readonly [Provider, ...Provider[]] {
  return PROVIDER_IDS.map((id) => createProvider(id, CONNECTED[id], storage)) as [Provider, ...Provider[]]
}

export interface RoutingQuestion {
  readonly action: RoutingAction | undefined
  /** The provider of the charge if the action does not choose one. */
  readonly otherwise: Provider
  readonly isCovered: (provider: Provider) => boolean
  /** The id of the provider where the last charge of the agreement failed, if it did. */
  readonly failedAt: () => string | undefined
}

/** The provider that a charge goes to; undefined if a recovery has no other provider left. */
export function route(providers: readonly Provider[], question: RoutingQuestion): Provider | undefined {
  const { action, otherwise, isCovered, failedAt } = question
  switch (action) {
    case 'SMART_RECURRING_SETUP':
      return providers.find((provider) => provider.mapsAgreements && !isCovered(provider)) ?? otherwise
    case 'SMART_RECURRING_PROCESSING':
      return providers.find(isCovered) ?? otherwise
    case 'SMART_RECURRING_RECOVERY':
      return providers.filter(isCovered).find(({ id }) => id !== failedAt())
    case undefined:
      return otherwise
  }
}
