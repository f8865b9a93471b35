import type { Model } from '../faults/model.js'
import { declareKind } from '../store/table.js'

/** What can be set while the sandbox runs, besides its faults. */
export interface StoredSettings {
  readonly id: string
  /** Where the events of intents without a `webhook_url` go. */
  readonly defaultEndpoint?: string | undefined
}

const SETTINGS = declareKind<StoredSettings>({ name: 'settings' })

/** The id of the only record. */
const THE_SETTINGS = 'settings'

/** Where the events of intents without a `webhook_url` go. */
export function defaultEndpointOf({ store }: Pick<Model, 'store'>): string | undefined {
  return store.get(SETTINGS, THE_SETTINGS)?.defaultEndpoint
}

export function setDefaultEndpoint({ store }: Pick<Model, 'store'>, url: string | undefined): void {
  store.put(SETTINGS, { id: THE_SETTINGS, defaultEndpoint: url })
}
