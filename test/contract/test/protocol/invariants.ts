import type { Delivery } from './sender.js'
import { TIMES, type Process, type StoreKind } from './simulation.js'

/** The rules that every schedule must satisfy. */
export type Invariant =
  | 'one handler at a time, within the lease'
  | 'no acknowledgement before the delivery is handled'
  | 'every delivery is handled in the end'
  | 'an effect is committed exactly once'
  | 'handled again only for a known reason'
  | 'no duplicate is acknowledged while a handler runs'
  | 'a connection goes back outside of a transaction'

/** Why a delivery is handled again by a replay store, which promises at least once. */
export type Reason =
  | 'a crash before the commit'
  | 'the commit was lost'
  | 'the lease ran out before the commit'
  | 'another process, with its own store'

/** One request of the sender, as a worker has received it. */
export interface Attempt {
  readonly name: string
  readonly delivery: Delivery
  readonly process: Process
  /** Until then no other attempt may be handled. A lease may last longer: it begins when the store gets the claim. */
  holdsUntil: number
  state: 'received' | 'handling' | 'handled' | 'failed'
  /** When the commit reached the store. */
  committedAt?: number
}

/**
 * Observes every step, and checks it at once. It does not read any store: it knows only the requests and their times.
 */
export class History {
  readonly violations: { readonly invariant: Invariant; readonly detail: string }[] = []
  readonly reasons: Reason[] = []
  readonly #kind: StoreKind
  readonly #attempts: Attempt[] = []

  constructor(kind: StoreKind) {
    this.#kind = kind
  }

  /** All that later checks depend on. A request that is not `live` does nothing any more. */
  stateOf(isLive: (name: string) => boolean): unknown[][] {
    return this.#attempts
      .filter(({ name, state }) => isLive(name) || state === 'handling' || state === 'handled')
      .map(({ name, delivery, process, holdsUntil, state, committedAt }) => [
        ...[isLive(name) && name, !this.#kind.isShared && process.name, process.hasCrashed],
        ...[holdsUntil, state, committedAt, delivery.isAcknowledged, delivery.bookings],
      ])
  }

  /** A worker receives a request. */
  arrives(name: string, delivery: Delivery, process: Process): Attempt {
    // Without a lease, the transaction locks the delivery until it ends.
    const holdsUntil = this.#kind.isTransactional ? Infinity : Date.now() + TIMES.leaseSeconds * 1000
    const attempt: Attempt = { name, delivery, process, holdsUntil, state: 'received' }
    this.#attempts.push(attempt)
    return attempt
  }

  /** Its handler is called. */
  starts(attempt: Attempt): void {
    const running = this.#holder(attempt)
    if (running !== undefined) {
      const detail = `${attempt.name} is handled while ${running.name} is`
      this.violates('one handler at a time, within the lease', detail)
    }
    attempt.state = 'handling'
    // In a transaction, a handler that ran but was not committed has left nothing, so bookings are counted.
    if (this.#kind.isTransactional) return
    for (const earlier of this.#others(attempt)) this.#again(attempt, earlier)
  }

  /** A transaction is committed, and these are all its bookings. */
  books(delivery: Delivery, bookings: readonly string[]): void {
    const count = bookings.filter((name) => name === delivery.name).length
    delivery.bookings = count
    if (count > 1) this.violates('an effect is committed exactly once', `${delivery.name}: ${count} times`)
  }

  /** The worker responds to the sender. */
  responds(attempt: Attempt, status: number): void {
    if (status < 200 || status > 299) return
    const running = attempt.state === 'handled' ? undefined : this.#holder(attempt)
    if (running !== undefined) {
      const detail = `${attempt.name} is answered with ${status} while ${running.name} is handled`
      this.violates('no duplicate is acknowledged while a handler runs', detail)
    }
    const isHandled = this.#kind.isTransactional
      ? attempt.delivery.bookings > 0
      : [attempt, ...this.#others(attempt)].some((each) => this.#shares(attempt, each) && isDone(each))
    if (!isHandled) {
      const detail = `${attempt.name} is answered with ${status}`
      this.violates('no acknowledgement before the delivery is handled', detail)
    }
  }

  /** The faults are over, and the sender has retried. */
  ends(delivery: Delivery): void {
    if (this.#kind.isTransactional && delivery.isAcknowledged && delivery.bookings !== 1) {
      this.violates('an effect is committed exactly once', `${delivery.name}: ${delivery.bookings} times`)
    }
    const isHandled = this.#attempts.some((each) => each.delivery === delivery && isDone(each))
    if (isHandled && delivery.isAcknowledged) return
    const end = isHandled ? 'not acknowledged' : 'not handled'
    this.violates('every delivery is handled in the end', `${delivery.name} is ${end}`)
  }

  violates(invariant: Invariant, detail: string): void {
    this.violations.push({ invariant, detail })
  }

  /** An attempt is handled after an earlier one, which needs a reason. */
  #again(attempt: Attempt, earlier: Attempt): void {
    const isLost = earlier.process.hasCrashed
    if (!isDone(earlier) && (earlier.state !== 'handling' || isLost)) return
    if (!this.#shares(attempt, earlier)) this.reasons.push('another process, with its own store')
    else if (Date.now() < earlier.holdsUntil || isRemembered(earlier)) {
      const detail = `${attempt.name} is handled after ${earlier.name} was`
      this.violates('handled again only for a known reason', detail)
    } else if (earlier.committedAt !== undefined || !isDone(earlier)) {
      this.reasons.push('the lease ran out before the commit')
    } else this.reasons.push(isLost ? 'a crash before the commit' : 'the commit was lost')
  }

  /** The attempt, if there is one, that is handled now and whose claim is valid. */
  #holder(attempt: Attempt): Attempt | undefined {
    return this.#others(attempt).find(
      (each) =>
        each.state === 'handling' &&
        !each.process.hasCrashed &&
        Date.now() < each.holdsUntil &&
        this.#shares(attempt, each),
    )
  }

  #others(attempt: Attempt): Attempt[] {
    return this.#attempts.filter((each) => each !== attempt && each.delivery === attempt.delivery)
  }

  #shares(one: Attempt, other: Attempt): boolean {
    return this.#kind.isShared || one.process === other.process
  }
}

function isDone({ state }: Attempt): boolean {
  return state === 'handled'
}

/** Whether the commit came in time. After the lease, it must not end the claim of another attempt. */
function isRemembered({ committedAt = Infinity, holdsUntil }: Attempt): boolean {
  return committedAt < holdsUntil && Date.now() < committedAt + TIMES.ttlSeconds * 1000
}
