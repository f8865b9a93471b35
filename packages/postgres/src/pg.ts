import { answerWithin, connectionWithin } from '@service-signature/inbox'
import type { Driver, Transaction } from './driver.js'
import { isConnectionLost } from './failures.js'
import type { Row } from './statements.js'

/** A pool of the package `pg`. */
export interface PgPool<Client extends PgClient = PgClient> {
  connect(callback: (error: Error | undefined, client: Client | undefined, done: never) => void): void
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly totalCount: number
}

/** A client of such a pool. */
export interface PgClient {
  query(text: string, values?: string[]): Promise<{ readonly rows: Row[] }>
  release(error?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** The pools whose errors an inbox listens for. */
const heard = new WeakSet<PgPool>()

/**
 * Without a listener, an idle client that is lost would end the process. There is nothing to report: the pool has removed the
 * client, and the next delivery opens another one, or is refused with the reason. A listener of the merchant gets it too.
 */
function listenForErrors(pool: PgPool): void {
  if (heard.has(pool)) return
  heard.add(pool)
  pool.on('error', () => undefined)
}

export class PgDriver<Client extends PgClient> implements Driver<Client> {
  readonly #pool: PgPool<Client>
  readonly #seconds: number

  constructor(pool: PgPool<Client>, seconds: number) {
    this.#pool = pool
    this.#seconds = seconds
    listenForErrors(pool)
  }

  async query(text: string, values?: readonly string[], seconds?: number): Promise<readonly Row[]> {
    const connection = await this.open()
    try {
      return await connection.query(text, values, seconds)
    } finally {
      connection.release()
    }
  }

  open(): Promise<PgConnection<Client>> {
    return connectionWithin(this.#seconds, this.#connect())
  }

  #connect(): Promise<PgConnection<Client>> {
    return new Promise((resolve, reject) => {
      // The client has a listener for errors when this callback returns. After a promise it would come too late: a client may
      // be lost in the packet that makes it ready.
      this.#pool.connect((error, client) => {
        if (client === undefined) reject(error!)
        else resolve(new PgConnection(client, this.#seconds))
      })
    })
  }
}

/** A client of the pool, until it is released. */
class PgConnection<Client extends PgClient> implements Transaction<Client> {
  readonly client: Client
  readonly #seconds: number
  readonly #release: (error?: Error) => void
  /** Why the state of the connection is unknown. */
  #doubt: Error | undefined

  constructor(client: Client, seconds: number) {
    this.client = client
    this.#seconds = seconds
    client.on('error', this.#onError)
    this.#release = client.release.bind(client)
    client.release = () => {
      throw new Error('The inbox releases the client itself: remove client.release() from the handler.')
    }
  }

  begin(statements: string, seconds: number): Promise<readonly Row[]> {
    return this.query(`BEGIN;${statements}`, [], seconds)
  }

  async commit(check: string): Promise<void> {
    // If the check fails, PostgreSQL does not run the COMMIT after it.
    await this.query(`${check};COMMIT`)
    this.release()
  }

  async rollback(): Promise<void> {
    try {
      if (this.#doubt === undefined) await this.query('ROLLBACK')
    } catch (error) {
      this.#doubt = error as Error
    }
    this.release()
  }

  /** Gives the client back to the pool, or closes it. */
  release(): void {
    this.#release(this.#doubt)
    // A client that is being closed may still emit errors.
    if (this.#doubt === undefined) this.client.removeListener('error', this.#onError)
  }

  async query(
    text: string,
    values: readonly string[] = [],
    seconds = this.#seconds,
  ): Promise<readonly Row[]> {
    try {
      const answer = await answerWithin(seconds, this.client.query(text, [...values]))
      // The answer to several statements is an array.
      return [answer].flat().at(-1)!.rows
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      // The first error says why: "Client has encountered a connection error and is not queryable" does not.
      throw (this.#doubt ??= error as Error)
    }
  }

  readonly #onError = (error: Error): void => {
    this.#doubt ??= error
  }
}
