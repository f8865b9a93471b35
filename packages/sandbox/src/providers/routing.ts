import type { Provider } from './provider.js'

/** The routing actions of S9. */
export const ROUTING_ACTIONS = [
  'SMART_RECURRING_SETUP',
  'SMART_RECURRING_PROCESSING',
  'SMART_RECURRING_RECOVERY',
] as const

export type RoutingAction = (typeof ROUTING_ACTIONS)[number]

export interface RoutingQuestion {
  readonly action: RoutingAction | undefined
  /** Where the charge goes if the action has nothing to say. */
  readonly otherwise: Provider
  readonly isCovered: (provider: Provider) => boolean
  /** Where the last charge of the agreement failed, if it did. */
  readonly failedAt: () => string | undefined
}

/** The provider that a charge goes to; none where a recovery has nowhere else to go (S9). */
export function route(providers: readonly Provider[], question: RoutingQuestion): Provider | undefined {
  const { action, otherwise, isCovered, failedAt } = question
  switch (action) {
    case 'SMART_RECURRING_SETUP':
      return providers.find((provider) => provider.mapsAgreements && !isCovered(provider)) ?? otherwise
    case 'SMART_RECURRING_PROCESSING':
      return providers.find(isCovered) ?? otherwise
    case 'SMART_RECURRING_RECOVERY':
      return anyBut(failedAt(), providers.filter(isCovered))
    case undefined:
      return otherwise
  }
}

function anyBut(id: string | undefined, providers: readonly Provider[]): Provider | undefined {
  return providers.find((provider) => provider.id !== id)
}
