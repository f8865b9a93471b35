import { numberOption } from '../check-options.js'
import { typeName, WebhookError } from '../errors.js'
import type { SignatureProof, VerifiedWebhook } from '../events/webhook.js'
import { CANONICAL_FORMS } from '../signature/canonical-json/forms.js'
import { acceptedSecondsOf, type TimeWindow } from '../signature/header.js'
import type { Hmac } from '../signature/hmac/hmac.js'
import { originOf } from '../signature/origin.js'
import { VERSION_NAMES, VERSIONS } from '../signature/versions.js'
import type { ReplayClaim, ReplayStore } from './store.js'

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
  const acceptedSeconds = acceptedSecondsOf(window, bodySeconds)
  // An operator who accepts any age has chosen that.
  if (ttlSeconds >= acceptedSeconds || acceptedSeconds === Infinity) return
  const sum = `toleranceSeconds + futureToleranceSeconds${bodySeconds > 0 ? ' + bodyTimeoutSeconds' : ''}`
  throw new RangeError(
    `"ttlSeconds" of the replay store must be at least ${acceptedSeconds} (${sum}), got ${ttlSeconds}. ` +
      'A delivery is accepted for so long, and would be handled again',
  )
}

/** Lets each delivery be handled once; without a store, each time that it is sent. */
export class ReplayGuard {
  readonly #settings: ReplaySettings | undefined
  readonly #hmac: Pick<Hmac, 'sha256'>

  constructor(settings: ReplaySettings | undefined, hmac: Pick<Hmac, 'sha256'>) {
    this.#settings = settings
    this.#hmac = hmac
  }

  get hasStore(): boolean {
    return this.#settings !== undefined
  }

  /** How long a claim lasts, if it is known. */
  get leaseSeconds(): number | undefined {
    return this.#settings?.store.leaseSeconds
  }

  /**
   * Claims a delivery before it is handled. A duplicate was handled before.
   *
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`
   */
  async claim(webhook: VerifiedWebhook): Promise<DeliveryClaim | 'duplicate'> {
    const settings = this.#settings
    if (settings === undefined) return new DeliveryClaim()
    const { keyOf, onStoreError } = settings
    const key =
      keyOf === undefined ? await deliveryKeyWith(this.#hmac, webhook) : checkReplayKey(keyOf(webhook))
    let claimed: ReplayClaim
    try {
      claimed = await claimKey(settings, key)
    } catch (error) {
      if (onStoreError === 'reject') throw error
      return new DeliveryClaim(undefined, error as WebhookError)
    }
    const { status, token } = claimed
    if (status === 'in-progress') throw new WebhookError('ERR_DELIVERY_IN_PROGRESS')
    if (status === 'done') return 'duplicate'
    return new DeliveryClaim((step) => askStore(settings, step, () => settings.store[step](key, token)))
  }
}

/** The right to handle a delivery, which must be ended once. */
export class DeliveryClaim {
  /** Missing if there is no store, or it could not be asked. */
  readonly #tellStore: ((step: 'commit' | 'release') => Promise<unknown>) | undefined
  /** Why the store does not protect the delivery, although it is handled. */
  storeError: WebhookError | undefined

  constructor(tellStore?: (step: 'commit' | 'release') => Promise<unknown>, storeError?: WebhookError) {
    this.#tellStore = tellStore
    this.storeError = storeError
  }

  /** Runs the handler, and ends the claim with it. @throws {unknown} the error of the handler */
  async run<Result>(handler: () => Result | Promise<Result>): Promise<Result> {
    let result: Result
    try {
      result = await handler()
    } catch (error) {
      await this.end(false)
      throw error
    }
    await this.end(true)
    return result
  }

