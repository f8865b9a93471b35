import { copyOf, toBytes, unsharedBytes, type WebhookBody } from './bytes.js'
import { WebhookError } from './errors.js'
import { readEvent } from './events/event.js'
import { parseSignatureHeader, type SignatureHeader, type SignatureHeaderValue } from './header.js'
import type { Hmac, SyncHmac } from './hmac/hmac.js'
import { KeyRing } from './keys.js'
import { checkSignatures, checkSignaturesAsync, type Signed } from './signature.js'
import { checkTimeWindow } from './time-window.js'
import { ownOptions } from './check-options.js'
import {
  checkVerifierOptions,
  VERIFIER_OPTIONS,
  type SecretContext,
  type VerifierOptions,
  type VerifierSettings,
} from './options.js'
import { ReplayGuard } from './replay/once.js'
import { checkReplayOptions, REPLAY_OPTIONS, type ReplayOptions } from './replay/store.js'
import type { Version } from './versions.js'
import type { ReceivedDelivery, SignatureProof, VerifiedWebhook } from './webhook.js'

/** Verifies signatures, in this order: header, versions, time, keys, HMAC. */
export class SignatureVerifier {
  /** The versions that must match. */
  readonly versions: readonly Version[]
  readonly settings: VerifierSettings
  protected readonly hmac: Hmac
  readonly #keyRing: KeyRing
  /** For keys or digests, so that the caller may meanwhile write to the body. */
  readonly #waits: boolean
  /** The same, also for the expectation of the request. */
  readonly #mayWait: boolean

  /**
   * @param options have known names only
   * @throws {TypeError | RangeError} on an option that is missing, of the wrong type or out of bounds
   */
  constructor(options: VerifierOptions, hmac: Hmac) {
    this.settings = checkVerifierOptions(options)
    this.versions = this.settings.versions
    this.hmac = hmac
    this.#keyRing = new KeyRing(options, this.versions, hmac)
    this.#waits = hmac.isAsync || this.#keyRing.fixed === undefined
    this.#mayWait = this.#waits || this.settings.expectation?.isAsked === true
  }

  /**
   * Verifies the signature and the timestamp alone. The body is not parsed and need not be an event, so `expect` is not
   * checked.
   */
  async verifySignature(
    body: WebhookBody,
    header: SignatureHeaderValue,
    context?: SecretContext,
  ): Promise<SignatureProof> {
    return this.prove(body, header, context)
  }

  /** `verifySignature` for fixed keys, without a promise. */
  verifySignatureSync(body: WebhookBody, header: SignatureHeaderValue): SignatureProof {
    if (this.#waits) throw new TypeError('Keys from a source take a promise: use verify or verifySignature')
    // Nothing waits, so this is not a promise.
    return this.prove(body, header, undefined) as SignatureProof
  }

  /**
   * The checks that need no body: header present, grammar, listed versions present, time window. They cost next to
   * nothing, so a junk request costs neither a body nor a call for the secret.
   *
   * @throws {WebhookError} the first of these that fails
   */
  checkHeader(value: SignatureHeaderValue): SignatureHeader {
    const header = parseSignatureHeader(value)
    const missing = this.versions.find((version) => header.signatures[version] === undefined)
    if (missing !== undefined) throw new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail: missing })
    checkTimeWindow(header.timestamp, this.settings.now(), this.settings.window)
    return header
  }

  /** Header and body of a caller. They are copied before the first wait, if the caller could change them. */
  protected prove(
    body: WebhookBody,
    value: SignatureHeaderValue,
    context: SecretContext | undefined,
  ): SignatureProof | Promise<SignatureProof> {
    const bytes = toBytes(body)
    const header = this.checkHeader(value)
    // Stryker disable next-line ConditionalExpression,StringLiteral: another copy of a string's bytes only costs time.
    const isCopied = this.#mayWait && typeof body !== 'string'
    return this.proveBytes(isCopied ? copyOf(bytes) : bytes, header, context)
  }

  /**
   * The proof, in the same tick if there is nothing to wait for.
   *
   * @param bytes must not change until then
   * @throws {WebhookError} `ERR_SIGNATURE_MISMATCH`, `ERR_SECRET_UNKNOWN`, `ERR_SECRET_UNAVAILABLE`
   */
  proveBytes(
    bytes: Uint8Array,
    header: SignatureHeader,
    context: SecretContext | undefined,
  ): SignatureProof | Promise<SignatureProof> {
    const signed = { rawBody: unsharedBytes(bytes), header, versions: this.versions }
    if (this.#waits) return this.#proveLater(signed, context)
    // The keys are fixed and the HMAC is synchronous, because there is nothing to wait for.
    return checkSignatures(signed, this.#keyRing.fixed!, this.hmac as SyncHmac)
  }

  async #proveLater(signed: Signed, context: SecretContext = {}): Promise<SignatureProof> {
    const { keys, renew } = await this.#keyRing.forDelivery(context)
    try {
      return await checkSignaturesAsync(signed, keys, this.hmac)
    } catch (error) {
      if (!WebhookError.is(error) || error.code !== 'ERR_SIGNATURE_MISMATCH') throw error
      const renewed = await renew()
      if (renewed === undefined) throw error
      return checkSignaturesAsync(signed, renewed, this.hmac)
    }
  }
}

