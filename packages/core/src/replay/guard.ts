import { WebhookError } from '../errors.js'
import type { VerifiedWebhook } from '../events/event.js'
import { checkReplayKey } from '../shared/replay-key.js'
import { within } from '../shared/within.js'
import type { Hmac } from '../signature/hmac/hmac.js'
import type { TimeWindow } from '../verify/time-window.js'
import { deliveryKeyWith } from './delivery-key.js'
import { checkReplayOptions, type ReplayOptions, type ReplaySettings } from './replay-options.js'
import type { ReplayClaim } from './store.js'

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

  /** @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE` */
  async claim(webhook: VerifiedWebhook): Promise<DeliveryClaim | 'duplicate'> {
    const settings = this.#settings
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

/** None without a store. @throws {TypeError | RangeError} on wrong options */
export function replayGuardFor(
  options: ReplayOptions,
  window: TimeWindow,
  bodySeconds: number,
  hmac: Pick<Hmac, 'sha256'>,
): ReplayGuard | undefined {
  const settings = checkReplayOptions(options, window, bodySeconds)
  return settings && new ReplayGuard(settings, hmac)
}

/** The right to handle a delivery, which must be ended once. */
export class DeliveryClaim {
  /** Missing if the store could not be asked. */
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
  // Nothing waits for a late claim, and a retry need not wait for the end of its lease.
  const whenLate = ({ status, token }: ReplayClaim) => status === 'new' && store.release(key, token)
  const claim = await askStore(settings, 'claim', () => store.claim(key), whenLate)
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

const STATUSES: readonly unknown[] = ['new', 'in-progress', 'done'] satisfies ReplayClaim['status'][]

/** A delivery that is not known to be new is not handled: fail closed. */
function isClaim(value: unknown): value is ReplayClaim {
  const { status, token } = Object(value) as Partial<ReplayClaim>
  return STATUSES.includes(status) && typeof token === 'string'
}

function unavailable(detail: string, cause?: unknown): WebhookError {
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { detail, cause })
}

function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>> | null | undefined)?.then === 'function'
}
