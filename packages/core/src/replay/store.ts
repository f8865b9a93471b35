import { typeName } from '../errors.js'
import type { TimeWindow } from '../time-window.js'
import { MAX_SECONDS, numberOption, ownOptions } from '../check-options.js'
import type { VerifiedWebhook } from '../webhook.js'

/** Remembers which deliveries were handled. For your own, `@service-signature/core/testing` has the cases to pass. */
export interface ReplayStore {
  /** Claims a delivery, in one atomic step: of any number of claims of one key at one time, one is `new`. */
  readonly claim: (key: string) => ReplayClaim | Promise<ReplayClaim>
  /** The delivery was handled: the key is `done` from now on. Does nothing if another token holds the claim by now. */
  readonly commit: (key: string, token: string) => unknown
  /** It was not: the key is free again. Does nothing if another token holds the claim by now. */
  readonly release: (key: string, token: string) => unknown
  /** How long a commit is kept, if it is known. It must not be shorter than a delivery is accepted. */
  readonly ttlSeconds?: number
  /** How long a claim lasts, if it is known. */
  readonly leaseSeconds?: number
}

export interface ReplayClaim {
  /**
   * - `new`: handle it; the claim lapses with its lease, if neither commit nor release ends it before
   * - `in-progress`: another request has claimed it
   * - `done`: it was handled before
   */
  readonly status: 'new' | 'in-progress' | 'done'
  /** Names this claim, so that no request ends the claim of another. */
  readonly token: string
}

/** The options of every store. */
export interface ReplayStoreOptions {
  /** How long a claim holds if its process dies: longer than the slowest handler takes. Default: 60. */
  readonly leaseSeconds?: number
  /** How long a handled delivery is remembered: no shorter than a delivery is fresh. Default: a day. */
  readonly ttlSeconds?: number
}

/**
 * A copy of a store's options, in which the times are checked and complete.
 *
 * @param others the names of the options that the store takes besides the times
 * @throws {TypeError | RangeError} on an option that is misspelled, of the wrong type or out of bounds
 */
export function checkStoreOptions<Options extends ReplayStoreOptions>(
  options: Options,
  others: readonly Exclude<keyof Options & string, keyof ReplayStoreOptions>[],
  owner: string,
): Partial<Options> & Required<ReplayStoreOptions> {
  const own = ownOptions(options, [...others, 'leaseSeconds', 'ttlSeconds'], owner)
  const bounds = { above: 0, max: MAX_SECONDS } as const
  return Object.assign(own, {
    leaseSeconds: numberOption(own.leaseSeconds, 'leaseSeconds', 60, bounds),
    ttlSeconds: numberOption(own.ttlSeconds, 'ttlSeconds', 86_400, bounds),
  })
}

/** Handles each delivery once. For `receive` and the adapters; `verify` alone remembers nothing. */
export interface ReplayOptions {
  /** Remembers which deliveries were handled. Default: none, and every retry is handled. */
  readonly replay?: ReplayStore
  /**
   * The key of a delivery: two with the same key are duplicates. Default: `deliveryKey`, the SHA-256 of the key's
   * fingerprint and the signed content.
   */
  readonly replayKey?: (webhook: VerifiedWebhook) => string
  /** While the store is down, `reject` answers 503, and `accept` handles a delivery, perhaps again. Default: `reject`. */
  readonly onStoreError?: 'reject' | 'accept'
  /** How long the store may take to answer. Default: 5. */
  readonly storeTimeoutSeconds?: number
}

export const REPLAY_OPTIONS = ['replay', 'replayKey', 'onStoreError', 'storeTimeoutSeconds'] as const

/** The options, checked and complete. */
export type ReplaySettings = NonNullable<ReturnType<typeof checkReplayOptions>>

/**
 * @param bodySeconds how much later than its header the body of a delivery may be complete
 * @returns undefined if there is no store
 * @throws {TypeError | RangeError} on an option that is wrong or has no effect, or a store that forgets too early
 */
export function checkReplayOptions(options: ReplayOptions, window: TimeWindow, bodySeconds: number) {
  const { replay: store, replayKey: keyOf, onStoreError = 'reject', storeTimeoutSeconds } = options
  if (store === undefined) {
    const idle = REPLAY_OPTIONS.find((name) => options[name] !== undefined)
    if (idle === undefined) return undefined
    throw new TypeError(`"${idle}" has no effect without "replay": memoryReplayStore(), for example`)
  }
  if (!isStore(store)) {
    throw new TypeError(
      `"replay" must be a store with claim, commit and release, got ${typeName(store)}. Pass memoryReplayStore(), for example`,
    )
  }
  checkReplayKeyOption(keyOf)
  if (!['reject', 'accept'].includes(onStoreError)) {
    throw new TypeError(`"onStoreError" must be 'reject' or 'accept'`)
  }
  checkMemory(store, window, bodySeconds)
  return {
    store,
    keyOf,
    onStoreError,
    // No sender waits longer than an hour.
    storeTimeoutSeconds: numberOption(storeTimeoutSeconds, 'storeTimeoutSeconds', 5, { above: 0, max: 3600 }),
  }
}

/** @throws {TypeError} if it is given and not a function */
export function checkReplayKeyOption(keyOf: unknown): void {
  if (keyOf === undefined || typeof keyOf === 'function') return
  throw new TypeError(`"replayKey" must be a function that makes a key of a delivery, got ${typeName(keyOf)}`)
}

function isStore(value: unknown): value is ReplayStore {
  const store = value as Partial<ReplayStore> | null
  return [store?.claim, store?.commit, store?.release].every((step) => typeof step === 'function')
}

/** A store that forgets a delivery which is still accepted would let it be handled twice. */
function checkMemory({ ttlSeconds = Infinity }: ReplayStore, window: TimeWindow, bodySeconds: number): void {
  const acceptedSeconds = window.toleranceSeconds + window.futureToleranceSeconds + bodySeconds
  // An operator who accepts any age has chosen that.
  if (ttlSeconds >= acceptedSeconds || acceptedSeconds === Infinity) return
  const sum = `toleranceSeconds + futureToleranceSeconds${bodySeconds > 0 ? ' + bodyTimeoutSeconds' : ''}`
  throw new RangeError(
    `"ttlSeconds" of the replay store must be at least ${acceptedSeconds} (${sum}), got ${ttlSeconds}. ` +
      'A delivery is accepted for so long, and would be handled again',
  )
}
