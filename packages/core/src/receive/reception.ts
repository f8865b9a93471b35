import { WebhookError, type WebhookErrorCode } from '../errors.js'
import type { VerifiedWebhook, WebhookEvent } from '../events/event.js'
import type { DeliveryClaim } from '../replay/guard.js'
import type { BodyLimits } from '../shared/body-limits.js'
import type { SignatureHeader, SignatureHeaderValue } from '../signature/header.js'
import type { Hmac } from '../signature/hmac/hmac.js'
import { checkTimeWindow } from '../verify/time-window.js'
import { withEvent } from '../verify/verifier.js'
import { HookCaller, type HookContext } from './hooks.js'
import {
  checkReceiverOptions,
  type ReceiverOptions,
  type ReceiverSettings,
  type WebhookDispatcher,
} from './receiver-options.js'
import { type Platform, RequestReport, stackOf } from './report.js'

/** The parts of a request that are known before its body, and what its host can do with it. */
export interface RequestHead<Request, ReadBody = undefined> {
  /** The host's own object, for the hooks and for a `secret` that depends on the request. */
  readonly request: Request
  /** The value of `Service-Signature`. */
  readonly header: SignatureHeaderValue
  /** The value of `Content-Encoding`. */
  readonly encoding: string | null | undefined
  /** Reads the body, where core can. It is found on the object that `checkHeader` returns. */
  readonly readBody?: ReadBody
  /** Ends a request that is refused before its body was read, in a host whose answer would wait for that. */
  endRequest?(isHeaderValid: boolean): Promise<void>
  // These are called only if there is a store or a subscriber to reports.

  /** Returns a signal that is aborted when the sender hangs up, in a host that has one. */
  signal?(): AbortSignal | undefined
  /** Returns in how many seconds the host will stop the handler, in a host that does. */
  secondsLeft?(): number | undefined
  /**
   * Has `ended` called with the status when the host has answered, in a host where that can be seen; in others, the adapter
   * calls `finish`. Returns whether the answer can still be seen.
   */
  watchAnswer?(ended: (status: number) => void): boolean
}

/** The core of an adapter for any host. Made once; `open` makes an object for each request. */
export class Receiver<Request> {
  readonly #settings: ReceiverSettings<Request>
  readonly #hooks: HookCaller<Request>

  /** @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds */
  constructor(options: ReceiverOptions<Request>, hmac: Hmac, platform: Platform) {
    this.#settings = checkReceiverOptions(options, hmac)
    this.#hooks = new HookCaller(this.#settings.hooks, platform)
  }

  /** How much of a body to read, and for how long. */
  get limits(): BodyLimits {
    return this.#settings.limits
  }

  open<ReadBody = undefined>(head: RequestHead<Request, ReadBody>): Reception<Request, ReadBody> {
    const settings = this.#settings
    const hooks = this.#hooks
    const report = new RequestReport(hooks, settings.name)
    return new Reception({ settings, hooks, head, report, context: { request: head.request } })
  }
}

/** What the steps of one request share. */
interface Course<Request, ReadBody> {
  readonly settings: ReceiverSettings<Request>
  readonly hooks: HookCaller<Request>
  readonly head: RequestHead<Request, ReadBody>
  readonly report: RequestReport
  readonly context: HookContext<Request>
  isHeaderValid?: true
  /** The delivery was passed to its handler, which refuses nothing: an error from then on is a failure. */
  isHandling?: true
  /** The handler failed with a `WebhookError` of this code. */
  failureCode?: WebhookErrorCode
}

/** The status of an answer that the adapter gives: 200 to a duplicate, 204 after the dispatcher. */
export type AnswerStatus = 200 | 204

/** What became of a request before its handler: answer with this status, refuse it with this error, or run the handler. */
export type Taken<Request> =
  | { readonly status: AnswerStatus }
  | { readonly refused: unknown }
  | { readonly delivery: VerifiedReception<Request> }

/**
 * One request: `take` does all steps before the handler. For a host that needs them apart, each step returns an object that has
 * the next one, and an error of any step goes to `refuse`.
 */
export class Reception<Request, ReadBody = undefined> {
  readonly #course: Course<Request, ReadBody>

  constructor(course: Course<Request, ReadBody>) {
    this.#course = course
  }

  /**
   * Steps 1 to 3: checks the header, reads and verifies the body, and claims the delivery.
   *
   * @param readBody gets the reader of the head, in a host where core can read the body
   * @param verified called with the webhook before anything else sees it: keeps it where the host's handlers look for it
   */
  async take(
    readBody: (read: ReadBody) => Uint8Array | Promise<Uint8Array>,
    verified?: (webhook: VerifiedWebhook) => void,
  ): Promise<Taken<Request>> {
    try {
      const checked = this.checkHeader()
      const delivery = await checked.verify(await readBody(checked.readBody))
      verified?.(delivery.webhook)
      const status = await delivery.start()
      return status === undefined ? { delivery } : { status }
    } catch (error) {
      return { refused: await this.refuse(error) }
    }
  }

