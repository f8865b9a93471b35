import { copyOf, toBytes, unsharedBytes, type WebhookBody } from './body.js'
import { ownOptions } from './check-options.js'
import { WebhookError } from './errors.js'
import { readEvent } from './events/event.js'
import type { SignatureProof, VerifiedWebhook } from './events/webhook.js'
import { checkReplayOptions, REPLAY_OPTIONS, ReplayGuard, type ReplayOptions } from './replay/once.js'
import {
  checkTimeWindow,
  parseSignatureHeader,
  type SignatureHeader,
  type SignatureHeaderValue,
} from './signature/header.js'
import type { Hmac } from './signature/hmac/hmac.js'
import { KeyRing, type SecretContext } from './signature/keys.js'
import { prove, proveLater, type Signed } from './signature/proof.js'
import {
  checkVerifierOptions,
  VERIFIER_OPTIONS,
  type VerifierOptions,
  type VerifierSettings,
} from './signature/verifier-options.js'
import { VERSIONS, type Version } from './signature/versions.js'

/** Made once, used for every delivery. Its methods can be passed on as functions. */
export type Verifier = Pick<WebhookVerifier, 'versions' | 'verify' | 'verifySignature' | 'receive'>

/** A verifier that can also answer at once. */
export type SyncVerifier = Verifier & Pick<WebhookVerifier, 'verifySync' | 'verifySignatureSync'>

/** The options of a verifier that handles each delivery once. */
export type ReceivingOptions = VerifierOptions & ReplayOptions

// The same in both copies of the package that a process may load (ESM and CommonJS).
// Stryker disable next-line StringLiteral: the name counts between two copies, and these tests load one.
const BRAND = Symbol.for('@service-signature/Verifier')

/** Verifies deliveries, in this order: header, versions, time, keys, HMAC, event. Handles each once if there is a replay store. */
export class WebhookVerifier {
  /** The versions that must match. */
  readonly versions: readonly Version[]
  readonly settings: VerifierSettings
  readonly replay: ReplayGuard
  readonly #hmac: Hmac
  readonly #keys: KeyRing

  /**
   * @param own a copy of the caller's options, all of whose names are known
   * @param bodySeconds how much later than its header the body of a delivery may be complete
   * @throws {TypeError | RangeError} on an option that is missing, of the wrong type or out of bounds
   */
  constructor(own: ReceivingOptions, hmac: Hmac, bodySeconds = 0) {
    this.settings = checkVerifierOptions(own)
    const { versions, window } = this.settings
    this.versions = versions
    this.#hmac = hmac
    const signedWith = (kind: string) => versions.find((version) => VERSIONS[version].key === kind)
    this.#keys = new KeyRing(own, { secret: signedWith('secret'), apiKey: signedWith('apiKey') }, hmac)
    this.replay = new ReplayGuard(checkReplayOptions(own, window, bodySeconds), hmac)
  }

  /** Like `instanceof`, but also true for a verifier of another copy of this package. */
  static is(value: unknown): value is WebhookVerifier {
    return (value as Partial<WebhookVerifier> | null | undefined)?.[BRAND] === true
  }

  // eslint-disable-next-line @typescript-eslint/class-literal-property-style -- as a field, it would be printed with each verifier
  get [BRAND](): true {
    return true
  }

  /**
   * Resolves to the delivery and its event if the signature and the timestamp are valid. The context is for a `secret`
   * that depends on the request.
   *
   * @throws {WebhookError} if they are not; `code` says why
   */
  readonly verify = async (
    body: WebhookBody,
    header: SignatureHeaderValue,
    context?: SecretContext,
  ): Promise<VerifiedWebhook> => {
    const proof = this.#proveCallers(body, header, context)
    const webhook = withEvent(proof instanceof Promise ? await proof : proof)
    const check = this.settings.expectation?.check(webhook.event, context)
    // Stryker disable next-line ConditionalExpression: waiting for nothing only costs time.
    if (check !== undefined) await check
    return webhook
  }

  /** `verify` for fixed keys, without a promise. */
  readonly verifySync = (body: WebhookBody, header: SignatureHeaderValue): VerifiedWebhook => {
    const { expectation } = this.settings
    if (expectation?.isAsked)
      throw new TypeError('An "expect" that is a function takes a promise: use verify')
    const webhook = withEvent(this.verifySignatureSync(body, header))
    void expectation?.check(webhook.event, undefined)
    return webhook
  }

  /**
   * Verifies the signature and the timestamp alone. The body is not parsed and need not be an event, so `expect` is not
   * checked.
   */
  readonly verifySignature = async (
    body: WebhookBody,
    header: SignatureHeaderValue,
    context?: SecretContext,
  ): Promise<SignatureProof> => this.#proveCallers(body, header, context)

