import type { WebhookError, WebhookErrorCode } from '../errors.js'
import type { VerifiedWebhook } from '../events/event.js'
import { MAX_TIMER_SECONDS } from '../shared/check-options.js'
import type { Version } from '../signature/names.js'

/** One request, for metrics and logs. Nothing in it is sensitive. */
export interface DeliveryReport {
  /**
   * - `refused`: not accepted, see `code`
   * - `duplicate`: acknowledged, because it was handled before
   * - `handled`: a handler of the dispatcher ran, or the next handler answered 2xx
   * - `unhandled`: acknowledged, but the dispatcher has no handler for it
   * - `failed`: a handler of the dispatcher failed, or the next handler did not answer 2xx
   * - `abandoned`: the connection was closed, and the next handler did not end its answer within the lease
   */
  readonly outcome: 'refused' | 'duplicate' | 'handled' | 'unhandled' | 'failed' | 'abandoned'
  /** The option `name`. */
  readonly endpoint?: string
  /** The status of the answer, if there was an answer. */
  readonly status?: number
  /** The code of the `WebhookError` with which it was refused, or failed. */
  readonly code?: WebhookErrorCode
  /** The type that the payload has, recognized or not, if the delivery is valid. */
  readonly eventType?: string
  /** The versions that were required, all of which matched. */
  readonly versions?: readonly Version[]
  /** The `fingerprint` of the key that matched, to tell tenants apart. */
  readonly keyFingerprint?: string
  /** How long ago it was signed, if the header is valid. */
  readonly ageSeconds?: number
  /** Present if the body was read. */
  readonly bodyBytes?: number
  /** The replay store failed, and the delivery was handled anyway: perhaps not for the first time. */
  readonly isUnprotected?: true
  /** From the first look at the header to the outcome. */
  readonly durationMs: number
}

/** What is known of a delivery when its handler starts. */
type KnownReport = Omit<DeliveryReport, 'outcome' | 'status' | 'code' | 'isUnprotected'>

/** What is published on the tracing channel when a handler starts. */
export interface HandlingMessage extends KnownReport {
  /** The report of the delivery, as soon as its outcome is known, if anyone subscribes to reports. */
  readonly report: Promise<DeliveryReport>
  /** A subscriber of `start` may set it: it gets the handler, and runs it where its spans are children of one for the delivery. */
  around?: (handler: () => unknown) => unknown
}

/**
 * Where reports and warnings go. It comes from the entry of the runtime and is not looked up: the edge runtime of Next
 * throws on every use of a function of Node's `process`, and its build fails.
 */
export interface Platform {
  /** Missing if there is no diagnostics channel. */
  readonly deliveries?: {
    readonly hasSubscribers: boolean
    readonly publish: (report: DeliveryReport) => void
  }
  /** Runs a handler, so that its spans can be children of one for the delivery. Missing if there is no tracing channel. */
  readonly runTraced?: <Result>(handler: () => Result, report: RequestReport, operator: Operator) => Result
  readonly warn: (message: string, detail: string) => void
}

/** Who is warned. */
export type Operator = Pick<Platform, 'warn'>

type Reporter = Operator & { readonly deliveries: Platform['deliveries'] }

/** What is known of one request, and its one report. */
export class RequestReport {
  readonly #reporter: Reporter
  readonly #endpoint: string | undefined
  readonly #startedAt = performance.now()
  #abandoning: ReturnType<typeof setTimeout> | undefined
  #isUnprotected: true | undefined
  onPublished: ((report: DeliveryReport) => void) | undefined
  isPublished = false
  /** If the header is valid. */
  ageSeconds: number | undefined
  /** If it was read. */
  body: Uint8Array | undefined
  /** If the signature is valid. */
  webhook: VerifiedWebhook | undefined

  constructor(reporter: Reporter, endpoint: string | undefined) {
    this.#reporter = reporter
    this.#endpoint = endpoint
  }

  /** The first outcome counts. */
  publish(outcome: DeliveryReport['outcome'], status?: number, code?: WebhookErrorCode): void {
    if (this.isPublished) return
    this.isPublished = true
    clearTimeout(this.#abandoning)
    const { deliveries } = this.#reporter
    if (deliveries === undefined) return
    const own = defined({ outcome, status, code, isUnprotected: this.#isUnprotected })
    const report = { ...own, ...this.known() } as DeliveryReport
    this.onPublished?.(report)
    deliveries.publish(report)
  }

  /** Publishes it as abandoned after this time, unless the outcome is known by then. */
  abandonAfter(seconds: number): void {
    if (this.isPublished) return
    const milliseconds = Math.min(seconds, MAX_TIMER_SECONDS) * 1000
    this.#abandoning = setTimeout(() => this.publish('abandoned'), milliseconds)
    // On edge runtimes it is a number.
    ;(this.#abandoning as { unref?: () => void }).unref?.()
  }

  /** The replay store failed, and the delivery is handled anyway. */
  warnOfStore(error: WebhookError | undefined): void {
    if (error === undefined) return
    this.#isUnprotected = true
    const message = 'The replay store failed: if the delivery is sent again, it may be handled again'
    this.#reporter.warn(message, stackOf(error))
  }

  known(): KnownReport {
    const { webhook, ageSeconds, body } = this
    const event = webhook?.event
    return defined({
      endpoint: this.#endpoint,
      eventType: event?.shape === 'unrecognized' ? event.receivedType : event?.type,
      versions: webhook?.versions,
      keyFingerprint: webhook?.keyFingerprint,
      ageSeconds,
      bodyBytes: body?.byteLength,
      durationMs: performance.now() - this.#startedAt,
    }) as KnownReport
  }
}

/** The fields that have a value. */
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The stack of whatever was thrown. A tool may have replaced its getter, and that may throw. */
export function stackOf(cause: unknown): string {
  try {
    return cause instanceof Error ? String(cause.stack) : 'a value was thrown that is not an Error'
  } catch {
    return 'the stack of the error cannot be read'
  }
}