  /**
   * Step 1: the checks that need no body.
   *
   * @throws {WebhookError} to be passed to `refuse`, as the errors of all steps
   */
  checkHeader(): CheckedReception<Request, ReadBody> {
    const { settings, head, report } = this.#course
    const header = settings.verifier.checkHeader(head.header, report)
    checkEncoding(head.encoding)
    this.#course.isHeaderValid = true
    return new CheckedReception(this.#course, header)
  }

  /**
   * Reports the error of a step, each request's once, and ends the request, so that the answer can go out. Also takes the error
   * of a handler.
   *
   * @returns the error to pass to the host; that of a handler has a status only if a retry can be accepted
   */
  async refuse(error: unknown): Promise<unknown> {
    const { head, isHeaderValid = false, isHandling } = this.#course
    const forHost = isHandling ? failureFor(this.#course, error) : this.#reported(error)
    await head.endRequest?.(isHeaderValid)
    return forHost
  }

  #reported(error: unknown): unknown {
    const { settings, head, context, hooks, report } = this.#course
    if (report.isPublished) return error
    // Anything else is an error of the programmer, and not the sender's fault.
    if (!WebhookError.is(error)) {
      report.publish('failed', 500)
      return error
    }
    const { body } = report
    if (settings.hooks.onRejected === undefined) warnOfRefusal(hooks, error)
    hooks.call('onRejected', error, { ...context, header: head.header, ...(body && { body }) })
    report.publish('refused', error.status, error.code)
    // Every 401 looks the same to the caller, and every 403, so that nothing is learned from it.
    return error.status === 401 || error.status === 403
      ? new WebhookError('ERR_DELIVERY_REFUSED', { cause: error })
      : error
  }
}

/** A request whose header was accepted. */
export class CheckedReception<Request, ReadBody = undefined> {
  readonly readBody: ReadBody
  readonly #course: Course<Request, ReadBody>
  readonly #header: SignatureHeader

  constructor(course: Course<Request, ReadBody>, header: SignatureHeader) {
    this.readBody = course.head.readBody as ReadBody
    this.#course = course
    this.#header = header
  }

