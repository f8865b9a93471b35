import { within } from '@service-signature/core/shared/within'
import { statementsFor } from '../../../../../packages/postgres/src/statements.js'
import { TIMES } from '../simulation.js'

/** The statements of handlers: one books a delivery, the other one fails in every database. */
export const BOOK = 'INSERT INTO bookings VALUES ($1)'
export const FAILING = 'SELECT nothing'

/** The statements of the inbox. The fake knows only these and the statements above. */
export const SQL = statementsFor(['service_signature_inbox'], TIMES)

/** Faults that the fake can have on purpose. */
export type Mistake =
  | 'inserts outside of the transaction'
  | 'commits before the handler'
  | 'forgets that a key was handled'
  | 'does not wait for other transactions'
  | 'accepts a failed transaction'
  | 'leaves out ROLLBACK'

/** A row of the table. */
export interface InboxRow {
  readonly handledAt?: number
  readonly token?: string
  readonly claimedUntil?: number
}

/** One transaction, of one statement or more. */
export class Transaction {
  readonly startedAt: number
  readonly writes = new Map<string, InboxRow | undefined>()
  readonly bookings: string[] = []
  hasFailed = false
  /** The cursor that the inbox declares at its beginning. */
  hasCursor = false
  /** The lock_timeout, in milliseconds; 0 for none. */
  lockTimeout: number
  /** What the inbox keeps of it while it waits for its key. */
  previousLockTimeout = 0
  end!: () => void
  readonly ended = new Promise<void>((resolve) => {
    this.end = resolve
  })

  constructor(startedAt: number, lockTimeout: number) {
    this.startedAt = startedAt
    this.lockTimeout = lockTimeout
  }
}

/** The table of the inbox and its row locks, as PostgreSQL has them. */
export class FakeDatabase {
  readonly rows = new Map<string, InboxRow>()
  /** The bookings of committed transactions. */
  readonly bookings: string[] = []
  /** The lock_timeout of the sessions, in milliseconds; 0 for none. */
  lockTimeout = 0
  readonly mistake: Mistake | undefined
  readonly #now: () => number
  readonly #owners = new Map<string, Transaction>()

  constructor(mistake?: Mistake, now: () => number = Date.now) {
    this.mistake = mistake
    this.#now = now
  }

  get contents(): unknown {
    return [[...this.rows], this.bookings, [...this.#owners.keys()]]
  }

  /** The keys that it has locked. */
  keysOf(transaction: Transaction): string[] {
    return [...this.#owners].filter(([, owner]) => owner === transaction).map(([key]) => key)
  }

  begin(): Transaction {
    return new Transaction(this.#now(), this.lockTimeout)
  }

  /** Locks a row for a transaction, until it ends. Waits for another transaction that has locked it. */
  async lock(key: string, transaction: Transaction): Promise<void> {
    const timedOut = () => sqlError('55P03', 'canceling statement due to lock timeout')
    for (let owner; (owner = this.#owners.get(key)) !== undefined && owner !== transaction;) {
      if (this.mistake === 'does not wait for other transactions') break
      const { lockTimeout } = transaction
      await (lockTimeout === 0 ? owner.ended : within(lockTimeout / 1000, owner.ended, timedOut))
    }
    this.#owners.set(key, transaction)
  }

  commit(transaction: Transaction): void {
    for (const [key, row] of transaction.writes) {
      if (row === undefined) this.rows.delete(key)
      else this.rows.set(key, row)
    }
    this.bookings.push(...transaction.bookings)
    this.rollback(transaction)
  }

  rollback(transaction: Transaction): void {
    for (const [key, owner] of this.#owners) if (owner === transaction) this.#owners.delete(key)
    transaction.end()
  }
}

/** An error as `pg` gives it. */
export function sqlError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: 'ERROR' })
}
