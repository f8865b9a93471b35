import { postgresInbox } from '@service-signature/postgres'
import type { Attempt } from '../invariants.js'
import { TIMES, type StoreKind } from '../simulation.js'
import { FakeConnection, type Use } from './fake-connection.js'
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

/** A client of `pg`. */
class FakeClient extends FakeConnection<Answer | Answer[]> {
  readonly #database: FakeDatabase

  constructor(attempt: Attempt, database: FakeDatabase) {
    super(attempt, new Session(database))
    this.#database = database
  }

  async query(text: string, values?: string[]): Promise<Answer> {
    const { process, delivery } = this.attempt
    const answer = await this.send(nameOf(text), async (session) => {
      const answered = await session.execute(text, values).catch((error: unknown) => {
        this.transactionIsLost()
        throw error
      })
      if (text === SQL.commit) this.attempt.committedAt = Date.now()
      if (isCommit(text)) process.simulation.history.books(delivery, this.#database.bookings)
      return answered
    })
    // The type of `pg` does not have the array of several answers.
    return answer as Answer
  }

  /** With an error, the connection is closed. */
  release(error?: Error | boolean): void {
    this.giveBack({ close: error instanceof Error })
  }

  on(): void {
    // No connection breaks while it is idle.
  }

  removeListener(): void {
    // See above.
  }
}

type Connected = (error: Error | undefined, client: FakeClient | undefined, done: never) => void

/** The inbox over `pg`, whose database all processes share. */
export function inPostgres(name: string, { handle, replay }: Use, mistake?: Mistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: handle,
    open(simulation) {
      const database = new FakeDatabase(mistake)
      simulation.contents = () => database.contents
      return (attempt) => {
        const connect = (callback: Connected) => {
          FakeConnection.open(attempt, () => new FakeClient(attempt, database)).then(
            (client) => {
              callback(undefined, client, undefined as never)
            },
            (error: unknown) => {
              callback(error as Error, undefined, undefined as never)
            },
          )
        }
        const inbox = postgresInbox<FakeClient>({ connect, on: () => undefined, totalCount: 0 }, TIMES)
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
