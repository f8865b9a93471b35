import { mysqlInbox, type MysqlClient } from '@service-signature/mysql'
import type { Attempt } from '../invariants.js'
import { TIMES, type StoreKind } from '../simulation.js'
import { FAILING, BOOK as NUMBERED_BOOK } from './fake-database.js'
import { FakeConnection, type Use } from './fake-connection.js'
import { FakeInnodb, type InnodbMistake } from './fake-innodb.js'
import { BOOK, DEADLOCK, MysqlSession, nameOf, type Answer } from './fake-mysql-session.js'

/** The statements of handlers. Of the errors of MySQL, only a deadlock ends the transaction. */
const OWN: Readonly<Record<string, string>> = { [NUMBERED_BOOK]: BOOK, [FAILING]: DEADLOCK }

/** A connection of `mysql2/promise`. */
class FakeMysqlClient extends FakeConnection<Answer> implements MysqlClient {
  readonly #database: FakeInnodb

  constructor(attempt: Attempt, database: FakeInnodb, autocommit: boolean) {
    super(attempt, new MysqlSession(database, { autocommit, lockWait: 50 }))
    this.#database = database
  }

  async query(text: string, values?: string[]): Promise<[answer: Answer, fields: undefined]> {
    const { process, delivery } = this.attempt
    const own = OWN[text] ?? text
    const name = nameOf(own)
    const answer = await this.send(name, async (session) => {
      if (own === DEADLOCK) this.transactionIsLost()
      const answered = await session.execute(own, values)
      if (name === 'HANDLED') this.attempt.committedAt = Date.now()
      // With some mistakes, others than COMMIT and RESTORE commit.
      process.simulation.history.books(delivery, this.#database.bookings)
      return answered
    })
    return [answer, undefined]
  }

  release(): void {
    this.giveBack({ close: false })
  }

  destroy(): void {
    this.giveBack({ close: true })
  }
}

/** The inbox over `mysql2`, whose database all processes share. */
export function inMysql(
  name: string,
  { handle, replay, autocommit = true }: Use & { /** Of the pool. */ readonly autocommit?: boolean },
  mistake?: InnodbMistake,
): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: handle,
    open(simulation) {
      const database = new FakeInnodb(mistake)
      simulation.contents = () => database.contents
      return (attempt) => {
        const make = () => new FakeMysqlClient(attempt, database, autocommit)
        const inbox = mysqlInbox({ getConnection: () => FakeConnection.open(attempt, make) }, TIMES)
        return { ...(replay && { replay: inbox }), ...(handle && { inbox }) }
      }
    },
  }
}

export const IN_MYSQL = [
  inMysql('the inbox in MySQL', { handle: true, replay: false }),
  inMysql('the inbox in MySQL, whose connections do not autocommit', {
    handle: true,
    replay: false,
    autocommit: false,
  }),
  inMysql('the inbox in MySQL, which is also the replay store', { handle: true, replay: true }),
  inMysql('the inbox in MySQL as a replay store alone', { handle: false, replay: true }),
]
