import { MAX_TIMER_SECONDS } from '../check-options.js'
import type { WebhookError, WebhookErrorCode } from '../errors.js'
import type { VerifiedWebhook } from '../events/webhook.js'
import type { SignatureHeaderValue } from '../signature/header.js'
import type { Version } from '../signature/versions.js'

/** Called with the events of a delivery. A hook that throws does not change the response. */
export interface Hooks<Request> {
  /** The delivery is new, and its signature and timestamp are valid. Called before it is handled. */
  readonly onVerified?: (webhook: VerifiedWebhook, context: HookContext<Request>) => unknown
  /**
   * The delivery was refused. Called once, with the precise error; the caller sees less. Without this hook, the first refusal of
   * each code is a warning of the process.
   */
  readonly onRejected?: (error: WebhookError, context: RejectionContext<Request>) => unknown
  /** The delivery was handled before, so it is acknowledged and not handled again. */
  readonly onDuplicate?: (webhook: VerifiedWebhook, context: HookContext<Request>) => unknown
  /** The dispatcher has no handler for the delivery. */
  readonly onUnhandled?: (webhook: VerifiedWebhook, context: HookContext<Request>) => unknown
  /** A handler of the dispatcher failed, with this error. */
  readonly onFailed?: (error: unknown, webhook: VerifiedWebhook, context: HookContext<Request>) => unknown
}

export interface HookContext<Request> {
  readonly request: Request
}

/** The data that `explain` of `@service-signature/explain` needs, besides the keys. */
export interface RejectionContext<Request> extends HookContext<Request> {
  /** The value of `Service-Signature`. */
  readonly header: SignatureHeaderValue
  /** Missing if the delivery was refused before its body was read. */
  readonly body?: Uint8Array
}

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

/** What is known of a delivery when its handler starts. Nothing in it is sensitive. */
type KnownReport = Pick<
  DeliveryReport,
  'endpoint' | 'eventType' | 'versions' | 'keyFingerprint' | 'ageSeconds' | 'bodyBytes' | 'durationMs'
>

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

/** Calls the hooks of one adapter, and reports to its operator. */
export class HookCaller<Request> {
  readonly #hooks: Hooks<Request>
  readonly #platform: Platform
  readonly #warned = new Set<string>()

  constructor(hooks: Hooks<Request>, platform: Platform) {
    this.#hooks = hooks
    this.#platform = platform
  }

  /** Whether there is anything that a report is made for. */
  get hasSubscribers(): boolean {
    return this.#platform.deliveries?.hasSubscribers === true
  }

  publish(report: DeliveryReport): void {
    this.#platform.deliveries!.publish(report)
  }

  /** Runs the handler of a delivery, inside of the tracing channel if anyone listens to that. */
  run<Result>(handler: () => Result, report: RequestReport): Result {
    const { runTraced } = this.#platform
    return runTraced === undefined ? handler() : runTraced(handler, report, this)
  }

  /** Calls a hook, if there is one. A hook that throws or rejects does not change the response. */
  call<Name extends keyof Hooks<Request>>(
    name: Name,
    ...args: Parameters<NonNullable<Hooks<Request>[Name]>>
  ): void {
    const hook = this.#hooks[name] as ((...args: unknown[]) => unknown) | undefined
    if (hook === undefined) return
    const failed = (error: unknown) => {
      this.warn(`${name} threw; the response is not affected`, stackOf(error))
    }
    try {
      Promise.resolve(hook(...args)).catch(failed)
    } catch (error) {
      failed(error)
    }
  }

  /**
   * Each warning once: otherwise a flood of junk is a flood of warnings.
   *
   * @param kind what makes two warnings the same
   */
  warn(message: string, detail: string, kind = message): void {
    if (this.#warned.has(kind)) return
    this.#warned.add(kind)
    this.#platform.warn(message, detail)
  }
}

/** What is known of one request, and its one report. */
export class RequestReport {
  readonly #hooks: HookCaller<never>
  readonly #endpoint: string | undefined
  readonly #startedAt = performance.now()
  #abandoning: ReturnType<typeof setTimeout> | undefined
  #isUnprotected = false
  /** Called once. */
  onPublished: ((report: DeliveryReport) => void) | undefined
  /** Whether the outcome is known. */
  isPublished = false
  /** If the header is valid. */
  ageSeconds: number | undefined
  /** If it was read. */
  body: Uint8Array | undefined
  /** If the signature is valid. */
  webhook: VerifiedWebhook | undefined

  constructor(hooks: HookCaller<never>, endpoint: string | undefined) {
    this.#hooks = hooks
    this.#endpoint = endpoint
  }

  /** The first outcome counts. */
  publish(outcome: DeliveryReport['outcome'], status?: number, code?: WebhookErrorCode): void {
    if (this.isPublished) return
    this.isPublished = true
    clearTimeout(this.#abandoning)
    if (!this.#hooks.hasSubscribers) return
    const report: DeliveryReport = {
      outcome,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      ...this.known(),
      ...(this.#isUnprotected && { isUnprotected: true }),
    }
    this.onPublished?.(report)
    this.#hooks.publish(report)
  }

  /** Publishes it as abandoned after this time, unless the outcome is known by then. */
  abandonAfter(seconds: number): void {
    if (this.isPublished) return
    this.#abandoning = setTimeout(
      () => {
        this.publish('abandoned')
      },
      Math.min(seconds, MAX_TIMER_SECONDS) * 1000,
    )
    // On edge runtimes it is a number.
    ;(this.#abandoning as { unref?: () => void }).unref?.()
  }

  /** The replay store failed, and the delivery is handled anyway. */
  warnOfStore(error: WebhookError | undefined): void {
    if (error === undefined) return
    this.#isUnprotected = true
    this.#hooks.warn(
      'The replay store failed: if the delivery is sent again, it may be handled again',
      stackOf(error),
    )
  }

  /** The part of the report that is known before the outcome. */
  known(): KnownReport {
    const event = this.webhook?.event
    const eventType = event?.shape === 'unrecognized' ? event.receivedType : event?.type
    return {
      ...(this.#endpoint !== undefined && { endpoint: this.#endpoint }),
      ...(eventType !== undefined && { eventType }),
      ...(this.webhook !== undefined && {
        versions: this.webhook.versions,
        keyFingerprint: this.webhook.keyFingerprint,
      }),
      ...(this.ageSeconds !== undefined && { ageSeconds: this.ageSeconds }),
      ...(this.body !== undefined && { bodyBytes: this.body.byteLength }),
      durationMs: performance.now() - this.#startedAt,
    }
  }
}

/** The stack of whatever was thrown. A tool may have replaced its getter, and that may throw. */
export function stackOf(cause: unknown): string {
  try {
    return cause instanceof Error ? String(cause.stack) : 'a value was thrown that is not an Error'
  } catch {
    return 'the stack of the error cannot be read'
  }
}
