import { checkHeader } from './admission.js'
import { toBytes, type WebhookBody } from './body.js'
import type { Digest, SyncDigest } from './digest/digest.js'
import type { SignatureHeaderValue } from './header.js'
import { matchSignatures } from './match.js'
import { createKeyRing, type KeyRing } from './secrets/key-ring.js'
import { checkSettings, type Settings, type VerifierOptions } from './settings.js'
import { toProof, toWebhook, type Finish, type SignatureProof, type VerifiedWebhook } from './webhook.js'

/** Made once, used for every delivery. */
export interface Verifier {
  /**
   * Resolves to the delivery, parsed, when it is genuine and fresh.
   *
   * @throws {WebhookError} when it is not; `code` says why
   */
  readonly verify: (body: WebhookBody, header: SignatureHeaderValue) => Promise<VerifiedWebhook>
  /** The same for the signature alone: the body is not parsed, and need not be an event. */
  readonly verifySignature: (body: WebhookBody, header: SignatureHeaderValue) => Promise<SignatureProof>
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
  readonly keys: KeyRing<Key>
  readonly settings: Settings
}

function prepare<Key>(options: VerifierOptions, digest: Digest<Key>): Prepared<Key> {
  const settings = checkSettings(options)
  return { settings, keys: createKeyRing(options, settings.versions, digest.importKey) }
}

function promising<Key>({ keys, settings }: Prepared<Key>, digest: Digest<Key>): Verifier {
  const { versions } = settings
  async function answer<Result>(
    body: WebhookBody,
    header: SignatureHeaderValue,
    finish: Finish<Result>,
  ): Promise<Result> {
    const bytes = toBytes(body)
    const signed = checkHeader(header, settings)
    const found = keys.fixed ?? (await keys.get())
    const delivery = { rawBody: digest.keep(bytes), header: signed, versions, keys: found }
    return digest.run(matchSignatures(delivery), (match) => finish(delivery, match))
  }
  return {
    verify: (body, header) => answer(body, header, toWebhook),
    verifySignature: (body, header) => answer(body, header, toProof),
  }
}

function immediate<Key>(
  { keys, settings }: Prepared<Key>,
  digest: SyncDigest<Key>,
): Pick<SyncVerifier, 'verifySync' | 'verifySignatureSync'> {
  const { versions } = settings
  function answer<Result>(body: WebhookBody, header: SignatureHeaderValue, finish: Finish<Result>): Result {
    if (keys.fixed === undefined) {
      throw new TypeError('Keys from a source take a promise: use verify or verifySignature')
    }
    const rawBody = toBytes(body)
    const delivery = { rawBody, header: checkHeader(header, settings), versions, keys: keys.fixed }
    return digest.run(matchSignatures(delivery), (match) => finish(delivery, match))
  }
  return {
    verifySync: (body, header) => answer(body, header, toWebhook),
    verifySignatureSync: (body, header) => answer(body, header, toProof),
  }
}
