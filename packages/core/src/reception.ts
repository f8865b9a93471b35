import { MAX_TIMER_SECONDS } from './check-options.js'
import { WebhookError, type WebhookErrorCode } from './errors.js'
import type { WebhookEvent } from './events/event.js'
import type { SignatureHeader, SignatureHeaderValue } from './header.js'
import type { Hmac } from './hmac/hmac.js'
import {
  HookCaller,
  stackOf,
  type DeliveryReport,
  type HandledReport,
  type HookContext,
  type Platform,
} from './hooks.js'
import {
  checkReceiverOptions,
  type BodyLimits,
  type ReceiverOptions,
  type ReceiverSettings,
  type WebhookDispatcher,
} from './receiver-options.js'
import type { DeliveryClaim } from './replay/once.js'
import { checkTimeWindow } from './time-window.js'
import { withEvent } from './verifier.js'
import type { VerifiedWebhook } from './webhook.js'

/** The parts of a request that are known before its body. */
export interface RequestHead<Request> {
  /** The host's own object, for the hooks and for a `secret` that depends on the request. */
  readonly request: Request
  /** The value of `Service-Signature`. */
  readonly header: SignatureHeaderValue
  /** The value of `Content-Encoding`. */
  readonly encoding: string | null | undefined
  // Called only if there is a subscriber to reports.

  /** Returns a signal that is aborted when the sender hangs up, in a host that has one. */
  readonly signal?: () => AbortSignal | undefined
  /** Returns in how many seconds the host will stop the handler, in a host that does. */
  readonly secondsLeft?: () => number | undefined
}

/** The core of an adapter for any host. Made once; `open` makes an object for each request. */
export class Receiver<Request> {
  readonly settings: ReceiverSettings<Request>
  readonly hooks: HookCaller<Request>

  /**
   * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
   * @throws {RangeError} on a number out of bounds
   */
  constructor(options: ReceiverOptions<Request>, hmac: Hmac, platform: Platform) {
    this.settings = checkReceiverOptions(options, hmac)
    this.hooks = new HookCaller(this.settings.hooks, platform)
  }

  /** How much of a body to read, and for how long. */
  get limits(): BodyLimits {
    return this.settings.limits
  }

  open(head: RequestHead<Request>): Reception<Request> {
    return new Reception(this, head)
  }
}

/** The status of an answer that the adapter gives: 200 to a duplicate, 204 after the dispatcher. */
export type AnswerStatus = 200 | 204

/**
 * One request, from its header to the end of its answer. The four steps are `checkHeader`, `verify`, `start` and `finish`;
 * an error of any of them goes to `refuse`.
 */
export class Reception<Request> {
  readonly #receiver: Receiver<Request>
  readonly #head: RequestHead<Request>
  readonly #startedAt = performance.now()
  #header: SignatureHeader | undefined
  #ageSeconds: number | undefined
  #body: Uint8Array | undefined
  /** Its signature is valid, for the report. */
  #proven: VerifiedWebhook | undefined
  /** It passed every check. */
  #webhook: VerifiedWebhook | undefined
  #claim: DeliveryClaim | undefined
  /** The dispatcher failed, and the host has not answered yet. */
  #failure: { readonly code: WebhookErrorCode | undefined } | undefined
  #abandoning: ReturnType<typeof setTimeout> | undefined
  #isUnprotected = false
  #isFinished = false
  #isReported = false

  constructor(receiver: Receiver<Request>, head: RequestHead<Request>) {
    this.#receiver = receiver
    this.#head = head
  }

