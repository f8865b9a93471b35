import type { AttemptRecord, Delivery } from './records.js'
import { reprint, type Forgery } from '@service-signature/deliveries'
import { isRefusal } from '@service-signature/deliveries/node'
import { isStable } from './reprint.js'
import { isAccepted } from './verdict.js'

/** So many milliseconds lie between two copies that are sent to one endpoint for the same reason. */
const PAUSE_MS = 5000

/** More endpoints than this are not told apart. */
const MAX_ENDPOINTS = 1000

type Answered = Pick<AttemptRecord, 'at' | 'status' | 'faults'>

/** Decides when a copy is sent to find out what an endpoint does. A correct endpoint refuses each of them. */
export class Checks {
  readonly #which: 'none' | 'own' | 'all'
  /** When a copy was sent because of a refusal, by the endpoint. */
  readonly #refused = new Map<string, number>()
  /** From when on an endpoint that accepts gets another forgery: only if it accepted the last one, or has refused a delivery since. */
  readonly #accepting = new Map<string, number>()

  constructor(which: 'none' | 'own' | 'all') {
    this.#which = which
  }

  /** The forgery that the copy must be, if an attempt calls for one. */
  copyAfter(
    { url, isOwn, body }: Pick<Delivery, 'url' | 'isOwn' | 'body'>,
    attempt: Answered,
  ): Forgery | undefined {
    if (this.#which === 'none' || (this.#which === 'own' && !isOwn)) return undefined
    const { at, status, faults } = attempt
    const endpoint = endpointOf(url)
    if (status === undefined || faults.length > 0) return undefined
    if (isAccepted(attempt)) {
      if (at < (this.#accepting.get(endpoint) ?? -Infinity)) return undefined
      if (this.#accepting.size >= MAX_ENDPOINTS) this.#accepting.clear()
      this.#accepting.set(endpoint, Infinity)
      return 'wrong-secret'
    }
    this.#accepting.delete(endpoint)
    const isPossible = (isRefusal(status) || status === 500) && reprint(body) !== undefined
    if (!isPossible || at - (this.#refused.get(endpoint) ?? -Infinity) < PAUSE_MS) return undefined
    if (this.#refused.size >= MAX_ENDPOINTS) this.#refused.clear()
    this.#refused.set(endpoint, at)
    return isStable(body) ? 'wrong-secret' : 'reprinted'
  }

  /** The forgery that the next copy must be, if the answer to the last one leaves a question. */
  copyAfterCopy({ url }: Pick<Delivery, 'url'>, attempt: Answered, copy: Answered): Forgery | undefined {
    if (isAccepted(copy)) {
      // It may accept every signature.
      if (copy.faults.includes('reprinted')) return 'wrong-secret'
      this.#accepting.set(endpointOf(url), copy.at + PAUSE_MS)
      return undefined
    }
    // It may fail before it looks at the signature, or answer this to each refusal.
    const isFailure = attempt.status === 500 && copy.status === 500 && !copy.faults.includes('no-signature')
    return isFailure ? 'no-signature' : undefined
  }
}

/** The part of an address that is the same for each order: its query may name one. */
export function endpointOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
