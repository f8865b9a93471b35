import type { Provider } from '../faults/providers.js'
import type { RoutingAction } from '../intents/records.js'

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
