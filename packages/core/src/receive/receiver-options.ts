import type { VerifiedWebhook } from '../events/event.js'
import { replayGuardFor } from '../replay/guard.js'
import { REPLAY_OPTIONS, type ReplayOptions } from '../replay/replay-options.js'
import {
  functionOption,
  MAX_TIMER_SECONDS,
  numberOption,
  ownOptions,
  typeName,
} from '../shared/check-options.js'
import type { Hmac } from '../signature/hmac/hmac.js'
import { VERIFIER_OPTIONS, type VerifierOptions } from '../verify/verifier-options.js'
import type { HookContext, Hooks } from './hooks.js'
import { ReceivingVerifier, type Verifier } from './receiving-verifier.js'

/** The options of every adapter. `Request` is the host's own. */
export interface ReceiverOptions<Request>
  extends VerifierOptions<HookContext<Request>>, ReplayOptions, Hooks<Request> {
  /** A verifier made before, to be shared; instead of the options of a verifier. */
  readonly verifier?: Verifier
  /** The name of this endpoint in reports, to tell several apart in metrics. Default: none. */
  readonly name?: string
  /** The most bytes that a body may have. Default: 1 MiB; 64 KiB if `versions` lists v1 or v2, which take more work per byte. */
  readonly bodyLimit?: number
  /** How long a body may take to arrive, all of it. Default: 30. */
  readonly bodyTimeoutSeconds?: number
  /** Makes the adapter the whole endpoint: the event is dispatched, and answered with 204. */
  readonly dispatcher?: WebhookDispatcher
}

/** The part of a dispatcher that an adapter needs. */
export interface WebhookDispatcher {
  /** Resolves to `unhandled` if there is no handler for the event, and to anything else if it was handled. */
  dispatch(webhook: VerifiedWebhook): Promise<unknown>
}

/** The options, checked and complete. */
export type ReceiverSettings<Request> = ReturnType<typeof checkReceiverOptions<Request>>

const HOOKS = ['onVerified', 'onRejected', 'onDuplicate', 'onUnhandled', 'onFailed'] as const
const ADAPTER_OPTIONS = ['verifier', 'name', 'bodyLimit', 'bodyTimeoutSeconds', 'dispatcher']
// Not by a spread, which bundlers keep in every bundle.
const RECEIVER_OPTIONS = (VERIFIER_OPTIONS as readonly string[]).concat(
  REPLAY_OPTIONS,
  ADAPTER_OPTIONS,
  HOOKS,
)

export function checkReceiverOptions<Request>(options: ReceiverOptions<Request>, hmac: Hmac) {
  const own = ownOptions(options, RECEIVER_OPTIONS, 'serviceSignature')
  const bodyTimeoutSeconds = numberOption(own, 'bodyTimeoutSeconds', 30, { above: 0, max: MAX_TIMER_SECONDS })
  const shared = checkVerifier(own)
  // The other options mean nothing to it.
  const verifier = shared ?? new ReceivingVerifier(own as VerifierOptions, hmac, bodyTimeoutSeconds)
  const usualLimit = (verifier.versions.every((version) => version === 'v3') ? 1024 : 64) * 1024
  const bodyLimit = numberOption(own, 'bodyLimit', usualLimit, { above: 0, isWhole: true })
  const { dispatcher, name } = own
  if (name !== undefined && (typeof (name as unknown) !== 'string' || name === '')) {
    throw new TypeError(
      `"name" must be a string that is not empty, got ${name === '' ? 'an empty one' : typeName(name)}`,
    )
  }
  if (dispatcher !== undefined && typeof (Object(dispatcher) as WebhookDispatcher).dispatch !== 'function') {
    throw new TypeError(
      `"dispatcher" must be one that createDispatcher returned, got ${typeName(dispatcher)}`,
    )
  }
  // Not the options themselves, which hold the keys.
  const hooks: Hooks<Request> = Object.fromEntries(
    HOOKS.map((hookName) => [hookName, functionOption(own[hookName], hookName)]),
  )
  const replay = verifier.replay ?? replayGuardFor(own, verifier.settings.window, bodyTimeoutSeconds, hmac)
  return { verifier, name, replay, dispatcher, hooks, limits: { bodyLimit, bodyTimeoutSeconds } }
}

/** @throws {TypeError} on a verifier that cannot be used, or not together with the other options */
function checkVerifier(options: Partial<ReceiverOptions<never>>): ReceivingVerifier | undefined {
  const { verifier } = options
  if (verifier === undefined) return undefined
  if (!ReceivingVerifier.is(verifier)) {
    throw new TypeError(`"verifier" must be one that createVerifier returned, got ${typeName(verifier)}`)
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
