import type { WebhookError } from '../errors.js'
import type { VerifiedWebhook } from '../events/event.js'
import { ReplayGuard, replayGuardFor } from '../replay/guard.js'
import type { ReplayOptions } from '../replay/replay-options.js'
import type { SignatureHeaderValue } from '../signature/header.js'
import type { Hmac } from '../signature/hmac/hmac.js'
import type { SecretContext } from '../signature/keys.js'
import type { WebhookBody } from '../verify/body.js'
import type { VerifierOptions } from '../verify/verifier-options.js'
import { WebhookVerifier, withEvent } from '../verify/verifier.js'

export type ReceivingOptions = VerifierOptions & ReplayOptions

/** Made once, used for every delivery. Its methods can be passed on as functions. */
export type Verifier = Pick<ReceivingVerifier, 'versions' | 'verify' | 'verifySignature' | 'receive'>

/** A verifier that can also answer at once. */
export type SyncVerifier = Verifier & Pick<ReceivingVerifier, 'verifySync' | 'verifySignatureSync'>

/** Also handles each delivery once. Not part of its base, so that a bundle of `verify` alone leaves it out. */
export class ReceivingVerifier extends WebhookVerifier {
  readonly replay: ReplayGuard | undefined

  constructor(own: ReceivingOptions, hmac: Hmac, bodySeconds = 0) {
    super(own, hmac, bodySeconds)
    this.replay = replayGuardFor(own, this.settings.window, bodySeconds, hmac)
  }

  /** Like `instanceof`, but also true for a verifier of another copy of this package. */
  static is(value: unknown): value is ReceivingVerifier {
    return (value as Partial<ReceivingVerifier> | null | undefined)?.['@service-signature/Verifier'] === true
  }

  // Not a symbol: a bundler keeps a class with a computed name, although nothing uses it.
  // eslint-disable-next-line @typescript-eslint/class-literal-property-style -- as a field, it would be printed with each verifier
  get '@service-signature/Verifier'(): true {
    return true
  }

  /**
   * `verify`, and then the handler, unless the delivery was handled before: the option `replay` remembers that.
   *
   * @throws {WebhookError} also `ERR_DELIVERY_IN_PROGRESS` and `ERR_REPLAY_STORE_UNAVAILABLE`
   * @throws {unknown} the error of the handler; a retry of the delivery is then handled
   */
  readonly receive = async <Result>(
    body: WebhookBody,
    header: SignatureHeaderValue,
    handler: (webhook: VerifiedWebhook) => Result | Promise<Result>,
    context?: SecretContext,
  ): Promise<ReceivedDelivery<Result>> => {
    // Claiming takes time, and the key of the delivery is computed from the bytes.
    const webhook = withEvent(await this.proveCallers(body, header, context, true))
    await this.settings.expectation?.check(webhook.event, context)
    const claim = await this.replay?.claim(webhook)
    if (claim === 'duplicate') return { outcome: 'duplicate', status: 200, webhook }

    const handle = () => handler(webhook)
    const result = await (claim === undefined ? handle() : claim.run(handle))
    const storeError = claim?.storeError
    return { outcome: 'handled', status: 200, webhook, result, ...(storeError && { storeError }) }
  }
}

/** How `receive` ended. The response to the sender is the same either way. */
export type ReceivedDelivery<Result> = HandledDelivery<Result> | DuplicateDelivery

/** The handler was called, and did not fail. */
export interface HandledDelivery<Result> {
  readonly outcome: 'handled'
  /** For the response. */
  readonly status: 200
  readonly webhook: VerifiedWebhook
  readonly result: Result
  /** The error of the replay store. The delivery was handled, but if it is sent again it may be handled again. */
  readonly storeError?: WebhookError
}

/** The delivery was handled before, and this time the handler was not called. */
export interface DuplicateDelivery {
  readonly outcome: 'duplicate'
  /** For the response. */
  readonly status: 200
  readonly webhook: VerifiedWebhook
}
