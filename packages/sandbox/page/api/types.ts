// What the control API answers. Where the service has a schema, its type is taken; the others follow its documentation.
import type { ExplainReport } from '@service-signature/explain'
import type { Static } from 'typebox'
import type { recognitionSchema, templateSchema } from '../../src/control/compose.js'
import type { attemptSchema, deliverySchema, deliverySummarySchema } from '../../src/control/delivery-view.js'
import type { endpointSchema } from '../../src/control/endpoints.js'
import type { overviewSchema } from '../../src/control/overview.js'
import type { settingsSchema } from '../../src/control/settings.js'

export type DeliverySummary = Static<typeof deliverySummarySchema>
export type Delivery = Static<typeof deliverySchema>
export type Attempt = Static<typeof attemptSchema>
export type LastAttempt = NonNullable<DeliverySummary['last']>
/** The judgement about what an endpoint did with one attempt. */
export type Verdict = Attempt['verdict']
export type Fault = Attempt['faults'][number]

/** Why an attempt verifies or does not. */
export interface Explanation {
  readonly attempt: number
  readonly on_purpose: readonly string[]
  readonly change: { readonly at: number; readonly signed: string; readonly sent: string } | null
  readonly report: ExplainReport
  readonly text: string
}

export type Overview = Pick<
  Static<typeof overviewSchema>,
  'url' | 'faults' | 'default_endpoint' | 'version' | 'is_persistent' | 'data_folder' | 'counts'
>

/** An event to start from in the composer. */
export type Template = Static<typeof templateSchema>
/** Whether the library recognizes a payload. */
export type Recognition = Static<typeof recognitionSchema>
/** What can be set while the sandbox runs, other than its faults. */
export type Settings = Static<typeof settingsSchema>
export type EndpointStatistics = Static<typeof endpointSchema>
