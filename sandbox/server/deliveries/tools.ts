import type { CanonicalForm } from '@service-signature/core'
import type { BodyStyle } from '@service-signature/core/testing'
import type { AttemptReport, Cause } from '@service-signature/deliveries'
import type { Model } from '../faults/model.js'
import type { Targets } from '../http/target.js'
import type { Verdict } from './verdict.js'

/** What the sandbox has found about an attempt. */
export interface AttemptFinding {
  /** What the attempt says about the endpoint, in a word and in a sentence. */
  readonly verdict: Verdict
  readonly verdictText: string
  /** Why the endpoint did not do what it must; undefined if it did. */
  readonly cause: Cause | undefined
  /** Whether it is a copy that the option `checks` sent. */
  readonly isCheck: boolean
}

/** The options that decide how events are sent. */
export interface DeliverySettings {
  readonly checks: 'none' | 'own' | 'all'
  readonly timeScale: number
  readonly bodyStyle: BodyStyle
  readonly canonicalForm: CanonicalForm
  readonly cardTokenEvents: boolean
  readonly keep: number
  readonly logger: (line: string) => void
  readonly onAttempt: (report: AttemptReport, finding: AttemptFinding) => void
}

/** What deliveries are sent with. */
export interface DeliveryTools extends Model {
  readonly settings: DeliverySettings
  readonly targets: Targets
  /** Where a browser reaches the sandbox. */
  readonly origin: string
}
