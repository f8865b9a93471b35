import { steadyBytes, toBytes, type WebhookBody } from './body.js'
import type { Digest, SyncDigest } from './digest/digest.js'
import type { WebhookError } from './errors.js'
import { readEvent } from './events/event.js'
import type { SignatureHeaderValue } from './header.js'
import type { Delivery, Match } from './match.js'
import { ownOptions } from './options.js'
import { checkFreshness } from './freshness.js'
import { admit, createProver, createSyncProver, toProof, type Finish, type Prover } from './prover.js'
import { guardReplay, handleInTurn, withoutReplay, type TakeTurn } from './replay/guard.js'
import { checkReplayOptions, REPLAY_OPTIONS, type ReplayOptions } from './replay/store.js'
import type { ReceivedDelivery } from './replay/received.js'
import { readKeys } from './secrets/key-ring.js'
import type { SecretContext } from './secrets/keys.js'
import { VERIFIER_OPTIONS, type FixedVerifierOptions, type VerifierOptions } from './settings.js'
import type { Version } from './versions.js'
import type { SignatureProof, VerifiedWebhook } from './webhook.js'

/** Made once, used for every delivery. */
export interface Verifier {
  /** The versions that must match. */
  readonly versions: readonly Version[]
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
   * The same verifier with a replay store.
   *
   * @param bodyTimeoutSeconds how much later than its header the body of a delivery may be complete: for so much longer
   *   the store must remember a delivery. Default: 0
   * @throws {TypeError} on a wrong option, or where there is a memory already
   * @throws {RangeError} on a number out of bounds
   */
  readonly withReplay: (options: ReplayOptions, bodyTimeoutSeconds?: number) => Verifier
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
  /** The rest of what {@link Verifier.verify} does. The time is checked again: the body may have taken long. */
  readonly verify: (body: WebhookBody) => Promise<VerifiedWebhook>
  /** The same for bytes that must not change until the promise is settled: they are never copied. */
  readonly verifyInPlace: (bytes: Uint8Array) => Promise<VerifiedWebhook>
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

/** @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function toWebhook(
  delivery: Delivery<unknown>,
  match: Match,
  keyFingerprint: string,
): VerifiedWebhook {
  // Not by a spread, which costs as much as reading the header.
  return Object.assign(toProof(delivery, match, keyFingerprint), { event: readEvent(delivery.rawBody) })
}

/** The verifier over any digest. */
export function buildVerifier<Key>(options: ReceivingOptions, digest: Digest<Key>): Verifier {
  const own = knownOptions(options)
  const prover = createProver(own, digest)
  return verifierOver(prover, own, remember(own, prover, digest), digest)
}

/** The verifier over a digest that answers at once. */
export function buildSyncVerifier<Key>(options: ReceivingOptions, digest: SyncDigest<Key>): SyncVerifier {
  const own = knownOptions(options)
  const prover = createSyncProver(own, digest)
  return {
    ...verifierOver(prover, own, remember(own, prover, digest), digest),
    verifySync: (body, header) => prover.proveSync(toWebhook, body, header),
    verifySignatureSync: (body, header) => prover.proveSync(toProof, body, header),
  }
}

/** The caller's options for a verifier, with or without a replay store. @throws {TypeError} on an unknown name */
function knownOptions<Options extends VerifierOptions>(options: Options): Partial<Options> {
  return ownOptions(options, [...VERIFIER_OPTIONS, ...REPLAY_OPTIONS], 'The verifier')
}

/**
 * The options of a single call of `verify` or `verifySignature`.
 *
 * @throws {TypeError} also on options for a replay store, which such a call cannot use
 */
export function forOneCall(options: VerifierOptions): VerifierOptions {
  const own = knownOptions<VerifierOptions & ReplayOptions>(options)
  const idle = REPLAY_OPTIONS.find((name) => own[name] !== undefined)
  if (idle === undefined) return own
  throw new TypeError(
    `"${idle}" is for createVerifier(options).receive and the adapters: verify alone remembers nothing`,
  )
}

type Sha256 = Pick<Digest<unknown>, 'sha256'>

function remember(options: ReplayOptions, { settings }: Prover, digest: Sha256, bodySeconds = 0): TakeTurn {
  const replay = checkReplayOptions(options, settings.window, bodySeconds)
  return replay === undefined ? withoutReplay : guardReplay(replay, digest)
}

function verifierOver(
  prover: Prover,
  options: VerifierOptions,
  takeTurn: TakeTurn,
  digest: Sha256,
): Verifier {
  const { prove, settings, waits } = prover
  const { versions, window, now } = settings
  // The key of the delivery is made of the bytes too, after the signature was verified.
  const waitsForWebhook = waits || takeTurn !== withoutReplay

  /** A copy is made before the first wait, and not of a body whose header is refused. */
  async function proveOf<Result>(
    finish: Finish<Result>,
    canChange: boolean,
    body: WebhookBody,
    value: SignatureHeaderValue,
    context?: SecretContext,
  ): Promise<Result> {
    const bytes = toBytes(body)
    const header = admit(value, settings)
    return prove(finish, steadyBytes(body, bytes, canChange), header, context)
  }

  return {
    versions,
    verify: (body, header, context) => proveOf(toWebhook, waitsForWebhook, body, header, context),
    verifySignature: (body, header, context) => proveOf(toProof, waits, body, header, context),
    admit(value, context) {
      const header = admit(value, settings)
      const verifyInPlace = async (bytes: Uint8Array) => {
        checkFreshness(header.timestamp, now(), window)
        return prove(toWebhook, bytes, header, context)
      }
      return {
        timestamp: Number(header.timestamp),
        verify: async (body) => {
          const bytes = toBytes(body)
          return verifyInPlace(steadyBytes(body, bytes, waitsForWebhook))
        },
        verifyInPlace: (bytes) => verifyInPlace(steadyBytes(bytes, toBytes(bytes), false)),
      }
    },
    takeTurn,
    async receive(body, header, handler, context) {
      const webhook = await proveOf(toWebhook, true, body, header, context)
      let storeError: WebhookError | undefined
      const turn = await takeTurn(webhook, (error) => (storeError = error))
      if (turn.isDuplicate) return { outcome: 'duplicate', status: 200, webhook }
      const result = await handleInTurn(turn, () => handler(webhook))
      return { outcome: 'handled', status: 200, webhook, result, ...(storeError && { storeError }) }
    },
    withReplay(more, bodyTimeoutSeconds) {
      if (takeTurn !== withoutReplay) throw new TypeError('"replay" has been given to the verifier before')
      const replay = ownOptions(more, REPLAY_OPTIONS, 'withReplay')
      return verifierOver(prover, options, remember(replay, prover, digest, bodyTimeoutSeconds), digest)
    },
    optionsFor: async (context = {}) => ({ ...(await readKeys(options, context)), versions, ...window, now }),
  }
}
