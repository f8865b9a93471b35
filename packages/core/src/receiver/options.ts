import type { Dispatcher } from '../events/dispatcher.js'
import type { WebhookError } from '../errors.js'
import type { ExplainReport } from '../explain/report.js'
import { ownOptions, numberOption } from '../options.js'
import { REPLAY_OPTIONS, type ReplayOptions } from '../replay/store.js'
import { VERIFIER_OPTIONS, type VerifierOptions } from '../settings.js'
import type { ReceivingOptions, Verifier } from '../verifier.js'
import type { VerifiedWebhook } from '../webhook.js'

/** What every adapter takes. `Request` is the host's own. */
export interface ReceiverOptions<Request> extends VerifierOptions, ReplayOptions, Hooks<Request> {
  /** A verifier made before, to be shared. In the place of the options of a verifier. */
  readonly verifier?: Verifier
  /** How many bytes a body may have. Default: 1 MiB; 64 KiB if `versions` lists v1 or v2, which take more work per byte. */
  readonly bodyLimit?: number
  /** How long a body may take to arrive, all of it. Default: 30. */
  readonly bodyTimeoutSeconds?: number
  /** Makes the adapter the whole endpoint: the event is dispatched, and answered with 204. */
  readonly dispatcher?: Pick<Dispatcher, 'dispatch'>
}

export interface Hooks<Request> {
  /** Called with each delivery that is genuine and fresh, before it is handled. */
  readonly onVerified?: (webhook: VerifiedWebhook, context: HookContext<Request>) => unknown
  /** Called once with each refusal, and with its true reason, which the caller is not told. */
  readonly onRejected?: (error: WebhookError, context: RejectionContext<Request>) => unknown
}

export interface HookContext<Request> {
  readonly request: Request
}

export interface RejectionContext<Request> extends HookContext<Request> {
  /**
   * Says why the signature does not match, and what to do. It takes up to 50 ms of CPU, for bodies up to 64 KiB. One
   * refusal is explained at a time and in a second; the others get a report that says so in `limitReached`.
   */
  readonly explain: () => Promise<ExplainReport>
}

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  readonly bodyLimit: number
  readonly bodyTimeoutSeconds: number
}

export interface ReceiverSettings<Request> {
  readonly verifier: Verifier
  readonly now: () => number
  readonly dispatcher: Pick<Dispatcher, 'dispatch'> | undefined
  readonly limits: BodyLimits
  readonly hooks: Hooks<Request>
}

const HOOKS = ['onVerified', 'onRejected'] as const satisfies readonly (keyof Hooks<unknown>)[]

const RECEIVER_OPTIONS = [
  ...VERIFIER_OPTIONS,
  ...REPLAY_OPTIONS,
  'verifier',
  'bodyLimit',
  'bodyTimeoutSeconds',
  'dispatcher',
  ...HOOKS,
] as const satisfies readonly (keyof ReceiverOptions<unknown>)[]

const KIBIBYTE = 1024
// What a timer can count.
const MAX_TIMEOUT_SECONDS = 2 ** 31 / 1000 - 1

/**
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function checkReceiverOptions<Request>(
  options: ReceiverOptions<Request>,
  createVerifier: (options: ReceivingOptions) => Verifier,
): ReceiverSettings<Request> {
  const own = ownOptions(options, RECEIVER_OPTIONS, 'serviceSignature')
  const bodyTimeoutSeconds = numberOption(own.bodyTimeoutSeconds, 'bodyTimeoutSeconds', {
    default: 30,
    isAllowed: (value) => value > 0 && value <= MAX_TIMEOUT_SECONDS,
    allowed: `a number of seconds above 0, and at most ${MAX_TIMEOUT_SECONDS}`,
  })
  const verifier = verifierOf(own, bodyTimeoutSeconds, createVerifier)
  return {
    verifier,
    now: own.now ?? Date.now,
    dispatcher: checkDispatcher(own.dispatcher),
    hooks: checkHooks(own),
    limits: { bodyLimit: checkBodyLimit(own, verifier), bodyTimeoutSeconds },
  }
}

function verifierOf(
  options: Partial<ReceiverOptions<never>>,
  bodyTimeoutSeconds: number,
  createVerifier: (options: ReceivingOptions) => Verifier,
): Verifier {
  const { verifier = createVerifier(pick(options, VERIFIER_OPTIONS)) } = options
  if (typeof (verifier as Partial<Verifier> | null)?.admit !== 'function') {
    throw new TypeError('"verifier" must be one that createVerifier made')
  }
  const second = VERIFIER_OPTIONS.find((name) => options[name] !== undefined)
  if (options.verifier !== undefined && second !== undefined) {
    throw new TypeError(`"verifier" has been given its options before: give "${second}" to createVerifier`)
  }
  const hasReplay = REPLAY_OPTIONS.some((name) => options[name] !== undefined)
  return hasReplay ? verifier.withReplay(pick(options, REPLAY_OPTIONS), bodyTimeoutSeconds) : verifier
}

function pick<Name extends string, Options extends Partial<Record<Name, unknown>>>(
  options: Options,
  names: readonly Name[],
): Pick<Options, Name> {
  return Object.fromEntries(
    names.flatMap((name) => (name in options ? [[name, options[name]]] : [])),
  ) as Pick<Options, Name>
}

function checkDispatcher(
  dispatcher: ReceiverOptions<never>['dispatcher'],
): ReceiverOptions<never>['dispatcher'] {
  if (
    dispatcher !== undefined &&
    typeof (dispatcher as Partial<Dispatcher> | null)?.dispatch !== 'function'
  ) {
    throw new TypeError('"dispatcher" must be one that createDispatcher made')
  }
  return dispatcher
}

function checkHooks<Request>(options: Partial<ReceiverOptions<Request>>): Hooks<Request> {
  for (const name of HOOKS) {
    const hook: unknown = options[name]
    if (hook !== undefined && typeof hook !== 'function') throw new TypeError(`"${name}" must be a function`)
  }
  return pick(options, HOOKS)
}

function checkBodyLimit(options: { readonly bodyLimit?: unknown }, { versions }: Verifier): number {
  const {
    bodyLimit: limit = versions.every((version) => version === 'v3') ? 1024 * KIBIBYTE : 64 * KIBIBYTE,
  } = options
  if (typeof limit !== 'number') {
    throw new TypeError(`"bodyLimit" must be a number of bytes, and is of type ${typeof limit}`)
  }
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new RangeError(`"bodyLimit" must be a whole number of bytes above 0, and is ${limit}`)
  }
  return limit
}
