import { sqliteStatements } from '@service-signature/inbox'
import { TIMES } from '../simulation.js'
import type { InboxRow } from './fake-database.js'

const { insert, isHandled, claim, commit, release } = sqliteStatements(['service_signature_inbox'], TIMES)

/** The statements of the inbox over a synchronous driver, and of its handlers. The fake knows only these. */
export const SQLITE = {
  pragma: 'PRAGMA busy_timeout',
  begin: 'BEGIN EXCLUSIVE;SAVEPOINT service_signature_inbox',
  end: 'RELEASE service_signature_inbox;COMMIT',
  rollback: 'ROLLBACK',
  insert: insert.ignored,
  insertUnlessClaimed: insert.honoured,
  /** Only in a transaction: outside of one, it waits for a writer only if there is no write-ahead log. */
  isHandled,
  claim,
  commit: `${commit} RETURNING 1`,
  release: `${release} RETURNING 1`,
  /** Books a delivery. */
  book: 'INSERT INTO bookings VALUES (?1) RETURNING name',
  /** Fails, because a booking must have a name. */
  failing: 'INSERT INTO bookings VALUES (NULL) RETURNING name',
} as const

/** Faults that the fake can have on purpose. */
export type SqliteMistake =
  | 'does not lock the file'
  | 'inserts outside of the transaction'
  | 'commits before the handler'
  | 'leaves out ROLLBACK'

/** The changes of a transaction. An undefined row is deleted. */
interface Changes {
  readonly rows: Map<string, InboxRow | undefined>
  readonly bookings: string[]
  /** The tokens of the claims that it commits. */
  readonly tokens: string[]
}

interface Transaction extends Changes {
  /** The rows that it reads besides its own. */
  readonly committed: ReadonlyMap<string, InboxRow>
}

type Row = Readonly<Record<string, unknown>>

/** A file of SQLite, which one connection locks for all others. */
export class FakeSqliteFile {
  readonly rows = new Map<string, InboxRow>()
  /** The bookings of committed transactions. */
  readonly bookings: string[] = []
  readonly mistake: SqliteMistake | undefined
  readonly now: () => number
  onCommit: (changes: Changes) => void = () => undefined
  #owner: FakeSession | undefined
  readonly #waiting: (() => void)[] = []

  constructor(mistake?: SqliteMistake, now: () => number = Date.now) {
    this.mistake = mistake
    this.now = now
  }

