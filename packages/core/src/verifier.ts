import { toBytes, type WebhookBody } from './body.js'
import type { CanonicalForm } from './canonical-json/forms.js'
import type { Digest, SyncDigest } from './digest/digest.js'
import { WebhookError } from './errors.js'
import { readEvent, type WebhookEvent } from './events/event.js'
import { freshness } from './freshness.js'
import { parseSignatureHeader, type SignatureHeader, type SignatureHeaderValue } from './header.js'
import { matchSignatures, type Delivery, type Match } from './match.js'
import { createKeyRing, type KeyRing } from './secrets/key-ring.js'
import { checkSettings, type Settings, type VerifierOptions } from './settings.js'
import type { Version } from './versions.js'

/** What is known of a delivery whose signature holds. */
export interface SignatureProof {
  /** `t`, the Unix time in seconds at which the delivery was signed. */
  readonly timestamp: number
  /** The same as a `Date`. */
  readonly signedAt: Date
  /** The versions that were required, all of which matched. */
  readonly versions: readonly Version[]
  /** The bytes that were signed. */
  readonly rawBody: Uint8Array
  /** Which item of `secret` matched; of `apiKey` where only v1 is required. */
  readonly secretIndex: number
  /** How the sender printed what v2 signs. There only where v2 is required. */
  readonly canonicalForm?: CanonicalForm
}

/** A delivery that is genuine and fresh, and what it says. */
export interface VerifiedWebhook extends SignatureProof {
  readonly event: WebhookEvent
}

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

/** Header present, grammar, listed versions present, time window: what costs next to nothing comes first. */
function checkHeader(value: SignatureHeaderValue, settings: Settings): SignatureHeader {
  const header = parseSignatureHeader(value)
  const missing = settings.versions.find((version) => header.signatures[version] === undefined)
  if (missing !== undefined) throw new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail: missing })
  checkFreshness(header.timestamp, settings)
  return header
}

function checkFreshness(timestamp: string, { now, window }: Settings): void {
  const { verdict, ageSeconds } = freshness(timestamp, now(), window)
  if (verdict === 'too old') {
    throw new WebhookError('ERR_TIMESTAMP_TOO_OLD', {
      detail: `${ageSeconds} s ago, and toleranceSeconds is ${window.toleranceSeconds}`,
    })
  }
  if (verdict === 'in the future') {
    throw new WebhookError('ERR_TIMESTAMP_IN_FUTURE', {
      detail: `${-ageSeconds} s ahead, and futureToleranceSeconds is ${window.futureToleranceSeconds}`,
    })
  }
}

/** What is made of a delivery once its signature holds. On Node, in the same tick. */
type Finish<Result> = (delivery: Delivery<unknown>, match: Match) => Result

function toProof(
  { rawBody, header, versions }: Delivery<unknown>,
  { keyIndex, canonicalForm }: Match,
): SignatureProof {
  const timestamp = Number(header.timestamp)
  return {
    timestamp,
    signedAt: new Date(timestamp * 1000),
    versions,
    rawBody,
    secretIndex: keyIndex.secret ?? keyIndex.apiKey ?? 0,
    ...(canonicalForm && { canonicalForm }),
  }
}

function toWebhook(delivery: Delivery<unknown>, match: Match): VerifiedWebhook {
  return { ...toProof(delivery, match), event: readEvent(delivery.rawBody) }
}
