import { answerWithin } from '@service-signature/inbox'
import { openInCallback, type CallbackLibrary, type Loss } from './callback-transaction.js'
import type { Driver, Transaction } from './driver.js'
import type { Row } from './statements.js'

/** A pool of the package `postgres`. */
export interface PostgresJs<Client extends PostgresJsTransaction = PostgresJsTransaction> {
  begin(run: (client: Client) => Promise<void>): Promise<unknown>
  begin(options: string, run: (client: Client) => Promise<void>): Promise<unknown>
  unsafe(text: string, values?: string[]): PromiseLike<readonly Row[]>
}

/** A transaction of such a pool. */
export interface PostgresJsTransaction {
  unsafe(text: string, values?: string[]): PromiseLike<readonly Row[]>
  savepoint(...nameAndCallback: never[]): Promise<unknown>
}

export class PostgresJsDriver<Client extends PostgresJsTransaction> implements Driver<Client> {
  readonly #sql: PostgresJs<Client>
  readonly #library: CallbackLibrary<Client>
  readonly #seconds: number

  constructor(sql: PostgresJs<Client>, seconds: number) {
    this.#sql = sql
    this.#seconds = seconds
    this.#library = {
      begin: (run) => sql.begin(run),
      async query(client, text) {
        const answer = await client.unsafe(text)
        // The answer to several statements is an array of their rows.
        return (Array.isArray(answer.at(-1)) ? answer.at(-1) : answer) as readonly Row[]
      },
      guard,
    }
  }

  query(text: string, values: readonly string[] = [], seconds = this.#seconds): Promise<readonly Row[]> {
    const pending = Promise.resolve(this.#sql.unsafe(text, [...values]))
    return answerWithin(seconds, pending)
  }

  open(): Promise<Transaction<Client>> {
    return openInCallback(this.#library, this.#seconds)
  }
}

/**
 * The client, which refuses to do more once its connection is lost. postgres.js itself continues: it sends later
 * statements on the connection that replaces the lost one, and so into another transaction or into none
 * (porsager/postgres#1216).
 */
function guard<Client extends PostgresJsTransaction>(client: Client, loss: Loss): Client {
  return new Proxy(client, {
    apply(target, self, values) {
      loss.check()
      return Reflect.apply<unknown, unknown[], unknown>(target as never, self, values)
    },
    get(target, name) {
      loss.check()
      if (name === 'savepoint') return (...values: unknown[]) => guardedSavepoint(target, values, loss)
      return Reflect.get(target, name) as unknown
    },
  })
}

/** @param values of `savepoint`: its name, which may be left out, and its callback */
function guardedSavepoint(client: PostgresJsTransaction, values: readonly unknown[], loss: Loss) {
  const run = values.at(-1) as (inner: PostgresJsTransaction) => unknown
  const guarded = async (inner: PostgresJsTransaction) => {
    try {
      return await run(guard(inner, loss))
    } finally {
      // If the connection is lost the callback never ends, so that postgres.js sends no ROLLBACK TO on another one.
      if (await loss.isLost()) await new Promise(() => undefined)
    }
  }
  const savepoint = client.savepoint.bind(client) as (...values: unknown[]) => Promise<unknown>
  return Promise.race([loss.promise, savepoint(...values.slice(0, -1), guarded)])
}
