import { answerWithin, connectionWithin } from '@service-signature/inbox'
import { DEADLOCK, isConnectionLost, numberOf } from './failures.js'

/** A pool of `mysql2/promise`. */
export interface MysqlPool<Client extends MysqlClient = MysqlClient> {
  getConnection(): Promise<Client>
}

/** A connection of such a pool. */
export interface MysqlClient {
  query(text: string): Promise<[answer: unknown, fields: unknown]>
  release(): void
  destroy(): void
}

/** The answer to a statement that is not a query. */
export type Header = Readonly<Record<'affectedRows' | 'insertId', number>>

/** InnoDB lets two of three that wait for a key fail, if the transaction that has it rolls back. */
export const DEADLOCKS = 4

/** What a handler must not call. `beginTransaction` would commit the key of the delivery without its work. */
const ENDINGS = ['beginTransaction', 'commit', 'rollback', 'release']

/** A connection of the pool, until it is returned or closed. Every wait has a time limit. */
export class Session<Client extends MysqlClient> {
  readonly client: Client
  readonly #seconds: number
  readonly #release: () => void
  /** Whether the state of the connection is unknown. */
  #isLost = false

  private constructor(client: Client, seconds: number) {
    this.client = client
    this.#seconds = seconds
    this.#release = client.release.bind(client)
    // mysql2 makes this object for each use of the connection.
    for (const name of ENDINGS) {
      const value = () => {
        throw new Error(`The inbox calls ${name}() itself, or need not: remove it from the handler.`)
      }
      Object.defineProperty(client, name, { value })
    }
  }

  static async open<Client extends MysqlClient>(pool: MysqlPool<Client>, seconds: number) {
    return new Session(await connectionWithin(seconds, pool.getConnection()), seconds)
  }

  /** @param deadlocks how many the first statement of a transaction survives: each ends it, and the next try begins another one */
  async run<Answer = Header>(text: string, seconds = this.#seconds, deadlocks = 0): Promise<Answer> {
    try {
      const [answer] = await answerWithin(seconds, this.client.query(text))
      return answer as Answer
    } catch (error) {
      if (deadlocks > 0 && numberOf(error) === DEADLOCK) return this.run(text, seconds, deadlocks - 1)
      this.#isLost ||= isConnectionLost(error)
      throw error
    }
  }

  /** Runs the last statements, and returns the connection to the pool, or closes it if its state is unknown. Never rejects. */
  async end(...statements: readonly string[]): Promise<void> {
    try {
      for (const text of this.#isLost ? [] : statements) await this.run(text)
    } catch {
      this.#isLost = true
    }
    if (this.#isLost) this.client.destroy()
    else this.#release()
  }
}
