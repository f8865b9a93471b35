// What the control API answers. Where the service has a schema, its type is taken; the others follow its documentation.
import type { ExplainReport } from '@service-signature/explain'
import type { Static } from 'typebox'
import type { attemptSchema, deliverySchema, deliverySummarySchema } from '../../src/control/delivery-view.js'

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

export interface Overview {
  readonly url: string
  readonly faults: object
  readonly default_endpoint: string | null
  readonly version: string
  readonly is_persistent: boolean
  readonly data_folder: string | null
  readonly counts: {
    readonly intents: number
    readonly customers: number
    readonly card_tokens: number
    readonly pending: number
    readonly delivered: number
    readonly dead: number
  }
}

/** An event to start from in the composer. */
export interface Template {
  readonly name: string
  readonly title: string
  readonly group: 'Events' | 'Unknown' | 'Wrong shape'
  readonly type: string | null
  readonly payload: unknown
}

/** Whether the library recognizes a payload. */
export interface Recognition {
  readonly is_json: boolean
  readonly problem: string | null
  readonly shape: string | null
  readonly type: string | null
  readonly reason: string | null
  readonly issues: readonly { readonly path: string; readonly reason: string }[]
}
