import {
  inTransaction,
  KeyedTransactions,
  type SqliteRow,
  type SqliteStatements,
  type Transaction,
} from '@service-signature/inbox'
import { within } from '@service-signature/core/shared/within'
import { failureToCommit, isBusy, locked, refusalOf, whenUnlocked } from './failures.js'

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

/** The savepoint is missing if the handler has ended the transaction. */
const END = 'RELEASE service_signature_inbox;COMMIT'

/** A client with promises, whose transactions have connections of their own. */
export class AsynchronousDriver<Client extends LibsqlTransaction> {
  readonly once = new KeyedTransactions<Client>({ open: () => this.#open(), refusalOf }).run
  readonly #client: LibsqlClient<Client>
  readonly #sql: SqliteStatements
  readonly #waitSeconds: number
  /** Settles when all transactions have ended. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: LibsqlClient<Client>, sql: SqliteStatements, waitSeconds: number) {
    this.#client = client
    this.#sql = sql
    this.#waitSeconds = waitSeconds
  }

  async record(key: string, transaction: unknown): Promise<boolean> {
    const { commit } = Object(transaction) as Partial<LibsqlTransaction>
    if (typeof commit !== 'function')
      throw new TypeError('inbox.record: expected a transaction, after the webhook')
    return (await rowsOf(transaction as LibsqlTransaction, this.#sql.insert.ignored, key)).length > 0
  }

  /** Runs a statement in a transaction of its own. */
  async rows(sql: string, ...values: readonly string[]): Promise<readonly SqliteRow[]> {
    return inTransaction(await this.#open(), (client) => rowsOf(client, sql, ...values))
  }

  /** Runs statements, with no other lock than theirs, and then one that has rows. */
  async execute(statements: string, last: string, seconds: number): Promise<readonly SqliteRow[]> {
    const client = await this.#begin(statements, seconds)
    try {
      const rows = await rowsOf(client, last)
      await client.executeMultiple(END)
      return rows
    } finally {
      client.close()
    }
  }

  async #open(): Promise<Transaction<Client>> {
    const since = performance.now()
    const endTurn = await this.#turn(this.#waitSeconds)
    const client = await this.#begin(this.#sql.lock, this.#waitSeconds, since).catch((error: unknown) => {
      endTurn()
      throw error
    })
    const end = () => {
      // Rolls back what was not committed.
      client.close()
      endTurn()
      return Promise.resolve()
    }
    return {
      client,
      insert: async (key, claims) => {
        if ((await rowsOf(client, this.#sql.insert[claims], key)).length > 0) return 'new'
        if (claims === 'ignored') return 'handled'
        return (await rowsOf(client, this.#sql.isHandled, key)).length > 0 ? 'handled' : 'claimed'
      },
      async commit() {
        try {
          await client.executeMultiple(END)
        } catch (error) {
          throw failureToCommit(error)
        }
        await end()
      },
      rollback: end,
    }
  }

  /** Waits for the other transactions of this process: SQLite has one writer for the whole file. */
  async #turn(seconds: number): Promise<() => void> {
    const before = this.#last
    let end!: () => void
    this.#last = new Promise<void>((resolve) => (end = resolve))
    try {
      await within(seconds, before, () => locked('other deliveries used it', seconds))
      return end
    } catch (error) {
      void before.then(end)
      throw error
    }
  }

  /** Not transaction('write'): a statement that finds the file locked prevents each later COMMIT, except in executeMultiple. */
  #begin(statements: string, seconds: number, since?: number): Promise<Client> {
    const attempt = async () => {
      const client = await this.#client.transaction('deferred')
      try {
        await client.executeMultiple(`SAVEPOINT service_signature_inbox;${statements}`)
        return client
      } catch (error) {
        client.close()
        if (isBusy(error)) return undefined
        throw error
      }
    }
    return whenUnlocked(attempt, seconds, since)
  }
}

async function rowsOf(client: LibsqlTransaction, sql: string, ...args: string[]) {
  return (await client.execute({ sql, args })).rows as readonly SqliteRow[]
}
