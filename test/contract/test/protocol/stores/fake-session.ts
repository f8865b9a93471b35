import type { Claims } from '@service-signature/inbox'
import type { Row } from '../../../../../packages/postgres/src/statements.js'
import { TIMES } from '../simulation.js'
import { ServerSession } from './fake-connection.js'
import {
  BOOK,
  FAILING,
  sqlError,
  SQL,
  type FakeDatabase,
  type InboxRow,
  type Transaction,
} from './fake-database.js'

/** The first statement of `SQL.begin`. */
const DECLARE = '\nDECLARE service_signature_inbox CURSOR FOR SELECT 1'

/** How the second begins. */
const LIMIT = "\nSELECT set_config('service_signature.lock_timeout'"

/** The answer to a statement. */
export interface Answer {
  readonly rows: Row[]
}

/** The part of PostgreSQL for one connection. */
export class Session extends ServerSession<Answer | Answer[]> {
  readonly #database: FakeDatabase
  #transaction: Transaction | undefined

  constructor(database: FakeDatabase) {
    super()
    this.#database = database
  }

  get isInTransaction(): boolean {
    return this.#transaction !== undefined
  }

  get leftover(): string | undefined {
    return this.isInTransaction ? 'in a transaction' : undefined
  }

  get held(): unknown {
    return this.#transaction && this.#database.keysOf(this.#transaction)
  }

  /** A text without values may have several statements. After one that fails, the others are left out. */
  protected async run(text: string, values: readonly string[]): Promise<Answer | Answer[]> {
    const answers: Answer[] = []
    for (const each of text.split(';')) answers.push({ rows: await this.#execute(each, values) })
    return answers.length === 1 ? answers[0]! : answers
  }

  protected rollback(): void {
    this.#end('ROLLBACK')
  }

  async #execute(text: string, values: readonly string[]): Promise<Row[]> {
    if (text === 'BEGIN') this.#transaction = this.#database.begin()
    else if (text === 'COMMIT' || text === 'ROLLBACK') {
      if (text === 'COMMIT' || this.#database.mistake !== 'leaves out ROLLBACK') this.#end(text)
    } else return this.#inTransaction(text, values)
    return []
  }

  #end(command: 'COMMIT' | 'ROLLBACK'): void {
    const transaction = this.#transaction
    this.#transaction = undefined
    if (transaction === undefined) return
    if (transaction.hasFailed || command === 'ROLLBACK') this.#database.rollback(transaction)
    else this.#database.commit(transaction)
  }

  async #inTransaction(text: string, values: readonly string[]): Promise<Row[]> {
    const transaction = this.#transaction ?? this.#database.begin()
    const isAlone = transaction !== this.#transaction
    const isTolerant = this.#database.mistake === 'accepts a failed transaction'
    if (transaction.hasFailed && !isTolerant) throw sqlError('25P02', 'current transaction is aborted')
    try {
      const rows = await this.#statement(transaction, text, values)
      if (isAlone) this.#database.commit(transaction)
      return rows
    } catch (error) {
      // The locks are free from now on, not only after ROLLBACK.
      transaction.hasFailed = true
      this.#database.rollback(transaction)
      throw error
    }
  }

  async #statement(transaction: Transaction, text: string, values: readonly string[]): Promise<Row[]> {
    if (text.startsWith(LIMIT)) return this.#limit(transaction, text)
    const keyOfText = keyIn(text)
    if (keyOfText !== undefined) return this.#ofKey(transaction, text, keyOfText)
    const [key, second] = values as [string, string]
    switch (text) {
      case DECLARE:
        transaction.hasCursor = true
        return []
      case SQL.check:
        if (!transaction.hasCursor) throw sqlError('34000', 'cursor "service_signature_inbox" does not exist')
        transaction.hasCursor = false
        return []
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
        if (!isMine(this.#visible(transaction, key)) || !isMine(await this.#locked(transaction, key)))
          return []
        transaction.writes.set(key, undefined)
        return []
      }
      case BOOK:
        transaction.bookings.push(key)
        return []
      case FAILING:
        throw sqlError('42703', 'column "nothing" does not exist')
      default:
        throw new Error(`The fake database does not know this statement: ${text}`)
    }
  }

  #limit(transaction: Transaction, text: string): Row[] {
    const wait = Number(/'lock_timeout', '(\d+)'/.exec(text)?.[1])
    if (!SQL.begin('', wait / 1000, 'ignored').includes(`;${text};`))
      throw new Error(`Unknown statement: ${text}`)
    transaction.previousLockTimeout = transaction.lockTimeout
    transaction.lockTimeout = wait
    return [{ set_config: setting(wait) }]
  }

  /** A statement whose text has its key. */
  async #ofKey(transaction: Transaction, text: string, key: string): Promise<Row[]> {
    if (text === SQL.handled(key)) {
      return this.#visible(transaction, key)?.handledAt === undefined ? [] : [{ key }]
    }
    for (const claims of ['ignored', 'honoured'] as const) {
      if (SQL.begin(key, 0, claims).endsWith(`;${text}`)) return this.#insert(transaction, key, claims)
    }
    throw new Error(`Unknown statement: ${text}`)
  }

  /** The last statement of `SQL.begin`. */
  async #insert(transaction: Transaction, key: string, claims: Claims): Promise<Row[]> {
    const { mistake } = this.#database
    const previous = transaction.previousLockTimeout
    const row = await this.#locked(transaction, key)
    const { startedAt } = transaction
    // A limit that was set for the transaction ends with it.
    if (row?.handledAt !== undefined && mistake !== 'forgets that a key was handled') return []
    if (claims === 'honoured' && (row?.claimedUntil ?? -Infinity) >= startedAt) return []
    transaction.lockTimeout = previous
    if (mistake === 'inserts outside of the transaction')
      this.#database.rows.set(key, { handledAt: startedAt })
    else transaction.writes.set(key, { handledAt: startedAt })
    if (mistake === 'commits before the handler') {
      this.#database.commit(transaction)
      this.#transaction = this.#database.begin()
      this.#transaction.hasCursor = true
    }
    return [{ set_config: setting(previous) }]
  }

  async #claim(transaction: Transaction, key: string, token: string): Promise<string> {
    // The second part of the statement sees the rows that were committed when the statement began.
    const atStart = this.#visible(transaction, key)
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

  /** The row, which no other transaction changes until this one ends. */
  async #locked(transaction: Transaction, key: string): Promise<InboxRow | undefined> {
    await this.#database.lock(key, transaction)
    return this.#visible(transaction, key)
  }

  #visible({ writes }: Transaction, key: string): InboxRow | undefined {
    return writes.has(key) ? writes.get(key) : this.#database.rows.get(key)
  }
}

/** The key in the text of a statement without parameters. */
function keyIn(text: string): string | undefined {
  const hex = /decode\('(.*?)'/.exec(text)?.[1]
  return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString()
}

/** Prints a time that is not a whole number of seconds, as PostgreSQL does. */
function setting(milliseconds: number): string {
  return milliseconds === 0 ? '0' : `${milliseconds}ms`
}