  /** Reports to the store whether the delivery was handled. Never rejects. */
  async end(hasSucceeded: boolean): Promise<void> {
    try {
      await this.#tellStore?.(hasSucceeded ? 'commit' : 'release')
    } catch (error) {
      // The delivery has been handled, or has failed, whatever happens to the claim: its lease ends by itself.
      this.storeError = error as WebhookError
    }
  }
}

async function claimKey(settings: ReplaySettings, key: string): Promise<ReplayClaim> {
  const { store } = settings
  const claim = await askStore(
    settings,
    'claim',
    () => store.claim(key),
    // Nothing waits for it any more, and a retry need not wait for the end of its lease.
    ({ status, token }) => status === 'new' && store.release(key, token),
  )
  if (isClaim(claim)) return claim
  throw unavailable(`claim must return one of the statuses ${STATUSES.join(', ')}, and a token`)
}

/** @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE` */
async function askStore<Answer>(
  { storeTimeoutSeconds: seconds }: ReplaySettings,
  step: 'claim' | 'commit' | 'release',
  call: () => Answer | Promise<Answer>,
  whenLate: (answer: Answer) => unknown = () => undefined,
): Promise<Answer> {
  let pending: Promise<Answer> | undefined
  try {
    const answer = call()
    // A store in memory answers at once, and needs no timer.
    if (!isPromise(answer)) return answer
    pending = answer
    return await within(seconds, pending, () => new Error(`There was no answer within ${seconds} s`))
  } catch (cause) {
    pending?.then(whenLate).catch(() => undefined)
    throw unavailable(`${step} failed`, cause)
  }
}

/** A webhook, or a proof: what a verifier returned, and not a copy of it. */
export type KeyedDelivery = SignatureProof & {
  readonly event?: { readonly shape: string; readonly reason?: string }
}

/**
 * SHA-256 of what the signature covers, in hex. With v3 that is the body. v1 and v2 do not cover spaces, and v2
 * leaves more open, so a hash of the bytes would let an attacker replay a recorded delivery by adding spaces.
 *
 * But a space inside a string can also keep the delivery from its handler: in an essential key or value it makes the event
 * unrecognized. Such a variant is acknowledged without its handler, so it must not have the key of the signed event, which
 * would then be a duplicate. Unrecognized events are distinguished by their reason: one signed text has two keys at most. A
 * space in any other key removes that field: v1 and v2 do not protect it.
 *
 * The SHA-256 of the key is hashed first, so that two keys never share a delivery. No text that v1 or v2 cover has a line
 * break, so the hashed text can be divided in only one way.
 *
 * @throws {TypeError} on a copy that lost the digest of the key: without it, the key of the delivery would be another one
 */
export function deliveryKeyWith(
  { sha256 }: Pick<Hmac, 'sha256'>,
  delivery: KeyedDelivery,
): string | Promise<string> {
  const origin = originOf(Object(delivery) as object)
  if (origin === undefined) throw new TypeError(NOT_VERIFIED)
  const { rawBody, versions, canonicalForm: form, event } = delivery
  // The rows are in the order of what they protect.
  const version = VERSION_NAMES.filter((name) => versions.includes(name)).at(-1)!
  const [message] = VERSIONS[version].messages(rawBody, form === undefined ? CANONICAL_FORMS : [form])
  return sha256(message!.bytes, `${origin.keyDigest}\n${version}\n${event?.reason ?? ''}\n`)
}

const NOT_VERIFIED =
  'deliveryKey: expected a webhook as verify() returned it, such as req.webhook, and not a copy of it ({ ...webhook }, JSON)'

const STATUSES = ['new', 'in-progress', 'done'] as const satisfies readonly ReplayClaim['status'][]

/** A delivery that is not known to be new is not handled: fail closed. */
function isClaim(value: unknown): value is ReplayClaim {
  const { status, token } = Object(value) as Partial<ReplayClaim>
  return STATUSES.some((each) => each === status) && typeof token === 'string'
}

/** @throws {TypeError} on what `replayKey` must not return */
export function checkReplayKey(key: unknown): string {
  // A store that writes UTF-8 cannot distinguish unpaired surrogates.
  if (typeof key === 'string' && key !== '' && !/\p{Surrogate}/u.test(key)) return key
  throw new TypeError('"replayKey" must return a string that is not empty and has no unpaired surrogates')
}

function unavailable(detail: string, cause?: unknown): WebhookError {
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { detail, cause })
}

/**
 * The result of `pending`, unless the time is up first. The timer is cleared at the end, which that of
 * `AbortSignal.timeout` cannot be: thousands of them would add up.
 *
 * @throws {unknown} the error of `pending`, or that of `timeUp`
 */
export function within<Result>(
  seconds: number,
  pending: Promise<Result>,
  timeUp: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(timeUp())
    }, seconds * 1000)
    // On edge runtimes it is a number.
    ;(timer as { unref?: () => void }).unref?.()
    const clear = () => {
      clearTimeout(timer)
    }
    pending.then(clear, clear)
    pending.then(resolve, reject)
  })
}

function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>> | null | undefined)?.then === 'function'
}
