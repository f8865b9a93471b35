import type { WebhookError } from './errors.js'
import type { SignatureHeaderValue } from './header.js'
import type { Hmac } from './hmac/hmac.js'
import type { SecretOption } from './keys.js'
import { numberOption, ownOptions, VERIFIER_OPTIONS, type VerifierOptions } from './options.js'
import type { ReplayGuard } from './replay/once.js'
import { REPLAY_OPTIONS, type ReplayOptions } from './replay/store.js'
import { ReceivingVerifier, type Verifier } from './receiving-verifier.js'
import type { KeyKind } from './versions.js'
import type { VerifiedWebhook } from './webhook.js'

/** The options of every adapter. `Request` is the host's own. */
export interface ReceiverOptions<Request>
  extends Omit<VerifierOptions, KeyKind>, ReplayOptions, Hooks<Request> {
  /** The webhook signing secret, the key of v2 and v3. A list accepts any of its items: `[current, previous]`. */
  readonly secret?: SecretOption<HookContext<Request>>
  /** The account API key, the key of v1. */
  readonly apiKey?: SecretOption<HookContext<Request>>
  /** A verifier made before, to be shared; instead of the options of a verifier. */
  readonly verifier?: Verifier
  /** The most bytes that a body may have. Default: 1 MiB; 64 KiB if `versions` lists v1 or v2, which take more work per byte. */
  readonly bodyLimit?: number
  /** How long a body may take to arrive, all of it. Default: 30. */
  readonly bodyTimeoutSeconds?: number
  /** Makes the adapter the whole endpoint: the event is dispatched, and answered with 204. */
  readonly dispatcher?: WebhookDispatcher
}

/** What an adapter needs of a dispatcher. */
export interface WebhookDispatcher {
  /** Resolves to `unhandled` if there is no handler for the event; anything else means that it was handled. */
  dispatch(webhook: VerifiedWebhook): Promise<unknown>
}

/** Called with what happens to a delivery. A hook that throws changes nothing. */
export interface Hooks<Request> {
  /** The delivery is new, and its signature and timestamp are valid. Called before it is handled. */
  readonly onVerified?: (webhook: VerifiedWebhook, context: HookContext<Request>) => unknown
  /** The delivery was refused. Called once, with the precise error; the caller sees less. */
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

/** What `explain` of `@service-signature/explain` needs, besides the keys. */
export interface RejectionContext<Request> extends HookContext<Request> {
  /** The value of `Service-Signature`. */
  readonly header: SignatureHeaderValue
  /** Missing if the delivery was refused before its body was read. */
  readonly body?: Uint8Array
}

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  readonly bodyLimit: number
  readonly bodyTimeoutSeconds: number
}

/** The options, checked and complete. */
export interface ReceiverSettings<Request> {
  readonly verifier: ReceivingVerifier
  readonly replay: ReplayGuard | undefined
  readonly dispatcher: WebhookDispatcher | undefined
  readonly limits: BodyLimits
  readonly hooks: Hooks<Request>
}

const HOOKS = [
  'onVerified',
  'onRejected',
  'onDuplicate',
  'onUnhandled',
  'onFailed',
] as const satisfies readonly (keyof Hooks<unknown>)[]

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
// The longest time-out of a timer.
const MAX_TIMEOUT_SECONDS = 2 ** 31 / 1000 - 1

/**
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function checkReceiverOptions<Request>(
  options: ReceiverOptions<Request>,
  hmac: Hmac,
): ReceiverSettings<Request> {
  const own = ownOptions(options, RECEIVER_OPTIONS, 'serviceSignature')
  const bodyTimeoutSeconds = numberOption(own.bodyTimeoutSeconds, 'bodyTimeoutSeconds', 30, {
    above: 0,
    max: MAX_TIMEOUT_SECONDS,
  })
  const verifier =
    checkVerifier(own) ?? new ReceivingVerifier(pick(own, VERIFIER_OPTIONS) as VerifierOptions, hmac)
  return {
    verifier,
    replay: verifier.replayGuard(pick(own, REPLAY_OPTIONS), bodyTimeoutSeconds) ?? verifier.replay,
    dispatcher: checkDispatcher(own.dispatcher),
    hooks: checkHooks(own),
    limits: { bodyLimit: checkBodyLimit(own, verifier), bodyTimeoutSeconds },
  }
}

/** @throws {TypeError} on a verifier that cannot be used, or not together with the other options */
function checkVerifier(options: Partial<ReceiverOptions<never>>): ReceivingVerifier | undefined {
  const { verifier } = options
  if (verifier === undefined) return undefined
  if (!ReceivingVerifier.is(verifier)) {
    throw new TypeError('"verifier" must be one that createVerifier returned')
  }
  const second = VERIFIER_OPTIONS.find((name) => options[name] !== undefined)
  if (second !== undefined) {
    throw new TypeError(`"verifier" already has its options; pass "${second}" to createVerifier`)
  }
  if (verifier.replay !== undefined && REPLAY_OPTIONS.some((name) => options[name] !== undefined)) {
    throw new TypeError('"verifier" already has a "replay" store; pass "replay" once')
  }
  return verifier
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
    typeof (dispatcher as Partial<WebhookDispatcher> | null)?.dispatch !== 'function'
  ) {
    throw new TypeError('"dispatcher" must be one that createDispatcher returned')
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
    throw new TypeError(`"bodyLimit" must be a number of bytes, got ${typeof limit}`)
  }
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new RangeError(`"bodyLimit" must be a whole number of bytes above 0, got ${limit}`)
  }
  return limit
}
