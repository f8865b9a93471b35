import { KeyedTransactions, type Claims, type KeyState, type Transaction } from '@service-signature/inbox'
import { failureToCommit, isBusy, refusalOf } from './failures.js'
import { MIGRATE_SECONDS, type Driver, type Row, type Statements } from './driver.js'
import { whenUnlocked, Writers } from './writers.js'

/** A client of `@libsql/client`. */
export interface LibsqlClient<Client extends LibsqlTransaction = LibsqlTransaction> {
  transaction(mode: 'deferred'): Promise<Client>
}

/** A transaction of such a client. */
export interface LibsqlTransaction {
  execute(statement: { readonly sql: string; readonly args: string[] }): Promise<{ readonly rows: object[] }>
  executeMultiple(sql: string): Promise<void>
  commit(): Promise<void>
  close(): void
}

/** A client with promises, whose transactions have connections of their own. */
export class AsynchronousDriver<Client extends LibsqlTransaction> implements Driver<Client> {
  readonly call = 'await client.execute'
  readonly once = new KeyedTransactions<Client>({ open: () => this.#open(), refusalOf }).run
  readonly #client: LibsqlClient<Client>
  readonly #sql: Statements
  readonly #writers: Writers

  constructor(client: LibsqlClient<Client>, sql: Statements, waitSeconds: number) {
    this.#client = client
    this.#sql = sql
    this.#writers = new Writers(waitSeconds)
  }

  look(statements: string): Promise<true> {
    const attempt = () =>
      this.#read(async (client) => {
        try {
          await client.executeMultiple(statements)
          return true
        } catch (error) {
          if (isBusy(error)) return undefined
          throw error
        }
      })
    return whenUnlocked(attempt, MIGRATE_SECONDS)
  }

  readonly pragma = (statement: string): Promise<readonly Row[]> =>
    this.#read((client) => rowsOf(client, statement, []))

  execute(statements: string): Promise<void> {
    // They create the table that is locked otherwise.
    return this.#transact(() => Promise.resolve(), statements, MIGRATE_SECONDS)
  }

  rows(sql: string, values: readonly string[]): Promise<readonly Row[]> {
    return this.#transact((client) => rowsOf(client, sql, values))
  }

  async record(key: string, transaction: unknown): Promise<boolean> {
    const { commit } = Object(transaction) as Partial<LibsqlTransaction>
    if (typeof commit === 'function') {
      return (await rowsOf(transaction as LibsqlTransaction, this.#sql.insert.ignored, [key])).length > 0
    }
    throw new TypeError('inbox.record: expected a transaction, after the webhook')
  }

  /** Runs the work on a connection that locks nothing. */
  async #read<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await this.#client.transaction('deferred')
    try {
      return await work(client)
    } finally {
      client.close()
    }
  }

  async #transact<Result>(
    work: (client: Client) => Promise<Result>,
    lock?: string,
    seconds?: number,
  ): Promise<Result> {
    const { client, commit, rollback } = await this.#open(lock, seconds)
    try {
      const result = await work(client)
      await commit()
      return result
    } catch (error) {
      await rollback()
      throw error
    }
  }

  async #open(lock: string = this.#sql.lock, seconds?: number): Promise<Transaction<Client>> {
    const [client, endTurn] = await this.#writers.begin(() => this.#begin(lock), seconds)
    const end = () => {
      // Rolls back what was not committed.
      client.close()
      endTurn()
      return Promise.resolve()
    }
    return {
      client,
      insert: (key, claims) => this.#insert(client, key, claims),
      async commit() {
        try {
          // The savepoint is missing if the handler has ended the transaction.
          await client.executeMultiple('RELEASE service_signature_inbox;COMMIT')
        } catch (error) {
          throw failureToCommit(error)
        }
        await end()
      },
      rollback: end,
    }
  }

  /**
   * Not transaction('write'): a statement that finds the file locked prevents each later COMMIT of its connection, except in
   * executeMultiple.
   *
   * @returns undefined if the file is locked
   */
  async #begin(lock: string): Promise<Client | undefined> {
    let client: Client | undefined
    try {
      client = await this.#client.transaction('deferred')
      await client.executeMultiple(`SAVEPOINT service_signature_inbox;${lock}`)
      return client
    } catch (error) {
      client?.close()
      if (isBusy(error)) return undefined
      throw refusalOf(error)
    }
  }

  async #insert(client: Client, key: string, claims: Claims): Promise<KeyState> {
    if ((await rowsOf(client, this.#sql.insert[claims], [key])).length > 0) return 'new'
    if (claims === 'ignored') return 'handled'
    return (await rowsOf(client, this.#sql.isHandled, [key])).length > 0 ? 'handled' : 'claimed'
  }
}

async function rowsOf(
  client: LibsqlTransaction,
  sql: string,
  args: readonly string[],
): Promise<readonly Row[]> {
  return (await client.execute({ sql, args: [...args] })).rows as readonly Row[]
}
