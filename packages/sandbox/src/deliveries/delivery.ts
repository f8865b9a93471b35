import type { Forgery } from '../faults/faults.js'
import type { Scope } from '../model/entities.js'
import { BodyText } from './body-text.js'
import type { Answer } from './send.js'
import { sharedHeaders } from './shared-headers.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** How long to wait after an attempt that failed. After the last of them the delivery is dead. */
export const RETRY_DELAYS_MS = [SECOND, 5 * SECOND, 25 * SECOND, 2 * MINUTE, 10 * MINUTE] as const

/** How long an endpoint may take to answer. */
export const TIMEOUT_MS = 10 * SECOND

/** Under what deliveries are kept in a folder. */
export const DELIVERY_KIND = 'delivery'

/** What is known of a delivery when it is made, or when it is read from a folder. */
export interface DeliveryRecord {
  readonly id: string
  readonly type: string
  /** Missing on an event that was composed without an intent. */
  readonly intentId?: string | undefined
  readonly source: 'payment' | 'composed'
  /** What makes each of its attempts a forgery, if it was composed so. */
  readonly forgeries: readonly Forgery[]
  /** Whether it is sent again after an attempt that failed. */
  readonly isRetried: boolean
  /** Text such as "10.50 EUR", if the event is about an amount. */
  readonly amount?: string | undefined
  readonly url: string
  /** The account and mode whose API key signs v1; the intent itself may have been forgotten by then. */
  readonly scope: Scope
  readonly keyId?: string | undefined
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
  readonly created: number
  readonly status: 'pending' | 'delivered' | 'dead'
  /** How many retries of the schedule were planned. */
  readonly retries: number
  /** The time of the next attempt, if one is planned. */
  readonly nextAttemptAt?: number | undefined
  readonly attempts: readonly AttemptRecord[]
}

/** An event that is sent to an endpoint, with all attempts. */
export class Delivery implements DeliveryRecord {
  readonly id: string
  readonly type: string
  readonly intentId: string | undefined
  readonly source: DeliveryRecord['source']
  readonly forgeries: readonly Forgery[]
  readonly isRetried: boolean
  readonly amount: string | undefined
  readonly url: string
  readonly scope: Scope
  readonly keyId: string | undefined
  readonly text: BodyText
  readonly created: number
  status: DeliveryRecord['status']
  retries: number
  nextAttemptAt: number | undefined
  attempts: readonly Attempt[]

  constructor(record: DeliveryRecord) {
    this.id = record.id
    this.type = record.type
    this.intentId = record.intentId
    this.source = record.source
    this.forgeries = record.forgeries.length === 0 ? NO_FORGERIES : record.forgeries
    this.isRetried = record.isRetried
    this.amount = record.amount
    this.url = record.url
    this.scope = record.scope
    this.keyId = record.keyId
    this.text = new BodyText(record.body)
    this.created = record.created
    this.status = record.status
    this.retries = record.retries
    this.nextAttemptAt = record.nextAttemptAt
    this.attempts = record.attempts.map((made) => new Attempt(this.text, made))
  }

  get body(): string {
    return this.text.toString()
  }

  toJSON(): DeliveryRecord {
    const { text, ...record } = this
    return { ...record, body: text.toString() }
  }
}

/** What is kept of a request and its outcome. What many attempts have in common is shared, or made when it is asked for. */
export interface AttemptRecord {
  readonly at: number
  /** The value of `Service-Signature`, if it was sent. */
  readonly signature?: string | undefined
  /** What was sent in place of the body of the delivery. */
  readonly changedBody?: string | undefined
  /** What was done to it on purpose. */
  readonly faults: readonly Forgery[]
  readonly answer?: Answer
  /** Why there is no answer. */
  readonly error?: string
  readonly durationMs: number
}

/** One request, as it was sent, and its outcome. */
export class Attempt implements AttemptRecord {
  readonly #text: BodyText
  readonly at: number
  readonly signature: string | undefined
  readonly changedBody: string | undefined
  readonly faults: readonly Forgery[]
  readonly answer?: Answer
  readonly error?: string
  readonly durationMs: number

  /** `text` is that of the delivery. */
  constructor(
    text: BodyText,
    { at, signature, changedBody, faults, answer, error, durationMs }: AttemptRecord,
  ) {
    this.#text = text
    this.at = at
    this.signature = signature
    this.changedBody = changedBody
    this.faults = faults.length === 0 ? NO_FORGERIES : faults
    if (answer !== undefined) this.answer = { ...answer, headers: sharedHeaders(answer.headers) }
    if (error !== undefined) this.error = error
    this.durationMs = durationMs
  }

  get body(): string {
    return this.changedBody ?? this.#text.toString()
  }

  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.body, this.signature)
  }
}

const NO_FORGERIES: readonly Forgery[] = []

/** The headers of a request with this body. */
export function headersOf(body: string, signature: string | undefined): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'service-signature-sandbox',
    // The service documents the name as case-sensitive.
    ...(signature !== undefined && { 'Service-Signature': signature }),
  }
}
