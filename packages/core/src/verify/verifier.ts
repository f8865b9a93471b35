import { WebhookError } from '../errors.js'
import { recognize, type VerifiedWebhook } from '../events/event.js'
import { parseJson } from '../signature/canonical-json/parse-json.js'
import { parseSignatureHeader, type SignatureHeader, type SignatureHeaderValue } from '../signature/header.js'
import type { Hmac, SyncHmac } from '../signature/hmac/hmac.js'
import { KeyRing, type SecretContext } from '../signature/keys.js'
import type { Version } from '../signature/names.js'
import type { SignatureProof } from '../signature/proof.js'
import { prove, proveLater, type Signed } from '../signature/prove.js'
import { VERSIONS } from '../signature/versions.js'
import { copyOf, toBytes, unsharedBytes, type WebhookBody } from './body.js'
import { acceptedSecondsOf, checkTimeWindow } from './time-window.js'
import { checkVerifierOptions, type VerifierOptions, type VerifierSettings } from './verifier-options.js'

/** Verifies deliveries, in this order: header, versions, time, keys, HMAC, event. Remembers nothing of them. */
export class WebhookVerifier {
  readonly versions: readonly Version[]
  readonly settings: VerifierSettings
  readonly #hmac: Hmac
  readonly #keys: KeyRing
  readonly #acceptedSeconds: number

  /**
   * @param own a copy of the caller's options, all of whose names are known
   * @param bodySeconds how much later than its header the body of a delivery may be complete
   */
  constructor(own: VerifierOptions, hmac: Hmac, bodySeconds = 0) {
    this.settings = checkVerifierOptions(own)
    const { versions, window } = this.settings
    this.#acceptedSeconds = acceptedSecondsOf(window, bodySeconds)
    this.versions = versions
    this.#hmac = hmac
    const signedWith = (kind: string) => versions.find((version) => VERSIONS[version].key === kind)
    this.#keys = new KeyRing(own, { secret: signedWith('secret'), apiKey: signedWith('apiKey') }, hmac)
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
    const proof = this.proveCallers(body, header, context)
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
  ): Promise<SignatureProof> => this.proveCallers(body, header, context)

  /** `verifySignature` for fixed keys, without a promise. */
  readonly verifySignatureSync = (body: WebhookBody, header: SignatureHeaderValue): SignatureProof => {
    const { atOnce } = this.#keys
    if (atOnce === undefined)
      throw new TypeError('Keys from a source take a promise: use verify or verifySignature')
    return prove(this.#signed(toBytes(body), this.checkHeader(header)), atOnce, this.#hmac as SyncHmac)
  }

  /**
   * The checks that need no body: header present, grammar, listed versions present, time window. A junk request costs neither
   * a body nor a call for the secret.
   *
   * @param report gets the age of the header
   */
  checkHeader(value: SignatureHeaderValue, report?: { ageSeconds: number | undefined }): SignatureHeader {
    refuseBody(value)
    const header = parseSignatureHeader(value)
    for (const version of this.versions) {
      if (header.signatures[version] === undefined)
        throw new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail: version })
    }
    const ageSeconds = checkTimeWindow(header.timestamp, this.settings.now(), this.settings.window)
    if (report !== undefined) report.ageSeconds = ageSeconds
    return header
  }

  /** The proof, in the same tick if there is nothing to wait for. The bytes must not change until then. */
  proveBytes(
    bytes: Uint8Array,
    header: SignatureHeader,
    context: SecretContext | undefined,
  ): SignatureProof | Promise<SignatureProof> {
    const signed = this.#signed(bytes, header)
    const { atOnce } = this.#keys
    return atOnce === undefined
      ? this.#proveLater(signed, context)
      : prove(signed, atOnce, this.#hmac as SyncHmac)
  }

  /** Header and body of a caller. They are copied before the first wait, if the caller could change them. */
  proveCallers(
    body: WebhookBody,
    value: SignatureHeaderValue,
    context: SecretContext | undefined,
    mayWait = this.#keys.atOnce === undefined || this.settings.expectation?.isAsked === true,
  ): SignatureProof | Promise<SignatureProof> {
    const bytes = toBytes(body)
    const header = this.checkHeader(value)
    // Stryker disable next-line ConditionalExpression,StringLiteral: another copy of a string's bytes only costs time.
    const isCopied = mayWait && typeof body !== 'string'
    return this.proveBytes(isCopied ? copyOf(bytes) : bytes, header, context)
  }

  #signed(bytes: Uint8Array, header: SignatureHeader): Signed {
    return {
      rawBody: unsharedBytes(bytes),
      header,
      versions: this.versions,
      acceptedSeconds: this.#acceptedSeconds,
    }
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

/** Reports arguments in the wrong order. No header begins with a brace. */
function refuseBody(header: unknown): void {
  const isBody = typeof header === 'string' ? header.startsWith('{') : ArrayBuffer.isView(header)
  if (!isBody && !(header instanceof ArrayBuffer)) return
  const detail = 'it looks like a body: the order is (body, header)'
  throw new WebhookError('ERR_SIGNATURE_MALFORMED', { detail })
}

/** A proven delivery and its event. @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function withEvent(proof: SignatureProof): VerifiedWebhook {
  // Not by a spread, which costs as much as reading the header.
  return Object.assign(proof, { event: recognize(parseJson(proof.rawBody)) })
}
