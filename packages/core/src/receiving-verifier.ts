import { copyOf, toBytes, type WebhookBody } from './bytes.js'
import type { SignatureHeaderValue } from './header.js'
import type { Hmac } from './hmac/hmac.js'
import type { SecretContext } from './keys.js'
import { ownOptions, VERIFIER_OPTIONS, type VerifierOptions } from './options.js'
import { ReplayGuard } from './replay/once.js'
import { checkReplayOptions, REPLAY_OPTIONS, type ReplayOptions } from './replay/store.js'
import { DeliveryVerifier, withEvent } from './verifier.js'
import type { ReceivedDelivery, VerifiedWebhook } from './webhook.js'

/** Made once, used for every delivery. Its methods can be passed on as functions. */
export type Verifier = Pick<ReceivingVerifier, 'versions' | 'verify' | 'verifySignature' | 'receive'>

/** A verifier that can also answer at once. */
export type SyncVerifier = Verifier & Pick<ReceivingVerifier, 'verifySync' | 'verifySignatureSync'>

/** The options of a verifier that handles each delivery once. */
export type ReceivingOptions = VerifierOptions & ReplayOptions

// The same in both copies of the package that a process may load (ESM and CommonJS).
const BRAND = Symbol.for('@service-signature/Verifier')

/** Verifies deliveries, and handles each once if there is a replay store. */
export class ReceivingVerifier extends DeliveryVerifier {
  /** Missing if there is no replay store. */
  readonly replay: ReplayGuard | undefined

  constructor(options: ReceivingOptions, hmac: Hmac) {
    const own = ownOptions(options, [...VERIFIER_OPTIONS, ...REPLAY_OPTIONS], 'createVerifier')
    super(own, hmac)
    this.replay = this.replayGuard(own, 0)
    for (const name of PUBLIC_METHODS) Object.assign(this, { [name]: this[name].bind(this) })
    Object.defineProperty(this, BRAND, { value: true })
  }

  /**
   * `verify`, and then the handler, unless the delivery was handled before: the option `replay` remembers that.
   *
   * @throws {WebhookError} also `ERR_DELIVERY_IN_PROGRESS` and `ERR_REPLAY_STORE_UNAVAILABLE`
   * @throws {unknown} the error of the handler; a retry of the delivery is then handled
   */
  async receive<Result>(
    body: WebhookBody,
    header: SignatureHeaderValue,
    handler: (webhook: VerifiedWebhook) => Result | Promise<Result>,
    context?: SecretContext,
  ): Promise<ReceivedDelivery<Result>> {
    const bytes = toBytes(body)
    const parsed = this.checkHeader(header)
    // The claim waits, and the key of the delivery is made of the bytes.
    const copy = typeof body === 'string' ? bytes : copyOf(bytes)
    const webhook = withEvent(await this.proveBytes(copy, parsed, context))
    const claim = await this.replay?.claim(webhook)
    if (claim === 'duplicate') return { outcome: 'duplicate', status: 200, webhook }

    let result: Result
    try {
      result = await handler(webhook)
    } catch (error) {
      await claim?.end(false)
      throw error
    }
    const storeError = (await claim?.end(true)) ?? claim?.storeError
    return { outcome: 'handled', status: 200, webhook, result, ...(storeError && { storeError }) }
  }

  /** The guard that these options ask for. The body of a delivery may be complete `bodySeconds` after its header. */
  replayGuard(options: ReplayOptions, bodySeconds: number): ReplayGuard | undefined {
    const settings = checkReplayOptions(options, this.settings.window, bodySeconds)
    return settings && new ReplayGuard(settings, this.hmac)
  }

  /** Like `instanceof`, but also true for a verifier of another copy of this package. */
  static is(value: unknown): value is ReceivingVerifier {
    return typeof value === 'object' && value !== null && BRAND in value
  }
}

const PUBLIC_METHODS = ['verify', 'verifySignature', 'receive', 'verifySync', 'verifySignatureSync'] as const

/**
 * The options of a single call of `verify` or `verifySignature`.
 *
 * @throws {TypeError} also on options for a replay store, which such a call cannot use
 */
export function forOneCall(options: VerifierOptions): VerifierOptions {
  const own = ownOptions<ReceivingOptions>(options, [...VERIFIER_OPTIONS, ...REPLAY_OPTIONS], 'verify')
  const unused = REPLAY_OPTIONS.find((name) => own[name] !== undefined)
  if (unused === undefined) return own
  throw new TypeError(
    `"${unused}" is for createVerifier(options).receive and the adapters: verify alone remembers nothing`,
  )
}