/** Verifies signatures, and reads the event. */
export class DeliveryVerifier extends SignatureVerifier {
  /**
   * Resolves to the delivery and its event if the signature and the timestamp are valid. The context is for a `secret`
   * that depends on the request.
   *
   * @throws {WebhookError} if they are not; `code` says why
   */
  async verify(
    body: WebhookBody,
    header: SignatureHeaderValue,
    context?: SecretContext,
  ): Promise<VerifiedWebhook> {
    const proof = this.prove(body, header, context)
    const webhook = withEvent(proof instanceof Promise ? await proof : proof)
    const check = this.settings.expectation?.check(webhook.event, context)
    if (check !== undefined) await check
    return webhook
  }

  /** `verify` for fixed keys, without a promise. */
  verifySync(body: WebhookBody, header: SignatureHeaderValue): VerifiedWebhook {
    const { expectation } = this.settings
    if (expectation?.isAsked)
      throw new TypeError('An "expect" that is a function takes a promise: use verify')
    const webhook = withEvent(this.verifySignatureSync(body, header))
    void expectation?.check(webhook.event, undefined)
    return webhook
  }
}

/** A proven delivery and its event. @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function withEvent(proof: SignatureProof): VerifiedWebhook {
  // Not by a spread, which costs as much as reading the header.
  return Object.assign(proof, { event: readEvent(proof.rawBody) })
}

/** Made once, used for every delivery. Its methods can be passed on as functions. */
export type Verifier = Pick<ReceivingVerifier, 'versions' | 'verify' | 'verifySignature' | 'receive'>

/** A verifier that can also answer at once. */
export type SyncVerifier = Verifier & Pick<ReceivingVerifier, 'verifySync' | 'verifySignatureSync'>

/** The options of a verifier that handles each delivery once. */
export type ReceivingOptions = VerifierOptions & ReplayOptions

const RECEIVING_OPTIONS = [...VERIFIER_OPTIONS, ...REPLAY_OPTIONS]

// The same in both copies of the package that a process may load (ESM and CommonJS).
// Stryker disable next-line StringLiteral: the name counts between two copies, and these tests load one.
const BRAND = Symbol.for('@service-signature/Verifier')

/** Verifies deliveries, and handles each once if there is a replay store. */
export class ReceivingVerifier extends DeliveryVerifier {
  /** Missing if there is no replay store. */
  readonly replay: ReplayGuard | undefined

  constructor(options: ReceivingOptions, hmac: Hmac) {
    const own = ownOptions(options, RECEIVING_OPTIONS, 'createVerifier')
    super(own, hmac)
    this.replay = this.replayGuard(own, 0)
    for (const name of PUBLIC_METHODS) Object.assign(this, { [name]: this[name].bind(this) })
    Object.defineProperty(this, BRAND, {})
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
    // Claiming takes time, and the key of the delivery is computed from the bytes.
    // Stryker disable next-line ConditionalExpression,StringLiteral: another copy of a string's bytes only costs time.
    const copy = typeof body === 'string' ? bytes : copyOf(bytes)
    const webhook = withEvent(await this.proveBytes(copy, parsed, context))
    await this.settings.expectation?.check(webhook.event, context)
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
 * @throws {TypeError} also on options that such a call cannot use: for a replay store, and without an event for `expect`
 */
export function forOneCall(options: VerifierOptions, call: 'verify' | 'verifySignature'): VerifierOptions {
  const own = ownOptions<ReceivingOptions>(options, RECEIVING_OPTIONS, call)
  if (call === 'verifySignature' && own.expect !== undefined) {
    throw new TypeError(
      '"expect" is compared with the event, which verifySignature does not read: use verify',
    )
  }
  const unused = REPLAY_OPTIONS.find((name) => own[name] !== undefined)
  if (unused === undefined) return own
  throw new TypeError(
    `"${unused}" is for createVerifier(options).receive and the adapters: verify alone remembers nothing`,
  )
}
