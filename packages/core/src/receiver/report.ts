import type { WebhookErrorCode } from '../errors.js'
import type { Version } from '../versions.js'

/** One delivery, for metrics and logs. Nothing in it is sensitive. */
export interface DeliveryReport {
  /** A `duplicate` was handled before, and is acknowledged without being handled again. */
  readonly outcome: 'accepted' | 'duplicate' | 'rejected'
  /** Why it was rejected. */
  readonly code?: WebhookErrorCode
  /** The versions that were required, all of which matched. */
  readonly versions?: readonly Version[]
  /** How long ago it was signed. Where the header was fine. */
  readonly ageSeconds?: number
  /** Where the body was read. */
  readonly bodyBytes?: number
  /** The replay store failed, and the delivery was accepted all the same: perhaps not for the first time. */
  readonly isUnprotected?: true
  /** From the first look at the header to the outcome. */
  readonly durationMs: number
}

/** What the runtime offers to tell the operator something. */
export interface Outlet {
  /** Makes the report only if somebody listens. */
  readonly publish: (report: () => DeliveryReport) => void
  /** Something of the operator's own is wrong, and the delivery does not suffer for it. */
  readonly warn: (message: string, cause: unknown) => void
}
