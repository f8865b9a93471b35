import type { AttemptRecord, Delivery } from './records.js'
import type { Forgery } from '@service-signature/deliveries'
import { isRefusal } from './answer-causes.js'
import { reprintChange } from './reprint.js'
import { isAccepted } from './verdict.js'

/** So many milliseconds lie between two copies that are sent to one endpoint because of refusals. */
const PAUSE_MS = 5000

/** More endpoints than this are not told apart. */
const MAX_ENDPOINTS = 1000

/** Decides when a copy is sent to find out what an endpoint does. A correct endpoint refuses each of them. */
export class Checks {
  readonly #which: 'none' | 'own' | 'all'
  /** When a copy was sent because of a refusal, by the endpoint. */
  readonly #refused = new Map<string, number>()
  /** The endpoints that got a forgery since they began to accept. */
  readonly #accepting = new Set<string>()

  constructor(which: 'none' | 'own' | 'all') {
    this.#which = which
  }

  /** The forgery that the copy must be, if an attempt calls for one. */
  copyAfter(
    { url, isOwn }: Pick<Delivery, 'url' | 'isOwn'>,
    attempt: Pick<AttemptRecord, 'at' | 'status' | 'faults'>,
    body: string,
  ): Forgery | undefined {
    if (this.#which === 'none' || (this.#which === 'own' && !isOwn)) return undefined
    const { at, status, faults } = attempt
    const endpoint = endpointOf(url)
    if (status === undefined || faults.length > 0) return undefined
    if (isAccepted(attempt)) {
      if (this.#accepting.has(endpoint)) return undefined
      if (this.#accepting.size >= MAX_ENDPOINTS) this.#accepting.clear()
      this.#accepting.add(endpoint)
      return 'wrong-secret'
    }
    this.#accepting.delete(endpoint)
    const isPossible = (isRefusal(status) || status === 500) && reprintChange(body) !== undefined
    if (!isPossible || at - (this.#refused.get(endpoint) ?? -Infinity) < PAUSE_MS) return undefined
    if (this.#refused.size >= MAX_ENDPOINTS) this.#refused.clear()
    this.#refused.set(endpoint, at)
    return 'reprinted'
  }
}

/** The part of an address that is the same for each order: its query may name one. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
