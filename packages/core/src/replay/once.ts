import { CANONICAL_FORMS } from '../canonical-json/forms.js'
import { WebhookError } from '../errors.js'
import type { Hmac } from '../hmac/hmac.js'
import { VERSION_NAMES, VERSIONS } from '../versions.js'
import type { SignatureProof, VerifiedWebhook } from '../webhook.js'
import type { ReplayClaim, ReplaySettings } from './store.js'

/** Lets each delivery be handled once. */
export class ReplayGuard {
  readonly #settings: ReplaySettings
  readonly #hmac: Pick<Hmac, 'sha256'>

  constructor(settings: ReplaySettings, hmac: Pick<Hmac, 'sha256'>) {
    this.#settings = settings
    this.#hmac = hmac
  }

  /** How long a claim lasts, if it is known. */
  get leaseSeconds(): number | undefined {
    return this.#settings.store.leaseSeconds
  }

  /**
   * Claims a delivery before it is handled. A duplicate was handled before.
   *
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`
   */
  async claim(webhook: VerifiedWebhook): Promise<DeliveryClaim | 'duplicate'> {
    const { keyOf, onStoreError } = this.#settings
    const key =
      keyOf === undefined ? await deliveryKeyWith(this.#hmac, webhook) : checkReplayKey(keyOf(webhook))
    let claim: ReplayClaim
    try {
      claim = await this.#claimKey(key)
    } catch (error) {
      if (onStoreError === 'reject') throw error
      const storeError = error as WebhookError
      return { storeError, end: () => Promise.resolve(undefined) }
    }
    const { status, token } = claim
    if (status === 'in-progress') throw new WebhookError('ERR_DELIVERY_IN_PROGRESS')
    if (status === 'done') return 'duplicate'
    return { end: (hasSucceeded) => this.#end(hasSucceeded, key, token) }
  }

  async #claimKey(key: string): Promise<ReplayClaim> {
    const { store } = this.#settings
    const claim = await this.#ask(
      'claim',
      () => store.claim(key),
      // Nothing waits for it any more, and a retry need not wait for the end of its lease.
      ({ status, token }) => status === 'new' && store.release(key, token),
    )
    if (isClaim(claim)) return claim
    throw unavailable(`claim must return one of the statuses ${STATUSES.join(', ')}, and a token`)
  }

  async #end(hasSucceeded: boolean, key: string, token: string): Promise<WebhookError | undefined> {
    const { store } = this.#settings
    const step = hasSucceeded ? 'commit' : 'release'
    try {
      await this.#ask(step, () => store[step](key, token))
      return undefined
    } catch (error) {
      // The delivery has been handled, or has failed, whatever happens to the claim: its lease ends by itself.
      return error as WebhookError
    }
  }

  async #ask<Answer>(
    step: 'claim' | 'commit' | 'release',
    call: () => Answer | Promise<Answer>,
    whenLate: (answer: Answer) => unknown = () => undefined,
  ): Promise<Answer> {
    const { storeTimeoutSeconds: seconds } = this.#settings
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
}

/** What identifies a delivery: a webhook or a proof, or the bytes alone. */
export type KeyedDelivery = Pick<SignatureProof, 'rawBody'> &
  Partial<Pick<SignatureProof, 'versions' | 'canonicalForm' | 'keyFingerprint'>> & {
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
 * The fingerprint of the key is hashed first, so that two keys never share a delivery. No text that v1 or v2 cover has a line
 * break, so the hashed text can be divided in only one way.
 */
export function deliveryKeyWith(
  { sha256 }: Pick<Hmac, 'sha256'>,
  { rawBody, versions = ['v3'], canonicalForm: form, keyFingerprint, event }: KeyedDelivery,
): string | Promise<string> {
  // The rows are in the order of what they protect.
  const version = VERSION_NAMES.filter((name) => versions.includes(name)).at(-1)!
  const [message] = VERSIONS[version].messages(rawBody, form === undefined ? CANONICAL_FORMS : [form])
  if (keyFingerprint === undefined) return sha256(message!.bytes)
  return sha256(message!.bytes, `${keyFingerprint}\n${version}\n${event?.reason ?? ''}\n`)
}

/** The right to handle a delivery. */
export interface DeliveryClaim {
  /** Why the store could not be asked, if the delivery is handled anyway. */
  readonly storeError?: WebhookError
  /**
   * Reports to the store whether the delivery was handled. Never rejects.
   *
   * @returns the error of the store, if it failed
   */
  readonly end: (hasSucceeded: boolean) => Promise<WebhookError | undefined>
}

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
export async function within<Result>(
  seconds: number,
  pending: Promise<Result>,
  timeUp: () => Error,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(timeUp())
    }, seconds * 1000)
  })
  // On edge runtimes it is a number.
  ;(timer as { unref?: () => void } | undefined)?.unref?.()
  try {
    return await Promise.race([late, pending])
  } finally {
    clearTimeout(timer)
  }
}

function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>> | null | undefined)?.then === 'function'
}
