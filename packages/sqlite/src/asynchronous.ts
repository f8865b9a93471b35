import {
  inTransaction,
  KeyedTransactions,
  type SqliteRow,
  type SqliteStatements,
  type Transaction,
} from '@service-signature/inbox'
import { failureToCommit, isBusy, refusalOf } from './failures.js'
import { END, Writers } from './writers.js'

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

/** The transactions of a client with promises. Each has a connection of its own. */
export function asynchronousDriver<Client extends LibsqlTransaction>(
  client: LibsqlClient<Client>,
  sql: SqliteStatements,
  waitSeconds: number,
) {
  const writers = new Writers()
  const open = async (
    opening: string = sql.lock,
    seconds = waitSeconds,
    queue = writers,
  ): Promise<Transaction<Client>> => {
    const [own, endTurn] = await queue.next(seconds, () => begin(client, opening))
    // Rolls back what was not committed.
    const end = () => {
      own.close()
      endTurn()
      return Promise.resolve()
    }
    return {
      client: own,
      async insert(key, claims) {
        if ((await rowsOf(own, sql.insert[claims], key)).length > 0) return 'new'
        if (claims === 'ignored') return 'handled'
        return (await rowsOf(own, sql.isHandled, key)).length > 0 ? 'handled' : 'claimed'
      },
      async commit() {
        await own.executeMultiple(END).catch((error: unknown) => {
          throw failureToCommit(error)
        })
        await end()
      },
      rollback: end,
    }
  }
  return {
    once: new KeyedTransactions({ open, refusalOf }).run,
    async record(key: string, transaction: unknown) {
      const { commit } = Object(transaction) as Partial<LibsqlTransaction>
      if (typeof commit !== 'function')
        throw new TypeError('inbox.record: expected a transaction, after the webhook')
      return (await rowsOf(transaction as LibsqlTransaction, sql.insert.ignored, key)).length > 0
    },
    rows: async (statement: string, ...values: string[]) =>
      inTransaction(await open(), (own) => rowsOf(own, statement, ...values)),
    execute: async (statements: string, last: string, seconds: number) =>
      inTransaction(await open(statements, seconds, new Writers()), (own) => rowsOf(own, last)),
  }
}

/**
 * Undefined if the file is locked. Not transaction('write'): a statement that finds the file locked prevents each later COMMIT,
 * except in executeMultiple.
 */
async function begin<Client extends LibsqlTransaction>(client: LibsqlClient<Client>, opening: string) {
  const transaction = await client.transaction('deferred')
  try {
    await transaction.executeMultiple(`SAVEPOINT service_signature_inbox;${opening}`)
    return transaction
  } catch (error) {
    transaction.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

async function rowsOf(client: LibsqlTransaction, sql: string, ...args: string[]) {
  return (await client.execute({ sql, args })).rows as readonly SqliteRow[]
}
