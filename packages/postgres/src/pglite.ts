import { answerWithin } from '@service-signature/inbox'
import { openInCallback, type CallbackLibrary } from './callback-transaction.js'
import type { Driver, Transaction } from './driver.js'
import { noCursor } from './failures.js'
import type { Row } from './statements.js'

/** A database of the package `@electric-sql/pglite`. */
export interface PgliteDatabase<Client extends PgliteTransaction = PgliteTransaction> {
  query(text: string, values?: string[]): Promise<{ readonly rows: object[] }>
  exec(text: string): Promise<{ readonly rows: object[] }[]>
  transaction(run: (client: Client) => Promise<void>): Promise<unknown>
}

/** A transaction of such a database. */
export interface PgliteTransaction {
  query(text: string, values?: string[]): Promise<{ readonly rows: object[] }>
  exec(text: string): Promise<{ readonly rows: object[] }[]>
  readonly closed: boolean
}

/** PGlite has one connection, in this process: a second delivery waits until the first is handled. */
export class PgliteDriver<Client extends PgliteTransaction> implements Driver<Client> {
  readonly #database: PgliteDatabase<Client>
  readonly #library: CallbackLibrary<Client>
  readonly #seconds: number

  constructor(database: PgliteDatabase<Client>, seconds: number) {
    this.#database = database
    this.#seconds = seconds
    this.#library = {
      begin: (run) => database.transaction(run),
      async query(client, text) {
        // The handler has called rollback().
        if (client.closed) throw noCursor()
        return rowsOf((await client.exec(text)).at(-1)!)
      },
      // Its connection is a part of this process, and is not lost.
      guard: (client) => client,
    }
  }

  async query(
    text: string,
    values: readonly string[] = [],
    seconds = this.#seconds,
  ): Promise<readonly Row[]> {
    // Several statements take no values.
    const answering: Promise<object> =
      values.length > 0 ? this.#database.query(text, [...values]) : this.#database.exec(text)
    return rowsOf([await answerWithin(seconds, answering)].flat().at(-1)! as { readonly rows: object[] })
  }

  open(): Promise<Transaction<Client>> {
    return openInCallback(this.#library, this.#seconds)
  }
}

function rowsOf({ rows }: { readonly rows: object[] }): readonly Row[] {
  return rows as readonly Row[]
}
