import {
  begin,
  CHECK,
  MARK,
  NEW_IN_AUTOCOMMIT,
  OWN_LOCK_WAIT,
  RESTORE,
  SEE_UNCOMMITTED,
  statementsFor,
} from '../../../../../packages/mysql/src/statements.js'
import { TIMES } from '../simulation.js'
import { FAILING, BOOK as NUMBERED_BOOK, type InboxRow } from './fake-database.js'
import { ServerSession } from './fake-connection.js'
import { deadlock, serverError, Transaction, type FakeInnodb } from './fake-innodb.js'

/** The statements of the inbox. The fake knows only these and those of the handlers. */
export const SQL = statementsFor(['service_signature_inbox'], TIMES)

/** The statement of a handler, with the placeholder of MySQL. */
export const BOOK = NUMBERED_BOOK.replace('$1', '?')

/** It stands for a deadlock with other tables of the merchant. */
export const DEADLOCK = 'SELECT a deadlock'

const NAMES = {
  [SQL.insert('', 'ignored')]: 'INSERT',
  [SQL.insert('', 'honoured')]: 'INSERT UNLESS CLAIMED',
  [SQL.claim('', '')]: 'CLAIM',
  [SQL.commit('', '')]: 'HANDLED',
  [SQL.release('', '')]: 'RELEASE',
  [MARK]: 'MARK',
  [CHECK]: 'CHECK',
  [SEE_UNCOMMITTED[0]]: 'AUTOCOMMIT',
  [SEE_UNCOMMITTED[1]]: 'READ UNCOMMITTED',
  [SQL.find('')]: 'FIND',
  [OWN_LOCK_WAIT]: 'OWN LOCK WAIT',
  [RESTORE]: 'RESTORE',
  [BOOK]: 'BOOK',
  [FAILING]: 'A STATEMENT THAT FAILS',
  [DEADLOCK]: 'A DEADLOCK',
  COMMIT: 'COMMIT',
  ROLLBACK: 'ROLLBACK',
}

/** The name of a statement, whatever its values are. */
export function nameOf(text: string): string {
  if (settingsIn(text) !== undefined) return 'BEGIN'
  const name = NAMES[text.replaceAll(/X'[0-9a-f]*'/g, "X''")]
  if (name === undefined) throw new Error(`The fake database does not know this statement: ${text}`)
  return name
}

