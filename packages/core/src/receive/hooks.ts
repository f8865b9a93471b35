import type { WebhookError } from '../errors.js'
import type { VerifiedWebhook } from '../events/event.js'
import type { SignatureHeaderValue } from '../signature/header.js'
import { type Platform, RequestReport, stackOf } from './report.js'

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

/** Calls the hooks of one adapter, and reports to its operator. */
export class HookCaller<Request> {
  readonly #hooks: Hooks<Request>
  readonly #platform: Platform
  readonly #warned = new Set<string>()

  constructor(hooks: Hooks<Request>, platform: Platform) {
    this.#hooks = hooks
    this.#platform = platform
  }

  /** The channel of reports, if anyone subscribes to it. */
  get deliveries(): Platform['deliveries'] {
    const { deliveries } = this.#platform
    return deliveries?.hasSubscribers === true ? deliveries : undefined
  }

  /** Inside of the tracing channel, if anyone listens to that. */
  run<Result>(handler: () => Result, report: RequestReport): Result {
    const { runTraced } = this.#platform
    return runTraced === undefined ? handler() : runTraced(handler, report, this)
  }

  call<Name extends keyof Hooks<Request>>(
    name: Name,
    ...args: Parameters<NonNullable<Hooks<Request>[Name]>>
  ): void {
    const hook = this.#hooks[name] as ((...args: unknown[]) => unknown) | undefined
    if (hook === undefined) return
    const called = new Promise((resolve) => resolve(hook(...args)))
    called.catch((error: unknown) => this.warn(`${name} threw; the response is not affected`, stackOf(error)))
  }

  /** Each kind of warning once: otherwise a flood of junk is a flood of warnings. */
  warn(message: string, detail: string, kind = message): void {
    if (this.#warned.has(kind)) return
    this.#warned.add(kind)
    this.#platform.warn(message, detail)
  }
}
