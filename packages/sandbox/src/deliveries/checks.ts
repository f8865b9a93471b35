import type { AttemptRecord, Delivery, Forgery } from '../store/records.js'
import { isRefusal } from './answer-causes.js'
import { isAccepted } from './attempt.js'
import { isStable, reprint } from './reprint.js'

/** So many milliseconds lie between two copies that are sent to one endpoint because of refusals. */
const PAUSE_MS = 5000

/** More endpoints than this are not told apart. */
const MAX_ENDPOINTS = 1000

/** Decides when a copy is sent to find out what an endpoint does. A correct endpoint refuses each of them. */
export class Checks {
  /** When a copy was sent because of a refusal, by the address. */
  readonly #refused = new Map<string, number>()
  /** The endpoints that got a forgery since they began to accept. */
  readonly #accepting = new Set<string>()

  /** The forgery that the copy must be, if an attempt calls for one. */
  copyAfter(
    { url }: Pick<Delivery, 'url'>,
    attempt: Pick<AttemptRecord, 'at' | 'status' | 'faults'>,
    body: string,
  ): Forgery | undefined {
    const { at, status, faults } = attempt
    if (status === undefined || faults.length > 0) return undefined
    if (isAccepted(attempt)) {
      if (this.#accepting.has(url)) return undefined
      if (this.#accepting.size >= MAX_ENDPOINTS) this.#accepting.clear()
      this.#accepting.add(url)
      return 'wrong-secret'
    }
    this.#accepting.delete(url)
    const isPossible = (isRefusal(status) || status === 500) && reprint(body) !== undefined && !isStable(body)
    if (!isPossible || at - (this.#refused.get(url) ?? -Infinity) < PAUSE_MS) return undefined
    if (this.#refused.size >= MAX_ENDPOINTS) this.#refused.clear()
    this.#refused.set(url, at)
    return 'reprinted'
  }
}
