import { checkHeader } from './admission.js'
import { toBytes, type WebhookBody } from './body.js'
import type { Digest, SyncDigest } from './digest/digest.js'
import { WebhookError } from './errors.js'
import type { SignatureHeader, SignatureHeaderValue } from './header.js'
import { matchSignatures } from './match.js'
import { ownOptions } from './options.js'
import { createKeyRings, readKeys, type KeyRings } from './secrets/key-ring.js'
import type { SecretContext } from './secrets/keys.js'
import { guardReplay, withoutReplay, type TakeTurn } from './replay/guard.js'
import { checkReplayOptions, REPLAY_OPTIONS, type ReplayOptions } from './replay/options.js'
import { receive, type ReceivedDelivery } from './replay/receive.js'
import {
  checkSettings,
  VERIFIER_OPTIONS,
  type FixedVerifierOptions,
  type Settings,
  type VerifierOptions,
} from './settings.js'
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
  /**
   * `verify`, and then the handler, unless the delivery was handled before: that is what the option `replay` remembers.
   *
   * @throws {WebhookError} also `ERR_DELIVERY_IN_PROGRESS` and `ERR_REPLAY_STORE_UNAVAILABLE`
   * @throws {unknown} what the handler throws; the delivery may then come again
   */
  readonly receive: <Result>(
    body: WebhookBody,
    header: SignatureHeaderValue,
    handler: (webhook: VerifiedWebhook) => Result | Promise<Result>,
    context?: SecretContext,
  ) => Promise<ReceivedDelivery<Result>>
  /** For those who handle the delivery elsewhere than in `receive`: asks the store whose turn it is. */
  readonly takeTurn: TakeTurn
  /**
   * The same verifier, with a memory.
   *
   * @throws {TypeError} on a wrong option, or where there is a memory already
   * @throws {RangeError} on a number out of bounds
   */
  readonly withReplay: (options: ReplayOptions) => Verifier
  /**
   * The options as they are for one request, with the keys themselves: what `explain` needs. Not for a log.
   *
   * @throws {WebhookError} `ERR_SECRET_UNAVAILABLE`
   */
  readonly optionsFor: (context?: SecretContext) => Promise<FixedVerifierOptions>
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

/** What a verifier is made of. */
export type ReceivingOptions = VerifierOptions & ReplayOptions

/** The verifier over any digest. */
export function buildVerifier<Key>(options: ReceivingOptions, digest: Digest<Key>): Verifier {
  return promising(prepare(options, digest), digest)
}

/** The verifier over a digest that answers at once. */
export function buildSyncVerifier<Key>(options: ReceivingOptions, digest: SyncDigest<Key>): SyncVerifier {
  const prepared = prepare(options, digest)
  return { ...promising(prepared, digest), ...immediate(prepared, digest) }
}

interface Prepared<Key> {
  readonly rings: KeyRings<Key>
  readonly settings: Settings
  readonly takeTurn: TakeTurn
  readonly readKeys: (context: SecretContext) => ReturnType<typeof readKeys>
}

function prepare<Key>(options: ReceivingOptions, digest: Digest<Key>): Prepared<Key> {
  const own = ownOptions(options, [...VERIFIER_OPTIONS, ...REPLAY_OPTIONS], 'The verifier')
  const settings = checkSettings(own)
  const rings = createKeyRings(own, settings.versions, digest.importKey)
  return {
    settings,
    rings,
    takeTurn: remember(own, settings, digest),
    readKeys: (context) => readKeys(own, context),
  }
}

function remember<Key>(options: ReplayOptions, { window }: Settings, digest: Digest<Key>): TakeTurn {
  const replay = checkReplayOptions(options, window)
  return replay === undefined ? withoutReplay : guardReplay(replay, digest.sha256)
}

function promising<Key>(prepared: Prepared<Key>, digest: Digest<Key>): Verifier {
  const { rings, settings, takeTurn } = prepared
  const { versions, window, now } = settings

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

  const verify: Verifier['verify'] = async (body, header, context) =>
    answer(toWebhook, toBytes(body), checkHeader(header, settings), context)

  return {
    verify,
    verifySignature: async (body, header, context) =>
      answer(toProof, toBytes(body), checkHeader(header, settings), context),
    admit(value, context) {
      const header = checkHeader(value, settings)
      return {
        timestamp: Number(header.timestamp),
        verify: async (body) => answer(toWebhook, toBytes(body), header, context),
      }
    },
    takeTurn,
    receive: async (body, header, handler, context) =>
      receive(await verify(body, header, context), takeTurn, handler),
    withReplay(options) {
      if (takeTurn !== withoutReplay) throw new TypeError('"replay" has been given to the verifier before')
      const own = ownOptions(options, REPLAY_OPTIONS, 'withReplay')
      return promising({ ...prepared, takeTurn: remember(own, settings, digest) }, digest)
    },
    optionsFor: async (context = {}) => ({ ...(await prepared.readKeys(context)), versions, ...window, now }),
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
