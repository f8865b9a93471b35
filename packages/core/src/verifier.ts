import { checkHeader } from './admission.js'
import { toBytes, type WebhookBody } from './body.js'
import type { Digest, SyncDigest } from './digest/digest.js'
import { WebhookError } from './errors.js'
import type { SignatureHeader, SignatureHeaderValue } from './header.js'
import { matchSignatures } from './match.js'
import { ownOptions } from './options.js'
import { createKeyRings, type KeyRings } from './secrets/key-ring.js'
import type { SecretContext } from './secrets/keys.js'
import { checkSettings, VERIFIER_OPTIONS, type Settings, type VerifierOptions } from './settings.js'
import type { KeysByKind } from './versions.js'
import { toProof, toWebhook, type Finish, type SignatureProof, type VerifiedWebhook } from './webhook.js'

/** Made once, used for every delivery. */
export interface Verifier {
  /**
   * Resolves to the delivery, parsed, when it is genuine and fresh. The context is for a `secret` that depends on
   * the request.
   *
   * @throws {WebhookError} when it is not; `code` says why
   */
  readonly verify: (
    body: WebhookBody,
    header: SignatureHeaderValue,
    context?: SecretContext,
  ) => Promise<VerifiedWebhook>
  /** The same for the signature alone: the body is not parsed, and need not be an event. */
  readonly verifySignature: (
    body: WebhookBody,
    header: SignatureHeaderValue,
    context?: SecretContext,
  ) => Promise<SignatureProof>
  /**
   * The checks that need no body, for those who have still to read it: it is not worth it if these fail.
   *
   * @throws {WebhookError} when the header is missing, malformed, without a listed version, or not fresh
   */
  readonly admit: (header: SignatureHeaderValue, context?: SecretContext) => Admission
}

/** A delivery whose header is worth its body. */
export interface Admission {
  /** `t`, the Unix time in seconds at which the delivery says it was signed. */
  readonly timestamp: number
  /** The rest of what {@link Verifier.verify} does. */
  readonly verify: (body: WebhookBody) => Promise<VerifiedWebhook>
}

/** A verifier whose digest answers at once. */
export interface SyncVerifier extends Verifier {
  /** `verify` for fixed keys, without a promise. */
  readonly verifySync: (body: WebhookBody, header: SignatureHeaderValue) => VerifiedWebhook
  /** `verifySignature` for fixed keys, without a promise. */
  readonly verifySignatureSync: (body: WebhookBody, header: SignatureHeaderValue) => SignatureProof
}

/** The verifier over any digest. */
export function buildVerifier<Key>(options: VerifierOptions, digest: Digest<Key>): Verifier {
  return promising(prepare(options, digest), digest)
}

/** The verifier over a digest that answers at once. */
export function buildSyncVerifier<Key>(options: VerifierOptions, digest: SyncDigest<Key>): SyncVerifier {
  const prepared = prepare(options, digest)
  return { ...promising(prepared, digest), ...immediate(prepared, digest) }
}

interface Prepared<Key> {
  readonly rings: KeyRings<Key>
  readonly settings: Settings
}

function prepare<Key>(options: VerifierOptions, digest: Digest<Key>): Prepared<Key> {
  const own = ownOptions(options, VERIFIER_OPTIONS, 'The verifier')
  const settings = checkSettings(own)
  return { settings, rings: createKeyRings(own, settings.versions, digest.importKey) }
}

function promising<Key>({ rings, settings }: Prepared<Key>, digest: Digest<Key>): Verifier {
  const { versions } = settings

  async function answer<Result>(
    finish: Finish<Result>,
    bytes: Uint8Array,
    header: SignatureHeader,
    context: SecretContext = {},
  ): Promise<Result> {
    const { keys, renew } = typeof rings === 'function' ? await rings(context) : rings
    const rawBody = digest.keep(bytes)
    const matchWith = (keys: KeysByKind<Key>) => {
      const delivery = { rawBody, header, versions, keys }
      return digest.run(matchSignatures(delivery), (match) => finish(delivery, match))
    }
    if (renew === undefined) return matchWith(keys)
    try {
      return await matchWith(keys)
    } catch (error) {
      if (!WebhookError.is(error) || error.code !== 'ERR_SIGNATURE_MISMATCH') throw error
      const renewed = await renew()
      if (renewed === undefined) throw error
      return matchWith(renewed)
    }
  }

  return {
    verify: async (body, header, context) =>
      answer(toWebhook, toBytes(body), checkHeader(header, settings), context),
    verifySignature: async (body, header, context) =>
      answer(toProof, toBytes(body), checkHeader(header, settings), context),
    admit(value, context) {
      const header = checkHeader(value, settings)
      return {
        timestamp: Number(header.timestamp),
        verify: async (body) => answer(toWebhook, toBytes(body), header, context),
      }
    },
  }
}

function immediate<Key>(
  { rings, settings }: Prepared<Key>,
  digest: SyncDigest<Key>,
): Pick<SyncVerifier, 'verifySync' | 'verifySignatureSync'> {
  const { versions } = settings

  function answer<Result>(finish: Finish<Result>, body: WebhookBody, value: SignatureHeaderValue): Result {
    if (typeof rings === 'function') {
      throw new TypeError('Keys from a source take a promise: use verify or verifySignature')
    }
    const rawBody = toBytes(body)
    const delivery = { rawBody, header: checkHeader(value, settings), versions, keys: rings.keys }
    return digest.run(matchSignatures(delivery), (match) => finish(delivery, match))
  }

  return {
    verifySync: (body, header) => answer(toWebhook, body, header),
    verifySignatureSync: (body, header) => answer(toProof, body, header),
  }
}