  /** `verifySignature` for fixed keys, without a promise. */
  readonly verifySignatureSync = (body: WebhookBody, header: SignatureHeaderValue): SignatureProof => {
    const { fixed } = this.#keys
    if (fixed === undefined || this.#hmac.isAsync) {
      throw new TypeError('Keys from a source take a promise: use verify or verifySignature')
    }
    return prove(this.#signed(toBytes(body), this.checkHeader(header)), fixed, this.#hmac)
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
    const bytes = toBytes(body)
    const checked = this.checkHeader(header)
    // Claiming takes time, and the key of the delivery is computed from the bytes.
    // Stryker disable next-line ConditionalExpression,StringLiteral: another copy of a string's bytes only costs time.
    const copy = typeof body === 'string' ? bytes : copyOf(bytes)
    const webhook = withEvent(await this.proveBytes(copy, checked, context))
    await this.settings.expectation?.check(webhook.event, context)
    const claim = await this.replay.claim(webhook)
    if (claim === 'duplicate') return { outcome: 'duplicate', status: 200, webhook }

    const result = await claim.run(() => handler(webhook))
    const { storeError } = claim
    return { outcome: 'handled', status: 200, webhook, result, ...(storeError && { storeError }) }
  }

  /**
   * The checks that need no body: header present, grammar, listed versions present, time window. They cost next to
   * nothing, so a junk request costs neither a body nor a call for the secret.
   *
   * @throws {WebhookError} the first of these that fails
   */
  checkHeader(value: SignatureHeaderValue): SignatureHeader {
    const header = parseSignatureHeader(value)
    for (const version of this.versions) {
      if (header.signatures[version] === undefined)
        throw new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail: version })
    }
    checkTimeWindow(header.timestamp, this.settings.now(), this.settings.window)
    return header
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
    const signed = this.#signed(bytes, header)
    const { fixed } = this.#keys
    return fixed === undefined || this.#hmac.isAsync
      ? this.#proveLater(signed, context)
      : prove(signed, fixed, this.#hmac)
  }

  /** Header and body of a caller. They are copied before the first wait, if the caller could change them. */
  #proveCallers(
    body: WebhookBody,
    value: SignatureHeaderValue,
    context: SecretContext | undefined,
  ): SignatureProof | Promise<SignatureProof> {
    const bytes = toBytes(body)
    const header = this.checkHeader(value)
    const mayWait =
      this.#keys.fixed === undefined || this.#hmac.isAsync || this.settings.expectation?.isAsked === true
    // Stryker disable next-line ConditionalExpression,StringLiteral: another copy of a string's bytes only costs time.
    const isCopied = mayWait && typeof body !== 'string'
    return this.proveBytes(isCopied ? copyOf(bytes) : bytes, header, context)
  }

  #signed(bytes: Uint8Array, header: SignatureHeader): Signed {
    return { rawBody: unsharedBytes(bytes), header, versions: this.versions }
  }

  async #proveLater(signed: Signed, context: SecretContext = {}): Promise<SignatureProof> {
    const { keys, renew } = await this.#keys.forDelivery(context)
    try {
      return await proveLater(signed, keys, this.#hmac)
    } catch (error) {
      if (!WebhookError.is(error) || error.code !== 'ERR_SIGNATURE_MISMATCH') throw error
      const renewed = await renew()
      if (renewed === undefined) throw error
      return proveLater(signed, renewed, this.#hmac)
    }
  }
}

/** A proven delivery and its event. @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function withEvent(proof: SignatureProof): VerifiedWebhook {
  // Not by a spread, which costs as much as reading the header.
  return Object.assign(proof, { event: readEvent(proof.rawBody) })
}

/** How `receive` ended. The response to the sender is the same either way. */
export type ReceivedDelivery<Result> = HandledDelivery<Result> | DuplicateDelivery

/** The handler was called, and did not fail. */
export interface HandledDelivery<Result> {
  readonly outcome: 'handled'
  /** For the response. */
  readonly status: 200
  readonly webhook: VerifiedWebhook
  /** The result of the handler. */
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

const RECEIVING_OPTIONS = [...VERIFIER_OPTIONS, ...REPLAY_OPTIONS]

/** The options of `createVerifier`. @throws {TypeError} on a name that is unknown */
export function receivingOptions(options: ReceivingOptions): ReceivingOptions {
  return ownOptions(options, RECEIVING_OPTIONS, 'createVerifier')
}

/**
 * The options of a single call of `verify` or `verifySignature`.
 *
 * @throws {TypeError} also on options that such a call cannot use: for a replay store, and without an event for `expect`
 */
export function callOptions(options: VerifierOptions, call: 'verify' | 'verifySignature'): VerifierOptions {
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
