import { within } from '@service-signature/core/node'
import { statementsFor, type Row } from '../../../../postgres/src/statements.js'
import { TIMES } from '../simulation.js'

/** The statements of handlers: one books a delivery, the other one fails. */
export const BOOK = 'INSERT INTO bookings VALUES ($1)'
export const FAILING = 'SELECT 1 / 0'

/** The statements of the inbox. Together with those above, the fake knows them and no others. */
export const SQL = statementsFor(['service_signature_inbox'], TIMES)

/** What the fake does wrong on purpose. */
export type Mistake =
  | 'inserts outside of the transaction'
  | 'commits before the handler'
  | 'forgets that a key was handled'
  | 'does not wait for other transactions'
  | 'accepts a failed transaction'

interface InboxRow {
  readonly handledAt?: number
  readonly token?: string
  readonly claimedUntil?: number
}

class Transaction {
  readonly startedAt = Date.now()
  readonly writes = new Map<string, InboxRow | undefined>()
  readonly bookings: string[] = []
  hasFailed = false
  id: number | undefined
  /** In milliseconds; 0 for none. */
  lockTimeout = 0
  end!: () => void
  readonly ended = new Promise<void>((resolve) => {
    this.end = resolve
  })
}

/** The table of the inbox and its row locks, as PostgreSQL has them. Its clock is `Date.now`. */
export class FakeDatabase {
  readonly rows = new Map<string, InboxRow>()
  /** What the committed transactions have booked. */
  readonly bookings: string[] = []
  readonly mistake: Mistake | undefined
  readonly #owners = new Map<string, Transaction>()
  #lastId = 0

  constructor(mistake?: Mistake) {
    this.mistake = mistake
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
    transaction.id ??= ++this.#lastId
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

/** What the server does for one connection. */
export class Session {
  readonly #database: FakeDatabase
  #transaction: Transaction | undefined
  #isClosed = false

  constructor(database: FakeDatabase) {
    this.#database = database
  }

  get isInTransaction(): boolean {
    return this.#transaction !== undefined
  }

  async execute(text: string, values: readonly string[] = []): Promise<{ rows: Row[]; command: string }> {
    this.#checkOpen()
    if (text === 'BEGIN') this.#transaction = new Transaction()
    if (text === 'COMMIT' || text === 'ROLLBACK') return { rows: [], command: this.#end(text) }
    const rows = text === 'BEGIN' ? [] : await this.#run(text, values)
    if (this.#isClosed) this.#end('ROLLBACK')
    return { rows, command: text.trim().split(/\s/)[0]! }
  }

  /** The server notices that the client is gone. A statement that waits for a lock goes on. */
  close(): void {
    this.#isClosed = true
    this.#end('ROLLBACK')
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error('The connection is closed')
  }

  #end(command: string): string {
    const transaction = this.#transaction
    this.#transaction = undefined
    if (transaction === undefined) return command
    if (transaction.hasFailed || command === 'ROLLBACK') {
      this.#database.rollback(transaction)
      return this.#database.mistake === 'accepts a failed transaction' ? command : 'ROLLBACK'
    }
    this.#database.commit(transaction)
    return command
  }

  async #run(text: string, values: readonly string[]): Promise<Row[]> {
    const transaction = this.#transaction ?? new Transaction()
    const isAlone = transaction !== this.#transaction
    const isTolerant = this.#database.mistake === 'accepts a failed transaction'
    if (transaction.hasFailed && !isTolerant) throw sqlError('25P02', 'current transaction is aborted')
    try {
      const rows = await this.#statement(transaction, text, values)
      if (isAlone) this.#database.commit(transaction)
      return rows
    } catch (error) {
      transaction.hasFailed = true
      if (isAlone) this.#database.rollback(transaction)
      throw error
    }
  }

  async #statement(transaction: Transaction, text: string, values: readonly string[]): Promise<Row[]> {
    const [key, second] = values as [string, string]
    switch (text) {
      case SQL.limitWait: {
        const previous = String(transaction.lockTimeout)
        transaction.lockTimeout = Number(key)
        return [{ previous, now: key }]
      }
      case SQL.insert:
        return this.#insert(transaction, key, Number(second))
      case SQL.currentTransaction:
        return [{ txid: textOf(transaction.id) }]
      case SQL.claim:
        return [{ status: await this.#claim(transaction, key, second) }]
      case SQL.commit: {
        const row = await this.#locked(transaction, key)
        const isHeld = row?.token !== second && !((row?.claimedUntil ?? -Infinity) < transaction.startedAt)
        if (row !== undefined && (row.handledAt !== undefined || isHeld)) return []
        transaction.writes.set(key, { handledAt: transaction.startedAt })
        return []
      }
      case SQL.release: {
        const isMine = (row: InboxRow | undefined) => row?.token === second && row.handledAt === undefined
        // A row that another transaction is writing is seen, and waited for, in its last committed version.
        if (!isMine(this.#database.rows.get(key)) || !isMine(await this.#locked(transaction, key))) return []
        transaction.writes.set(key, undefined)
        return []
      }
      case BOOK:
        transaction.bookings.push(key)
        return []
      case FAILING:
        throw sqlError('22012', 'division by zero')
      default:
        throw new Error(`The fake database does not know this statement: ${text}`)
    }
  }

  async #insert(transaction: Transaction, key: string, lockTimeout: number): Promise<Row[]> {
    const { mistake } = this.#database
    const row = await this.#locked(transaction, key)
    if (row?.handledAt !== undefined && mistake !== 'forgets that a key was handled') return []
    transaction.lockTimeout = lockTimeout
    const { id, startedAt } = transaction
    if (mistake === 'inserts outside of the transaction')
      this.#database.rows.set(key, { handledAt: startedAt })
    else transaction.writes.set(key, { handledAt: startedAt })
    if (mistake === 'commits before the handler') {
      this.#database.commit(transaction)
      this.#transaction = new Transaction()
      this.#transaction.id = id
    }
    return [{ txid: textOf(id), lock_timeout: String(lockTimeout) }]
  }

  async #claim(transaction: Transaction, key: string, token: string): Promise<string> {
    // The second part of the statement sees what was committed when the statement began.
    const atStart = this.#database.rows.get(key)
    transaction.lockTimeout = 100
    const row = await this.#locked(transaction, key)
    const { startedAt } = transaction
    const handledUntil = row?.handledAt === undefined ? undefined : row.handledAt + TIMES.ttlSeconds * 1000
    if (row === undefined || (handledUntil ?? row.claimedUntil!) < startedAt) {
      transaction.writes.set(key, { token, claimedUntil: startedAt + TIMES.leaseSeconds * 1000 })
      return 'new'
    }
    return atStart?.handledAt === undefined ? 'in-progress' : 'done'
  }

  /** The committed row, which no other transaction changes now. */
  async #locked(transaction: Transaction, key: string): Promise<InboxRow | undefined> {
    await this.#database.lock(key, transaction)
    return this.#database.rows.get(key)
  }
}

function textOf(id: number | undefined): string | null {
  return id === undefined ? null : String(id)
}

/** An error as `pg` gives it. */
function sqlError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: 'ERROR' })
}
