import { steadyBytes, toBytes, type WebhookBody } from './body.js'
import type { Digest, SyncDigest } from './digest/digest.js'
import { WebhookError } from './errors.js'
import { checkFreshness } from './freshness.js'
import { parseSignatureHeader, type SignatureHeader, type SignatureHeaderValue } from './header.js'
import { matchSignatures, type Delivery, type Match } from './match.js'
import { createKeyRings, type KeyRings } from './secrets/key-ring.js'
import type { SecretContext } from './secrets/keys.js'
import { checkSettings, type Settings, type VerifierOptions } from './settings.js'
import type { KeysByKind } from './versions.js'
import type { SignatureProof } from './webhook.js'

/** Proves that a delivery is genuine and fresh, whatever it says. */
export interface Prover {
  readonly settings: Settings
  /** Whether it waits for keys or digests, so that the caller may write to the body in between. */
  readonly waits: boolean
  /**
   * @param bytes must not change until the promise is settled
   * @throws {WebhookError} `ERR_SIGNATURE_MISMATCH`, `ERR_SECRET_UNAVAILABLE`; and what `finish` throws
   */
  readonly prove: <Result>(
    finish: Finish<Result>,
    bytes: Uint8Array,
    header: SignatureHeader,
    context?: SecretContext,
  ) => Promise<Result>
}

/** A prover whose digest answers at once. */
export interface SyncProver extends Prover {
  /** All of it, from the header on, for fixed keys. */
  readonly proveSync: <Result>(
    finish: Finish<Result>,
    body: WebhookBody,
    header: SignatureHeaderValue,
  ) => Result
}

/** What is made of a delivery once its signature holds. On Node, in the same tick. */
export type Finish<Result> = (delivery: Delivery<unknown>, match: Match, keyFingerprint: string) => Result

export function toProof(
  { rawBody, header, versions }: Delivery<unknown>,
  { keyIndex, canonicalForm }: Match,
  keyFingerprint: string,
): SignatureProof {
  const timestamp = Number(header.timestamp)
  const signedAt = new Date(timestamp * 1000)
  const secretIndex = keyIndex.secret ?? keyIndex.apiKey!
  const proof = { timestamp, signedAt, versions, rawBody, secretIndex, keyFingerprint }
  return canonicalForm === undefined ? proof : { ...proof, canonicalForm }
}

/** The prover over any digest. */
export function createProver<Key>(options: VerifierOptions, digest: Digest<Key>): Prover {
  return promising(prepare(options, digest), digest)
}

/** The prover over a digest that answers at once. */
export function createSyncProver<Key>(options: VerifierOptions, digest: SyncDigest<Key>): SyncProver {
  const prepared = prepare(options, digest)
  return { ...promising(prepared, digest), proveSync: immediate(prepared, digest) }
}

/** One delivery, by options that are for it alone. */
export async function proveOnce<Key, Result>(
  finish: Finish<Result>,
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
  digest: Digest<Key>,
): Promise<Result> {
  const { prove, settings, waits } = createProver(options, digest)
  const bytes = toBytes(body)
  const admitted = admit(header, settings)
  return prove(finish, steadyBytes(body, bytes, waits), admitted)
}

/** {@link proveOnce} without a promise. */
export function proveOnceSync<Key, Result>(
  finish: Finish<Result>,
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
  digest: SyncDigest<Key>,
): Result {
  return immediate(prepare(options, digest), digest)(finish, body, header)
}

/**
 * Whether the body is worth reading at all: header present, grammar, listed versions present, time window. This
 * costs next to nothing, so a junk request costs neither a body nor a call for the secret.
 *
 * @throws {WebhookError} the first of these that fails
 */
export function admit(value: SignatureHeaderValue, { versions, now, window }: Settings): SignatureHeader {
  const header = parseSignatureHeader(value)
  const missing = versions.find((version) => header.signatures[version] === undefined)
  if (missing !== undefined) throw new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail: missing })
  checkFreshness(header.timestamp, now(), window)
  return header
}

interface Prepared<Key> {
  readonly settings: Settings
  readonly rings: KeyRings<Key>
}

function prepare<Key>(options: VerifierOptions, { importKey }: Digest<Key>): Prepared<Key> {
  const settings = checkSettings(options)
  return { settings, rings: createKeyRings(options, settings.versions, importKey) }
}

function promising<Key>({ settings, rings }: Prepared<Key>, digest: Digest<Key>): Prover {
  const { versions } = settings
  return {
    settings,
    waits: digest.isAsync || typeof rings === 'function',
    async prove(finish, rawBody, header, context = {}) {
      const { keys, renew } = typeof rings === 'function' ? await rings(context) : rings
      const matchWith = (keys: KeysByKind<Key>) => {
        const delivery = { rawBody, header, versions, keys }
        return runWith(digest, delivery, finish)
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
    },
  }
}

function immediate<Key>(
  { settings, rings }: Prepared<Key>,
  digest: SyncDigest<Key>,
): SyncProver['proveSync'] {
  return (finish, body, value) => {
    if (typeof rings === 'function') {
      throw new TypeError('Keys from a source take a promise: use verify or verifySignature')
    }
    const bytes = toBytes(body)
    const header = admit(value, settings)
    const rawBody = steadyBytes(body, bytes, false)
    const delivery = { rawBody, header, versions: settings.versions, keys: rings.keys }
    return runWith(digest, delivery, finish)
  }
}

function runWith<Key, Result>(
  digest: SyncDigest<Key>,
  delivery: Delivery<Key>,
  finish: Finish<Result>,
): Result
function runWith<Key, Result>(
  digest: Digest<Key>,
  delivery: Delivery<Key>,
  finish: Finish<Result>,
): Result | Promise<Result>
function runWith<Key, Result>(
  digest: Digest<Key>,
  delivery: Delivery<Key>,
  finish: Finish<Result>,
): Result | Promise<Result> {
  return digest.run(matchSignatures(delivery), (match) => {
    const { secret, apiKey } = match.keyIndex
    const key = secret === undefined ? delivery.keys.apiKey[apiKey!] : delivery.keys.secret[secret]
    return finish(delivery, match, digest.fingerprintOf(key!))
  })
}