  get contents(): unknown {
    return [[...this.rows], this.bookings, this.#waiting.length]
  }

  isLockedBy(session: FakeSession): boolean {
    return this.#owner === session
  }

  /** @returns whether this connection has the lock now */
  lock(session: FakeSession): boolean {
    if (this.mistake === 'does not lock the file') return true
    this.#owner ??= session
    return this.#owner === session
  }

  unlock(session: FakeSession): void {
    if (this.#owner !== session) return
    this.#owner = undefined
    for (const each of this.#waiting.splice(0)) each()
  }

  /** Resolves when the lock is free the next time. */
  async whenUnlocked(): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  commit(changes: Changes): void {
    for (const [key, row] of changes.rows) {
      if (row === undefined) this.rows.delete(key)
      else this.rows.set(key, row)
    }
    this.bookings.push(...changes.bookings)
    this.onCommit(changes)
  }
}

/** A connection to the file. */
export class FakeSession {
  readonly #file: FakeSqliteFile
  #timeout = 0
  #transaction: Transaction | undefined
  /** What a transaction reads that began without a lock. */
  #snapshot: ReadonlyMap<string, InboxRow> | undefined

  constructor(file: FakeSqliteFile) {
    this.#file = file
  }

  get inTransaction(): boolean {
    return this.#transaction !== undefined
  }

  get state(): unknown {
    const { rows, bookings } = this.#transaction ?? {}
    return [this.#file.isLockedBy(this), this.#timeout, rows && [...rows], bookings]
  }

  /** Takes the lock of a transaction that runs later, if it is free. */
  reserve(): void {
    if (this.inTransaction) return
    this.#file.lock(this)
    if (this.#file.mistake === 'does not lock the file') this.#snapshot = new Map(this.#file.rows)
  }

  /** Gives up the lock, unless a transaction needs it. */
  free(): void {
    if (!this.inTransaction) this.#file.unlock(this)
  }

  exec(sql: string): void {
    const timeout = /^PRAGMA busy_timeout = (\d+)$/.exec(sql)?.[1]
    if (timeout !== undefined) this.#timeout = Number(timeout)
    else if (sql === SQLITE.begin) this.#begin()
    else if (sql === SQLITE.end) this.#end()
    else if (sql === SQLITE.rollback) this.#rollback()
    else throw unknown(sql)
  }

  all(sql: string, values: readonly string[] = []): Row[] {
    if (sql === SQLITE.pragma) return [{ timeout: this.#timeout }]
    this.#lock()
    const transaction = this.#transaction ?? this.#newTransaction()
    try {
      const rows = this.#statement(transaction, sql, values)
      if (!this.inTransaction) this.#file.commit(transaction)
      return rows
    } finally {
      this.free()
    }
  }

  /** Ends the transaction, as SQLite does after some errors, and when the process ends. */
  undo(): void {
    this.#transaction = undefined
    this.free()
  }

  #begin(): void {
    if (this.inTransaction) throw sqliteError('cannot start a transaction within a transaction')
    this.#lock()
    this.#transaction = this.#newTransaction()
  }

  #end(): void {
    const transaction = this.#transaction
    if (transaction === undefined) throw sqliteError('no such savepoint: service_signature_inbox')
    this.#file.commit(transaction)
    this.undo()
  }

  #rollback(): void {
    if (!this.inTransaction) throw sqliteError('cannot rollback - no transaction is active')
    if (this.#file.mistake !== 'leaves out ROLLBACK') this.undo()
  }

  #lock(): void {
    if (!this.#file.lock(this)) throw sqliteError('database is locked', 'SQLITE_BUSY')
  }

  #newTransaction(): Transaction {
    const committed = this.#snapshot ?? this.#file.rows
    this.#snapshot = undefined
    return { rows: new Map(), bookings: [], tokens: [], committed }
  }

  #statement(transaction: Transaction, sql: string, values: readonly string[]): Row[] {
    const { rows, bookings, tokens, committed } = transaction
    const [key, token] = values as [string, string]
    const row = rows.has(key) ? rows.get(key) : committed.get(key)
    const now = this.#file.now()
    switch (sql) {
      case SQLITE.insert:
      case SQLITE.insertUnlessClaimed:
        if (row?.handledAt !== undefined) return []
        if (sql === SQLITE.insertUnlessClaimed && row !== undefined && row.claimedUntil! >= now) return []
        this.#insert(transaction, key, { handledAt: now })
        return [{ '1': 1 }]
      case SQLITE.isHandled:
        return row?.handledAt === undefined ? [] : [{ '1': 1 }]
      case SQLITE.claim: {
        const until =
          row?.handledAt === undefined ? row?.claimedUntil : row.handledAt + TIMES.ttlSeconds * 1000
        const isFree = row === undefined || until! < now
        const claimed = isFree ? { token, claimedUntil: now + TIMES.leaseSeconds * 1000 } : row
        rows.set(key, claimed)
        if (claimed.token === token) return [{ status: 'new' }]
        return [{ status: claimed.claimedUntil === undefined ? 'done' : 'in-progress' }]
      }
      case SQLITE.commit: {
        const isMine = row?.token === token || (row?.claimedUntil ?? Infinity) < now
        if (row !== undefined && !isMine) return []
        rows.set(key, { handledAt: now })
        tokens.push(token)
        return [{ '1': 1 }]
      }
      case SQLITE.release:
        if (row?.token !== token) return []
        rows.set(key, undefined)
        return [{ '1': 1 }]
      case SQLITE.book:
        bookings.push(key)
        return [{ name: key }]
      case SQLITE.failing:
        throw sqliteError('NOT NULL constraint failed: bookings.name', 'SQLITE_CONSTRAINT_NOTNULL')
      default:
        throw unknown(sql)
    }
  }

  #insert(transaction: Transaction, key: string, row: InboxRow): void {
    const { mistake } = this.#file
    if (mistake === 'inserts outside of the transaction') this.#file.rows.set(key, row)
    else transaction.rows.set(key, row)
    if (mistake !== 'commits before the handler') return
    this.#file.commit(transaction)
    this.#transaction = this.#newTransaction()
  }
}

/** An error as better-sqlite3 gives it. */
export function sqliteError(message: string, code = 'SQLITE_ERROR'): Error {
  return Object.assign(new Error(message), { code })
}

function unknown(sql: string): Error {
  return new Error(`The fake SQLite does not know this statement: ${sql}`)
}
