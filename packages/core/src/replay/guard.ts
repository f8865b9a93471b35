import { WebhookError } from '../errors.js'
import { within } from '../time-limit.js'
import type { VerifiedWebhook } from '../webhook.js'
import type { Digest } from '../digest/digest.js'
import { deliveryKeyWith } from './delivery-key.js'
import type { ReplayClaim, ReplaySettings } from './store.js'

/**
 * Asks for the turn with a delivery.
 *
 * @param onFailure told what the store did wrong, where the delivery does not suffer for it
 * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`
 */
export type TakeTurn = (webhook: VerifiedWebhook, onFailure: (error: WebhookError) => void) => Promise<Turn>

export interface Turn {
  /** It was handled before: it is to be acknowledged, and not to be handled. */
  readonly isDuplicate: boolean
  /** Tells the store how the handling ended, if there is one to tell. Never rejects. */
  readonly end?: (hasSucceeded: boolean) => Promise<void>
}

/** Handles the delivery in its turn. If that fails, the next one to bring it has the turn. */
export async function handleInTurn<Result>(
  turn: Turn,
  handle: () => Result | Promise<Result>,
): Promise<Result> {
  let hasSucceeded = false
  try {
    const result = await handle()
    hasSucceeded = true
    return result
  } finally {
    await turn.end?.(hasSucceeded)
  }
}

const FREE: Turn = { isDuplicate: false }
const DUPLICATE: Turn = { isDuplicate: true }

/** Where nothing is remembered, it is always the turn of who asks. */
export const withoutReplay: TakeTurn = () => Promise.resolve(FREE)

export function guardReplay(
  { store, keyOf, onStoreError, storeTimeoutSeconds }: ReplaySettings,
  digest: Pick<Digest<unknown>, 'sha256'>,
): TakeTurn {
  const timeUp = () => new Error(`There was no answer within ${storeTimeoutSeconds} s`)

  async function ask<Answer>(
    step: 'claim' | 'commit' | 'release',
    call: () => Answer | Promise<Answer>,
    whenLate: (answer: Answer) => unknown = () => undefined,
  ): Promise<Answer> {
    let answer: Answer | Promise<Answer>
    try {
      answer = call()
      // A store in memory answers at once, and needs no timer.
      if (!isPromise(answer)) return answer
    } catch (cause) {
      throw unavailable(`${step} failed`, cause)
    }
    const pending = answer
    try {
      return await within(storeTimeoutSeconds, pending, timeUp)
    } catch (cause) {
      pending.then(whenLate).catch(() => undefined)
      throw unavailable(`${step} failed`, cause)
    }
  }

  async function claim(key: string): Promise<ReplayClaim> {
    const claimed = await ask(
      'claim',
      () => store.claim(key),
      // Nobody waits for it any more, and the next one to bring the delivery need not wait for the end of its lease.
      ({ status, token }) => status === 'new' && store.release(key, token),
    )
    if (isClaim(claimed)) return claimed
    throw unavailable(`claim must give one of the statuses ${STATUSES.join(', ')}, and a token`)
  }

  return async (webhook, onFailure) => {
    const key = keyOf === undefined ? await deliveryKeyWith(digest, webhook) : checkKey(keyOf(webhook))
    let claimed: ReplayClaim
    try {
      claimed = await claim(key)
    } catch (error) {
      if (onStoreError === 'reject') throw error
      onFailure(error as WebhookError)
      return FREE
    }
    const { status, token } = claimed
    if (status === 'in-progress') throw new WebhookError('ERR_DELIVERY_IN_PROGRESS')
    if (status === 'done') return DUPLICATE
    return {
      isDuplicate: false,
      async end(hasSucceeded) {
        const step = hasSucceeded ? 'commit' : 'release'
        try {
          await ask(step, () => store[step](key, token))
        } catch (error) {
          // The delivery has been handled, or has failed, whatever becomes of the claim: its lease ends by itself.
          onFailure(error as WebhookError)
        }
      },
    }
  }
}

const STATUSES = ['new', 'in-progress', 'done'] as const satisfies readonly ReplayClaim['status'][]

/** What is not known to be new is not handled: fail closed. */
function isClaim(value: unknown): value is ReplayClaim {
  const { status, token } = Object(value) as Partial<ReplayClaim>
  return STATUSES.some((each) => each === status) && typeof token === 'string'
}

function checkKey(key: unknown): string {
  // Halves of a character are all the same to a store that writes UTF-8.
  if (typeof key === 'string' && key !== '' && !/\p{Surrogate}/u.test(key)) return key
  throw new TypeError('"replayKey" must give a text that is not empty, and without half characters')
}

function unavailable(detail: string, cause?: unknown): WebhookError {
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { detail, cause })
}

function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>> | null | undefined)?.then === 'function'
}
