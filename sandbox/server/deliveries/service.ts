import type { Deliveries } from './sending.js'
import type { DeliveryTools } from './attempt.js'

/** The model, and what sends its events. */
export interface Service extends DeliveryTools {
  readonly deliveries: Deliveries
  /** Back to the state of the start; with the same seed, the same one. */
  readonly reset: () => void
}
