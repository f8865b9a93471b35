import type { VerifiedWebhook } from '../events/event.js'
import { numberOption, typeName } from '../shared/check-options.js'
import { checkReplayKeyOption } from '../shared/replay-key.js'
import { acceptedSecondsOf, type TimeWindow } from '../verify/time-window.js'
import type { ReplayStore } from './store.js'

/** Handles each delivery once. For `receive` and the adapters; `verify` alone remembers nothing. */
export interface ReplayOptions {
  /** Remembers which deliveries were handled. Default: none, and every retry is handled. */
  readonly replay?: ReplayStore
  /**
   * The key of a delivery: two with the same key are duplicates. Default: `deliveryKey`, a SHA-256 of the key that matched and
   * of the signed content.
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

/** Undefined without a store. @throws {TypeError | RangeError} also on a store that forgets too early */
export function checkReplayOptions(options: ReplayOptions, window: TimeWindow, bodySeconds: number) {
  const { replay: store, replayKey: keyOf, onStoreError = 'reject' } = options
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
    storeTimeoutSeconds: numberOption(options, 'storeTimeoutSeconds', 5, { above: 0, max: 3600 }),
  }
}

function isStore(value: unknown): value is ReplayStore {
  const store = value as Partial<ReplayStore> | null
  return [store?.claim, store?.commit, store?.release].every((step) => typeof step === 'function')
}

/** A store that forgets a delivery which is still accepted would let it be handled twice. */
function checkMemory({ ttlSeconds = Infinity }: ReplayStore, window: TimeWindow, bodySeconds: number): void {
  const acceptedSeconds = acceptedSecondsOf(window, bodySeconds)
  // An operator who accepts any age has chosen that.
  if (ttlSeconds >= acceptedSeconds || acceptedSeconds === Infinity) return
  const sum = `toleranceSeconds + futureToleranceSeconds${bodySeconds > 0 ? ' + bodyTimeoutSeconds' : ''}`
  throw new RangeError(
    `"ttlSeconds" of the replay store must be at least ${acceptedSeconds} (${sum}), got ${ttlSeconds}. ` +
      'A delivery is accepted for so long, and would be handled again',
  )
}