  /** Step 2: the signature of a body that must not change meanwhile. The time is checked again, as the body may have taken long. */
  async verify(body: Uint8Array): Promise<VerifiedReception<Request>> {
    const { head, report, settings } = this.#course
    const { verifier } = settings
    const { now, window, expectation } = verifier.settings
    report.body = body
    checkTimeWindow(this.#header.timestamp, now(), window)
    const webhook = withEvent(await verifier.proveBytes(body, this.#header, head))
    report.webhook = webhook
    await expectation?.check(webhook.event, head)
    return new VerifiedReception(this.#course, webhook)
  }
}

/** A request whose delivery is valid. */
export class VerifiedReception<Request> {
  readonly webhook: VerifiedWebhook
  readonly #course: Course<Request, unknown>
  /** Missing without a store. */
  #claim: DeliveryClaim | undefined
  /** Whether anything depends on how the next handler answers. */
  #isAwaited = false
  /** The dispatcher failed, and the host answers. */
  #hasFailed = false

  constructor(course: Course<Request, unknown>, webhook: VerifiedWebhook) {
    this.#course = course
    this.webhook = webhook
  }

  /**
   * Step 3: the delivery is handled once. With a dispatcher, it is handled here.
   *
   * @returns the status to answer with; undefined if the next handler answers, whose status then goes to `finish`
   * @throws {unknown} also the error of a handler of the dispatcher
   */
  async start(): Promise<AnswerStatus | undefined> {
    const { settings, hooks, context, report } = this.#course
    const { replay, dispatcher } = settings
    const claim = replay && (await replay.claim(this.webhook))
    if (claim === 'duplicate') {
      hooks.call('onDuplicate', this.webhook, context)
      report.publish('duplicate', 200)
      return 200
    }
    this.#claim = claim
    this.#course.isHandling = true
    report.warnOfStore(claim?.storeError)
    hooks.call('onVerified', this.webhook, context)
    const hasSubscribers = hooks.deliveries !== undefined
    if (hasSubscribers) this.#watchSender()
    if (dispatcher !== undefined) return this.#dispatch(dispatcher)
    if (claim !== undefined || hasSubscribers) this.#awaitAnswer()
    return undefined
  }

  /** Calls the next handler, whose spans are children of one for the delivery if anyone listens to the tracing channel. */
  run<Result>(handler: () => Result): Result {
    return this.#course.hooks.run(handler, this.#course.report)
  }

  /**
   * Step 4: the next handler answered with this status, or failed without one. 2xx records the delivery as handled;
   * after anything else a retry is handled. That the sender hung up must not be reported here: the handler still runs. The
   * first call counts. Resolves when the replay store has answered.
   */
  async finish(status = 500): Promise<void> {
    if (!this.#isAwaited) return
    this.#isAwaited = false
    const { report, failureCode } = this.#course
    // A redirect or a 304 is not an answer of the handler, and the sender does not take it for an acknowledgement.
    const isHandled = !this.#hasFailed && status >= 200 && status < 300
    await this.#claim?.end(isHandled)
    report.warnOfStore(this.#claim?.storeError)
    if (isHandled) report.publish('handled', status)
    else report.publish('failed', status, failureCode)
  }

  /** From now on, the next `finish` counts. Returns whether the host calls it. */
  #awaitAnswer(): boolean {
    this.#isAwaited = true
    return this.#course.head.watchAnswer?.((status) => void this.finish(status)) ?? false
  }

  /** If the sender hangs up, the handler may still end within the lease; otherwise the delivery is reported as abandoned. */
  #watchSender(): void {
    const { settings, head, report } = this.#course
    const seconds = head.secondsLeft?.()
    if (seconds !== undefined) report.abandonAfter(seconds)
    const gone = head.signal?.()
    const onAbort = () => report.abandonAfter(settings.replay?.leaseSeconds ?? DEFAULT_LEASE_SECONDS)
    if (gone?.aborted === true) onAbort()
    else gone?.addEventListener('abort', onAbort, { once: true })
  }

  async #dispatch(dispatcher: WebhookDispatcher): Promise<AnswerStatus> {
    const { hooks, settings, context, report } = this.#course
    const { webhook } = this
    const claim = this.#claim
    const dispatch = () => this.run(() => dispatcher.dispatch(webhook))
    let outcome: unknown
    try {
      outcome = await (claim === undefined ? dispatch() : claim.run(dispatch))
    } catch (error) {
      report.warnOfStore(claim?.storeError)
      hooks.call('onFailed', error, webhook, context)
      this.#awaitAnswerTo(error)
      throw error
    }
    report.warnOfStore(claim?.storeError)
    if (outcome === 'unhandled') {
      if (settings.hooks.onUnhandled === undefined) warnOfUnhandled(hooks, webhook.event)
      hooks.call('onUnhandled', webhook, context)
    }
    report.publish(outcome === 'unhandled' ? 'unhandled' : 'handled', 204)
    return 204
  }

  /** The host answers for the dispatcher that failed, and the report has the status of that answer if it can be seen. */
  #awaitAnswerTo(error: unknown): void {
    const forHost = failureFor(this.#course, error)
    this.#hasFailed = true
    this.#claim = undefined
    if (this.#course.hooks.deliveries === undefined || this.#awaitAnswer()) return
    void this.finish(WebhookError.is(forHost) ? forHost.status : 500)
  }
}

const DEFAULT_LEASE_SECONDS = 60

/**
 * The error of a handler for the host. A handler may ask for a retry, as an inbox does. With any other status of a refusal, the
 * sender might give up a delivery that was accepted, and the operator would look for a forgery.
 */
function failureFor(course: { failureCode?: WebhookErrorCode }, error: unknown): unknown {
  if (!WebhookError.is(error)) return error
  const { status, code } = error
  course.failureCode = code
  if (status === 409 || status >= 500) return error
  return new Error(`A handler failed with ${code}: see "cause"`, { cause: error })
}

/** Otherwise the reason could be lost: Nest prints nothing of a 401, and Express 4 no cause. */
function warnOfRefusal(hooks: Pick<HookCaller<never>, 'warn'>, { code, message, cause }: WebhookError): void {
  const reason = cause === undefined ? '' : `The cause: ${stackOf(cause)}\n`
  hooks.warn(
    `The delivery was refused: ${code}: ${message}`,
    `${reason}To get the error of each refusal, set the option "onRejected".`,
    code,
  )
}

/** Otherwise an event that the operator has forgotten, or misspelled, would be lost without a word. */
function warnOfUnhandled(hooks: Pick<HookCaller<never>, 'warn'>, event: WebhookEvent): void {
  const type = event.shape === 'unrecognized' ? event.receivedType : event.type
  const isInvalid = event.shape === 'unrecognized' && event.reason === 'invalid-payload'
  // Not the type of an invalid payload: v1 and v2 let any number of variants of it pass.
  const kind = isInvalid ? 'an event with an invalid payload' : `an event of type ${JSON.stringify(type)}`
  hooks.warn(
    `The dispatcher has no handler for ${kind}; it was acknowledged`,
    'Add a handler with .on(pattern, handler). If such events may pass, set the option "onUnhandled".',
  )
}

/** The service signs bodies as it sends them. A body that was encoded on the way is not the one that was signed. */
function checkEncoding(encoding: string | null | undefined): void {
  if (!/^\s*(?:identity)?\s*$/i.test(encoding ?? '')) throw new WebhookError('ERR_BODY_ENCODED')
}
