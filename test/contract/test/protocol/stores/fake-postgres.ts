import { postgresInbox } from '@service-signature/postgres'
import type { Attempt } from '../invariants.js'
import { ConnectionLost, TIMES, type Simulation, type StoreKind } from '../simulation.js'
import { BOOK, FAILING, FakeDatabase, SQL, type Mistake } from './fake-database.js'
import { Session, type Answer } from './fake-session.js'

/** The queries, as the trace has them. */
const NAMES = new Map<string, string>([
  ...Object.entries(SQL).map(([name, text]) => [String(text), name.toUpperCase()] as const),
  [BOOK, 'BOOK'],
  [FAILING, 'A STATEMENT THAT FAILS'],
])

function nameOf(text: string): string {
  if (text.startsWith('BEGIN;')) return 'BEGIN AND INSERT'
  return isCommit(text) ? 'CHECK AND COMMIT' : (NAMES.get(text) ?? text)
}

function isCommit(text: string): boolean {
  return text.endsWith(';COMMIT')
}

/** A client of `pg`. Its connection breaks with each request or answer that is lost. */
export class FakeClient {
  readonly #attempt: Attempt
  readonly #simulation: Simulation
  readonly #database: FakeDatabase
  readonly #session: Session
  #isReleased = false
  #isConnected = true

  constructor(attempt: Attempt, database: FakeDatabase) {
    this.#attempt = attempt
    this.#simulation = attempt.process.simulation
    this.#database = database
    this.#session = new Session(database)
    attempt.process.atCrash.push(() => {
      this.#disconnect()
    })
  }

  async query(text: string, values?: string[]): Promise<Answer> {
    if (!this.#isConnected) throw new ConnectionLost()
    const { process, name, delivery } = this.#attempt
    try {
      return await process.call(`${nameOf(text)} for ${name}`, async () => {
        const answer = await this.#execute(text, values)
        if (text === SQL.commit) this.#attempt.committedAt = Date.now()
        if (isCommit(text)) this.#simulation.history.books(delivery, this.#database.bookings)
        // The type of `pg` does not have the array of several answers.
        return answer as Answer
      })
    } catch (error) {
      if (error instanceof ConnectionLost) this.#disconnect()
      throw error
    }
  }

  /** With an error, the connection is closed. */
  release(error?: Error | boolean): void {
    this.#isReleased = true
    if (error instanceof Error) this.#disconnect()
    else if (this.#isConnected && this.#session.isInTransaction) this.#misused('in a transaction')
  }

  /** At the end of the schedule. */
  checkReleased(): void {
    if (!this.#isReleased && !this.#attempt.process.hasCrashed) this.#misused('never')
  }

  on(): void {
    // No connection breaks while it is idle.
  }

  removeListener(): void {
    // See above.
  }

  /** The server notices it later, and ends the transaction then. */
  #disconnect(): void {
    if (!this.#isConnected) return
    this.#isConnected = false
    const { name } = this.#attempt
    void this.#simulation.step(`the database notices that ${name} is disconnected`).then(() => {
      this.#session.close()
      this.#transactionIsLost()
    })
  }

  async #execute(text: string, values?: string[]) {
    try {
      return await this.#session.execute(text, values)
    } catch (error) {
      this.#transactionIsLost()
      throw error
    }
  }

  /** Its locks are free now. If its handler goes on, another one may run at the same time, but this one cannot commit. */
  #transactionIsLost(): void {
    if (this.#simulation.kind.isTransactional) this.#attempt.holdsUntil = 0
  }

  #misused(how: string): void {
    const detail = `the client of ${this.#attempt.name} is released ${how}`
    this.#simulation.history.violates('a connection goes back outside of a transaction', detail)
  }
}

interface Use {
  /** `inbox.handle` runs the handler in its transaction. */
  readonly handle: boolean
  /** The adapter has `replay: inbox`. */
  readonly replay: boolean
}

/** The inbox over `pg`, whose database all processes share. */
export function inPostgres(name: string, { handle, replay }: Use, mistake?: Mistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: handle,
    open(simulation) {
      const database = new FakeDatabase(mistake)
      return (attempt) => {
        const connect = async () => {
          const label = `connects for ${attempt.name}`
          const client = await attempt.process.call(label, () => new FakeClient(attempt, database))
          simulation.clients.push(client)
          return client
        }
        // The type of a pool also has a form of `connect` that takes a callback, which the inbox does not use.
        const inbox = postgresInbox<FakeClient>({ connect, totalCount: 0 } as never, TIMES)
        return { ...(replay && { replay: inbox }), ...(handle && { inbox }) }
      }
    },
  }
}

export const IN_POSTGRES = [
  inPostgres('the inbox', { handle: true, replay: false }),
  inPostgres('the inbox, which is also the replay store', { handle: true, replay: true }),
  inPostgres('the inbox as a replay store alone', { handle: false, replay: true }),
]
