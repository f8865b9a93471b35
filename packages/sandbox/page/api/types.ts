// What the control API answers. These follow its documentation; where the service has a schema, its type is taken instead.

/** The judgement about what an endpoint did with one attempt. */
export type Verdict = 'accepted' | 'refused' | 'no-answer' | 'accepted-forgery' | 'refused-forgery'

export type DeliveryStatus = 'pending' | 'delivered' | 'dead'

export type Fault = 'tamper' | 'stale' | 'wrong-secret' | 'no-signature'

export interface LastAttempt {
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly verdict: Verdict
}

export interface DeliverySummary {
  readonly id: string
  readonly type: string
  readonly intent: string | null
  readonly url: string
  readonly status: DeliveryStatus
  readonly attempt_count: number
  readonly next_attempt_at: string | null
  readonly is_live: boolean
  readonly created: string
  readonly account: string
  readonly source: 'payment' | 'composed'
  /** Such as "10.50 EUR". */
  readonly amount: string | null
  readonly last: LastAttempt | null
}

export interface Attempt {
  readonly number: number
  readonly at: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly faults: readonly Fault[]
  readonly answer: Answer | null
  readonly error: string | null
  readonly duration_ms: number
  readonly verdict: Verdict
  readonly verdict_text: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

export interface PlannedAttempt {
  readonly number: number
  readonly at: string
  readonly state: 'made' | 'planned'
}

export interface Delivery extends DeliverySummary {
  readonly body: string
  readonly schedule: readonly PlannedAttempt[]
  readonly attempts: readonly Attempt[]
}

/** Why an attempt verifies or does not. */
export interface Explanation {
  readonly attempt: number
  readonly on_purpose: readonly string[]
  readonly change: { readonly at: number; readonly signed: string; readonly sent: string } | null
  readonly report: { readonly ok: boolean; readonly finding: string }
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

/** Whether the library would recognize a payload. */
export interface PayloadCheck {
  readonly is_json: boolean
  readonly problem: string | null
  readonly shape: string | null
  readonly type: string | null
  readonly reason: string | null
  readonly issues: readonly unknown[]
}