/** The values in the text of a statement, which are in hexadecimal digits. */
function valuesIn(text: string): string[] {
  return [...text.matchAll(/X'([0-9a-f]*)'/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString())
}

function settingsIn(text: string): Settings | undefined {
  const [, autocommit, wait] = /autocommit = (\d), innodb_lock_wait_timeout = (\d+),/.exec(text) ?? []
  const isOn = autocommit === '1'
  return begin(isOn ? 1 : 0, Number(wait)) === text ? { autocommit: isOn, lockWait: Number(wait) } : undefined
}

interface Settings {
  readonly autocommit: boolean
  /** The innodb_lock_wait_timeout, in seconds. */
  readonly lockWait: number
}

/** The answer of `mysql2` to a statement that is not a query. */
export interface Header {
  readonly insertId: number
  readonly affectedRows: number
}

/** The answer to a statement: a header, or rows. */
export type Answer = Header | readonly object[]

/** The part of the server for one connection. */
export class MysqlSession extends ServerSession<Answer> {
  readonly #database: FakeInnodb
  /** As they are outside of the inbox. */
  readonly #atFirst: Settings
  #settings: Settings
  /** The variables in which the inbox saves the settings. */
  #own: Settings
  #transaction: Transaction | undefined
  /** A wrong inbox has swallowed a deadlock, and does not check the savepoint. */
  #isUnchecked = false

  constructor(database: FakeInnodb, settings: Settings) {
    super()
    this.#database = database
    this.#atFirst = this.#settings = this.#own = settings
  }

  get isInTransaction(): boolean {
    return this.#transaction !== undefined
  }

  get isInAutocommit(): boolean {
    return this.#settings.autocommit
  }

  get leftover(): string | undefined {
    if (this.isInTransaction) return 'in a transaction'
    const { autocommit, lockWait } = this.#settings
    const isRestored = autocommit === this.#atFirst.autocommit && lockWait === this.#atFirst.lockWait
    return isRestored ? undefined : 'with settings of the inbox'
  }

  get held(): unknown {
    return this.#transaction && this.#database.heldBy(this.#transaction)
  }

  protected async run(text: string, values: readonly string[]): Promise<Answer> {
    const name = nameOf(text)
    if (name === 'FIND') return this.#database.hasRow(valuesIn(text)[0]!) ? [{ '1': 1 }] : []
    const insertId = this.#control(name, text) ? 0 : await this.#inTransaction(name, values, text)
    return { insertId, affectedRows: 0 }
  }

  protected rollback(): void {
    this.#end('ROLLBACK')
  }

  /** @returns whether it is a statement that uses no table */
  #control(name: string, text: string): boolean {
    const { mistake } = this.#database
    switch (name) {
      case 'BEGIN':
        this.#own = this.#settings
        this.#set({ ...this.#settings, autocommit: true })
        this.#set(settingsIn(text)!)
        return true
      case 'AUTOCOMMIT':
        this.#set({ ...this.#settings, autocommit: true })
        return true
      case 'READ UNCOMMITTED':
        return true
      case 'OWN LOCK WAIT':
        this.#set({ ...this.#settings, lockWait: this.#own.lockWait })
        return true
      case 'RESTORE':
        if (mistake !== 'leaves out the settings of the session') this.#set(this.#own)
        return true
      case 'MARK':
        if (!this.#settings.autocommit) this.#open().hasSavepoint = true
        return true
      case 'CHECK':
        if (this.#isUnchecked || mistake === 'does not notice that the transaction has ended') return true
        if (this.#transaction?.hasSavepoint !== true) {
          throw serverError(1305, '42000', 'SAVEPOINT service_signature_inbox does not exist')
        }
        this.#transaction.hasSavepoint = false
        return true
      case 'COMMIT':
      case 'ROLLBACK':
        if (name === 'COMMIT' || mistake !== 'leaves out ROLLBACK') this.#end(name)
        return true
      default:
        return false
    }
  }

  /** Commits if it turns the autocommit mode on. */
  #set(settings: Settings): void {
    if (settings.autocommit && !this.#settings.autocommit) this.#end('COMMIT')
    this.#settings = settings
  }

  #open(): Transaction {
    return (this.#transaction ??= new Transaction())
  }

  #end(command: 'COMMIT' | 'ROLLBACK'): void {
    const transaction = this.#transaction
    this.#transaction = undefined
    if (transaction === undefined) return
    if (command === 'ROLLBACK') this.#database.rollback(transaction)
    else this.#database.commit(transaction)
  }

  /** Without autocommit, the first statement begins a transaction. */
  async #inTransaction(name: string, values: readonly string[], text: string): Promise<number> {
    const transaction = this.#settings.autocommit ? new Transaction() : this.#open()
    const isAlone = transaction !== this.#transaction
    try {
      const insertId = await this.#statement(transaction, name, [...values, ...valuesIn(text)])
      if (isAlone) this.#database.commit(transaction)
      return insertId
    } catch (error) {
      // Other errors undo only the statement, which has written nothing.
      const isDeadlock = (error as { errno?: number }).errno === 1213
      if (isAlone) this.#database.rollback(transaction)
      else if (isDeadlock) this.#end('ROLLBACK')
      if (isDeadlock) this.#afterDeadlock(name)
      if (this.#isUnchecked) return NEW_IN_AUTOCOMMIT
      throw error
    }
  }

  #afterDeadlock(name: string): void {
    const { mistake } = this.#database
    const isSwallowed = mistake === 'swallows a deadlock of the insertion' && name === 'INSERT'
    if (!isSwallowed && mistake !== 'begins with START TRANSACTION') return
    // The session was in autocommit mode all the time.
    this.#settings = { ...this.#settings, autocommit: true }
    this.#isUnchecked = isSwallowed
  }

  /** @returns the LAST_INSERT_ID that the statement has set, or 0 */
  async #statement(
    transaction: Transaction,
    name: string,
    [key = '', token = '']: readonly string[],
  ): Promise<number> {
    if (name === 'BOOK') {
      transaction.bookings.push(key)
      return 0
    }
    if (name === 'A DEADLOCK') throw deadlock()
    if (name === 'A STATEMENT THAT FAILS') throw serverError(1054, '42S22', "Unknown column 'nothing'")
    const { lockWait } = this.#settings
    // UTC_TIMESTAMP is when the statement began: before it waited.
    const now = this.#database.now()
    await this.#database.lock(key, transaction, { seconds: lockWait, isInsertion: name !== 'RELEASE' })
    const row = this.#database.row(key, transaction)
    if (name === 'INSERT') return this.#insert(transaction, key, row, now)
    if (name === 'INSERT UNLESS CLAIMED') {
      const isClaimed = row !== undefined && row.handledAt === undefined && row.claimedUntil! >= now
      return isClaimed ? 1 : this.#insert(transaction, key, row, now)
    }
    if (name === 'CLAIM') {
      if (row !== undefined && !isLapsed(row, now)) return row.handledAt === undefined ? 1 : 2
      transaction.writes.set(key, { token, claimedUntil: now + TIMES.leaseSeconds * 1000 })
      return 0
    }
    const isClaimed = row !== undefined && row.handledAt === undefined
    const isMine = isClaimed && row.token === token
    if (name === 'RELEASE') {
      if (isMine) transaction.writes.set(key, undefined)
    } else if (row === undefined || isMine || (isClaimed && row.claimedUntil! < now)) {
      transaction.writes.set(key, { ...row, handledAt: now })
    }
    return 0
  }

  #insert(transaction: Transaction, key: string, row: InboxRow | undefined, now: number): number {
    const { mistake, rows } = this.#database
    if (row?.handledAt !== undefined && mistake !== 'forgets that a key was handled') return 2
    const handled = { ...row, handledAt: now }
    if (mistake === 'inserts outside of the transaction') rows.set(key, handled)
    else transaction.writes.set(key, handled)
    if (mistake === 'commits before the handler') this.#end('COMMIT')
    return this.#own.autocommit ? NEW_IN_AUTOCOMMIT : NEW_IN_AUTOCOMMIT - 1
  }
}

function isLapsed({ handledAt, claimedUntil }: InboxRow, now: number): boolean {
  return (handledAt === undefined ? claimedUntil! : handledAt + TIMES.ttlSeconds * 1000) < now
}