  /**
   * Step 1: the checks that need no body.
   *
   * @throws {WebhookError} to be passed to `refuse`, as the errors of all steps
   */
  checkHeader(): void {
    const { verifier } = this.#receiver.settings
    const header = verifier.checkHeader(this.#head.header)
    this.#ageSeconds = verifier.settings.now() / 1000 - Number(header.timestamp)
    checkEncoding(this.#head.encoding)
    this.#header = header
  }

  /** Whether the header was accepted. */
  protected get hasValidHeader(): boolean {
    return this.#header !== undefined
  }

  /**
   * Step 2: the signature. The time is checked again, because the body may have taken long.
   *
   * @param body must not change until the promise is settled
   */
  async verify(body: Uint8Array): Promise<VerifiedWebhook> {
    this.#body = body
    const { verifier } = this.#receiver.settings
    const { now, window } = verifier.settings
    checkTimeWindow(this.#header!.timestamp, now(), window)
    const proof = verifier.proveBytes(body, this.#header!, this.#head)
    const webhook = withEvent(proof instanceof Promise ? await proof : proof)
    this.#proven = webhook
    const check = verifier.settings.expectation?.check(webhook.event, this.#head)
    if (check !== undefined) await check
    this.#webhook = webhook
    return webhook
  }

  /**
   * Step 3: the delivery is handled once. With a dispatcher, it is handled here.
   *
   * @returns the status to answer with; undefined if the next handler answers, whose status then goes to `finish`
   * @throws {unknown} also the error of a handler of the dispatcher
   */
  async start(): Promise<AnswerStatus | undefined> {
    const { settings, hooks } = this.#receiver
    const webhook = this.#webhook
    if (webhook === undefined) throw new TypeError('start: the delivery was not verified; call verify before')
    const claim = await settings.replay?.claim(webhook)
    if (claim === 'duplicate') {
      hooks.call('onDuplicate', webhook, this.#context())
      this.#report('duplicate', 200)
      return 200
    }
    this.#claim = claim
    this.#warnOfStore(claim?.storeError)
    hooks.call('onVerified', webhook, this.#context())
    if (hooks.hasSubscribers) this.watchSender()
    if (settings.dispatcher !== undefined) return this.#dispatch(webhook, settings.dispatcher)
    // Nothing else depends on how the next handler answers.
    if (claim !== undefined || hooks.hasSubscribers) this.watchAnswer()
    return undefined
  }

  /**
   * Calls the next handler. If anyone listens to the tracing channel `service-signature`, the spans of the handler can then be
   * children of one for the delivery.
   */
  run<Result>(handler: () => Result): Result {
    return this.#receiver.hooks.run(handler, () => this.#known())
  }

  /**
   * Has `finish` called when the host has answered, in a host where that can be seen. In other hosts, the adapter calls
   * `finish` itself.
   *
   * @returns whether the answer can be seen
   */
  protected watchAnswer(): boolean {
    return false
  }

  /** Has {@link senderLeft} called when the sender hangs up, or the host stops the handler, where that can be seen. */
  protected watchSender(): void {
    const { signal, secondsLeft } = this.#head
    const seconds = secondsLeft?.()
    if (seconds !== undefined) this.#abandonAfter(seconds)
    const gone = signal?.()
    if (gone?.aborted === true) this.senderLeft()
    const onAbort = () => {
      this.senderLeft()
    }
    gone?.addEventListener('abort', onAbort, { once: true })
  }

  /** The sender hung up. The handler may still end within the lease; otherwise the delivery is reported as abandoned. */
  protected senderLeft(): void {
    this.#abandonAfter(this.#receiver.settings.replay?.leaseSeconds ?? DEFAULT_LEASE_SECONDS)
  }

  /**
   * Step 4: the next handler answered with this status, or failed without one. 2xx records the delivery as handled;
   * after anything else a retry is handled. That the sender hung up must not be reported here: the handler still runs. The
   * first call counts. Resolves when the replay store has answered.
   */
  async finish(status = 500): Promise<void> {
    if (this.#isFinished) return
    this.#isFinished = true
    const failure = this.#failure
    // A redirect or a 304 is not an answer of the handler, and the sender does not take it for an acknowledgement.
    const isHandled = failure === undefined && status >= 200 && status < 300
    this.#warnOfStore(await this.#claim?.end(isHandled))
    this.#report(isHandled ? 'handled' : 'failed', status, failure?.code)
  }

  /** Reports the delivery as abandoned after this time, unless its outcome is known by then. */
  #abandonAfter(seconds: number): void {
    if (this.#isReported) return
    this.#abandoning = setTimeout(
      () => {
        this.#report('abandoned')
      },
      Math.min(seconds, MAX_TIMER_SECONDS) * 1000,
    )
    // On edge runtimes it is a number.
    ;(this.#abandoning as { unref?: () => void }).unref?.()
  }

  /**
   * Reports the error of a step, each request's once.
   *
   * @returns the error to pass to the host
   */
  refuse(error: unknown): unknown {
    if (this.#isReported || this.#failure !== undefined) return error
    // Anything else is an error of the programmer, and not the sender's fault.
    if (!WebhookError.is(error)) {
      this.#report('failed', 500)
      return error
    }
    const { request, header } = this.#head
    const body = this.#body
    this.#receiver.hooks.call('onRejected', error, { request, header, ...(body && { body }) })
    this.#report('refused', error.status, error.code)
    // Every 401 looks the same to the caller, and every 403, so that nothing is learned from it.
    return error.status === 401 || error.status === 403
      ? new WebhookError('ERR_DELIVERY_REFUSED', { cause: error })
      : error
  }

  async #dispatch(webhook: VerifiedWebhook, dispatcher: WebhookDispatcher): Promise<AnswerStatus> {
    const { hooks, settings } = this.#receiver
    this.#isFinished = true
    let outcome: unknown
    try {
      outcome = await this.run(() => dispatcher.dispatch(webhook))
    } catch (error) {
      this.#warnOfStore(await this.#claim?.end(false))
      hooks.call('onFailed', error, webhook, this.#context())
      this.#failed(error)
      throw error
    }
    this.#warnOfStore(await this.#claim?.end(true))
    if (outcome === 'unhandled') {
      if (settings.hooks.onUnhandled === undefined) this.#warnOfUnhandled(webhook.event)
      hooks.call('onUnhandled', webhook, this.#context())
    }
    this.#report(outcome === 'unhandled' ? 'unhandled' : 'handled', 204)
    return 204
  }

  /** The host answers for the dispatcher that failed, and the report has the status of that answer if it can be seen. */
  #failed(error: unknown): void {
    const [status, code] = WebhookError.is(error) ? ([error.status, error.code] as const) : [500]
    this.#claim = undefined
    this.#failure = { code }
    this.#isFinished = false
    if (this.#receiver.hooks.hasSubscribers && !this.watchAnswer()) this.#report('failed', status, code)
  }

  /** Without a word, an event that the operator has forgotten, or misspelled, would be lost. */
  #warnOfUnhandled(event: WebhookEvent): void {
    const { shape, type } = event
    const isUnknown = shape === 'unrecognized' && event.reason === 'unknown-type'
    const name = isUnknown ? event.receivedType : shape === 'unrecognized' ? undefined : type
    // Not the type of an invalid payload: v1 and v2 let any number of variants of it pass.
    const kind =
      name === undefined ? 'an event with an invalid payload' : `an event of type ${JSON.stringify(name)}`
    this.#receiver.hooks.warn(
      `The dispatcher has no handler for ${kind}; it was acknowledged`,
      'Add a handler with .on(pattern, handler). If such events may pass, add .otherwise(handler) or the option "onUnhandled".',
    )
  }

  #context(): HookContext<Request> {
    return { request: this.#head.request }
  }

  /** Something of the operator's own failed, and the delivery is handled anyway. */
  #warnOfStore(error: WebhookError | undefined): void {
    if (error === undefined) return
    this.#isUnprotected = true
    this.#receiver.hooks.warn(
      'The replay store failed: if the delivery is sent again, it may be handled again',
      stackOf(error),
    )
  }

  #report(outcome: DeliveryReport['outcome'], status?: number, code?: WebhookErrorCode): void {
    if (this.#isReported) return
    this.#isReported = true
    clearTimeout(this.#abandoning)
    const { hooks } = this.#receiver
    if (!hooks.hasSubscribers) return
    hooks.publish({
      outcome,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      ...this.#known(),
      ...(this.#isUnprotected && { isUnprotected: true }),
      durationMs: performance.now() - this.#startedAt,
    })
  }

  /** The part of a report that is known before the outcome. */
  #known(): HandledReport {
    const webhook = this.#proven
    const event = webhook?.event
    const eventType = event?.shape === 'unrecognized' ? event.receivedType : event?.type
    const { name } = this.#receiver.settings
    return {
      ...(name !== undefined && { endpoint: name }),
      ...(eventType !== undefined && { eventType }),
      ...(webhook !== undefined && {
        versions: webhook.versions,
        keyFingerprint: webhook.keyFingerprint,
      }),
      ...(this.#ageSeconds !== undefined && { ageSeconds: this.#ageSeconds }),
      ...(this.#body !== undefined && { bodyBytes: this.#body.byteLength }),
    }
  }
}

const DEFAULT_LEASE_SECONDS = 60

/** The service signs bodies as it sends them. A body that was encoded on the way is not the one that was signed. */
function checkEncoding(encoding: string | null | undefined): void {
  const value = encoding?.trim().toLowerCase()
  if (value === undefined || value === '' || value === 'identity') return
  throw new WebhookError('ERR_BODY_ENCODED')
}

/** An answer, for adapters whose host does not answer for them. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// The standard words of the status (RFC 9110, 15), because the reason is for the operator only.
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/**
 * A refusal as `application/problem+json` (RFC 9457).
 *
 * @throws {TypeError} on any other error: that is a failure of the endpoint, which its host must report
 */
export function problemOf(error: WebhookError): Problem {
  if (!WebhookError.is(error)) {
    const message =
      'problemOf: expected a WebhookError. Rethrow any other error: it is not an answer to the sender'
    throw new TypeError(message, { cause: error })
  }
  const { status, headers } = error
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/problem+json' },
    body: JSON.stringify({ title: TITLES[status], status }),
  }
}
