import { within } from '@service-signature/core/shared/within'
import type { InboxRow } from './fake-database.js'

/** Faults that the fake can have on purpose, as a wrong inbox would cause them. */
export type InnodbMistake =
  | 'inserts outside of the transaction'
  | 'commits before the handler'
  | 'forgets that a key was handled'
  | 'does not wait for other transactions'
  | 'begins with START TRANSACTION'
  | 'does not notice that the transaction has ended'
  | 'swallows a deadlock of the insertion'
  | 'leaves out ROLLBACK'
  | 'leaves out the settings of the session'

/** A row keeps the claim that was there before it was handled. */
export type Rows = Map<string, InboxRow | undefined>

/** One transaction, of one statement or more. */
export class Transaction {
  readonly writes: Rows = new Map()
  readonly bookings: string[] = []
  hasSavepoint = false
}

interface Waiting {
  readonly transaction: Transaction
  /** Whether the statement inserts the key if it is not there. */
  readonly isInsertion: boolean
  readonly proceed: () => void
  readonly fail: (error: Error) => void
}

/** The table of the inbox and its row locks, as InnoDB has them. */
export class FakeInnodb {
  readonly rows = new Map<string, InboxRow>()
  /** The bookings of committed transactions. */
  readonly bookings: string[] = []
  readonly mistake: InnodbMistake | undefined
  readonly now: () => number
  readonly #owners = new Map<string, Transaction>()
  /** Statements that wait for a key, in the order of their arrival. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(mistake?: InnodbMistake, now: () => number = Date.now) {
    this.mistake = mistake
    this.now = now
  }

  get contents(): unknown {
    return [[...this.rows], this.bookings, [...this.#owners.keys()]]
  }

  /** The keys that it has locked, and whether it has written them. */
  heldBy(transaction: Transaction): unknown {
    const held = [...this.#owners].filter(([, owner]) => owner === transaction)
    return held.map(([key]) => [key, transaction.writes.has(key)])
  }

  /** The row as this transaction sees it. Every statement of the inbox reads what was committed last. */
  row(key: string, { writes }: Transaction): InboxRow | undefined {
    return writes.has(key) ? writes.get(key) : this.rows.get(key)
  }

  /** Whether READ UNCOMMITTED shows a row of the key. */
  hasRow(key: string): boolean {
    const owner = this.#owners.get(key)
    return owner?.writes.has(key) === true ? owner.writes.get(key) !== undefined : this.rows.has(key)
  }

  /** Locks a key for a transaction, until it ends. Waits for another transaction that has locked it. */
  async lock(
    key: string,
    transaction: Transaction,
    { seconds, isInsertion }: { readonly seconds: number; readonly isInsertion: boolean },
  ): Promise<void> {
    const owner = this.#owners.get(key)
    const isFree = owner === undefined || owner === transaction
    if (isFree || this.mistake === 'does not wait for other transactions') {
      this.#owners.set(key, transaction)
      return
    }
    const timedOut = () =>
      serverError(1205, 'HY000', 'Lock wait timeout exceeded; try restarting transaction')
    if (seconds === 0) throw timedOut()
    const queue = this.#waiting.get(key) ?? []
    this.#waiting.set(key, queue)
    let waiting!: Waiting
    const turn = new Promise<void>((proceed, fail) => {
      waiting = { transaction, isInsertion, proceed, fail }
    })
    queue.push(waiting)
    try {
      await within(seconds, turn, timedOut)
    } finally {
      remove(queue, waiting)
    }
  }

  commit(transaction: Transaction): void {
    for (const [key, row] of transaction.writes) {
      if (row === undefined) this.rows.delete(key)
      else this.rows.set(key, row)
    }
    this.bookings.push(...transaction.bookings)
    this.#unlock(transaction, () => false)
  }

  rollback(transaction: Transaction): void {
    this.#unlock(transaction, (key) => transaction.writes.has(key) && !this.rows.has(key))
  }

  #unlock(transaction: Transaction, isInsertionUndone: (key: string) => boolean): void {
    for (const [key, owner] of this.#owners) {
      if (owner !== transaction) continue
      this.#owners.delete(key)
      const queue = this.#waiting.get(key) ?? []
      if (isInsertionUndone(key)) endInDeadlocks(queue)
      const next = queue.shift()
      if (next === undefined) continue
      this.#owners.set(key, next.transaction)
      next.proceed()
    }
  }
}

/**
 * With the row, the locks that statements wait for become locks of the gap, which all of them get. Each insertion then waits for the
 * others: all but one fail. MariaDB mostly spares the last one.
 */
function endInDeadlocks(queue: Waiting[]): void {
  const insertions = queue.filter(({ isInsertion }) => isInsertion)
  for (const waiting of insertions.slice(0, -1)) {
    remove(queue, waiting)
    waiting.fail(deadlock())
  }
}

function remove<Item>(list: Item[], item: Item): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}

export function deadlock(): Error {
  return serverError(1213, '40001', 'Deadlock found when trying to get lock; try restarting transaction')
}

/** An error as `mysql2` gives it. */
export function serverError(errno: number, sqlState: string, message: string): Error {
  return Object.assign(new Error(message), { errno, sqlState })
}
