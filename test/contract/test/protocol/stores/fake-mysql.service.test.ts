import { startMariadb, type MariadbServer } from '@service-signature/contract/mariadb-server'
import fc from 'fast-check'
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../../../../packages/core/test/support/runs.js'
import {
  begin,
  CHECK,
  MARK,
  OWN_LOCK_WAIT,
  RESTORE,
  SEE_UNCOMMITTED,
} from '../../../../../packages/mysql/src/statements.js'
import { FAILING } from './fake-database.js'
import { FakeInnodb } from './fake-innodb.js'
import { BOOK, MysqlSession, SQL } from './fake-mysql-session.js'
import { isMissing } from '@service-signature/contract/services'

/** Longer than a test takes. */
const LONG = 60
const TABLE = 'service_signature_inbox'
/** InnoDB also locks the gap before a row. A row of another key keeps the gaps of the two keys apart. */
const keys = fc.constantFrom('key 1', 'key 3')
const BETWEEN = 'key 2'
const ROWS = `SELECT CONVERT(\`key\` USING utf8mb4) AS name, handled_at IS NOT NULL AS isHandled, CONVERT(claim_token USING utf8mb4) AS token
FROM ${TABLE} WHERE \`key\` <> '${BETWEEN}' ORDER BY \`key\``

const tokens = fc.constantFrom('token 1', 'token 2')
const statements = fc.oneof(
  // MariaDB does not wait for a lock at all if the limit is 0.
  fc
    .constantFrom(begin(0, 0), begin(0, 0), begin(1, 0), MARK, CHECK, CHECK, OWN_LOCK_WAIT)
    .map((text) => [text]),
  fc.constantFrom('COMMIT', 'ROLLBACK', RESTORE, FAILING).map((text) => [text]),
  fc.tuple(keys, fc.constantFrom('ignored', 'honoured')).map((values) => [SQL.insert(...values)]),
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(SQL.claim, SQL.claim, SQL.commit, SQL.release), keys, tokens)
      .map(([make, key, token]) => [make(key, token)]),
  },
  keys.map((key) => [BOOK, key]),
  keys.map((key) => ['FIND', key]),
)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ session: fc.nat(1), statement: statements }) },
  // No sum of them is close to a lease or to the time that a commit is kept: the real clock also advances by itself.
  { weight: 1, arbitrary: fc.record({ pauseSeconds: fc.constantFrom(50, 80, 86_370) }) },
)

describe.skipIf(isMissing('mariadb'))('over a MariaDB server', () => {
  let server: MariadbServer
  let admin: Connection
  let real: readonly Connection[]

  beforeAll(async () => {
    server = await startMariadb()
    const open = () => createConnection(server.url)
    admin = await open()
    real = [await open(), await open(), await open(), await open()]
    await admin.query(SQL.schema)
    await admin.query('CREATE TABLE bookings (name VARCHAR(9)) ENGINE = InnoDB')
  })
  afterAll(async () => {
    for (const connection of [admin, ...real]) await connection.end()
    await server.stop()
  })

  /** @param modes whether each session is in autocommit mode */
  const open = async (database: FakeInnodb, modes: readonly boolean[]) => {
    for (const connection of real) await connection.query('ROLLBACK')
    // Rows that were deleted, but not purged, would change what happens to locks.
    await admin.query(`TRUNCATE ${TABLE}`)
    await admin.query('TRUNCATE bookings')
    await admin.query(`INSERT INTO ${TABLE} (\`key\`) VALUES ('${BETWEEN}')`)
    const sessions = modes.map(async (autocommit, index) => {
      const connection = real[index]!
      await connection.query(`SET autocommit = ${autocommit}, innodb_lock_wait_timeout = 0`)
      await connection.query(begin(autocommit ? 1 : 0, 0))
      return { connection, fake: new MysqlSession(database, { autocommit, lockWait: 0 }) }
    })
    return Promise.all(sessions)
  }

  const sameRows = async ({ rows, bookings }: FakeInnodb) => {
    const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
    const expected = sorted.map(([key, { handledAt, token = null }]) => {
      return { name: key, isHandled: Number(handledAt !== undefined), token }
    })
    const [stored] = await admin.query<RowDataPacket[]>(ROWS)
    expect(stored).toEqual(expected)
    const [booked] = await admin.query<RowDataPacket[]>('SELECT name FROM bookings ORDER BY name')
    expect(booked.map(({ name }) => name as string)).toEqual([...bookings].sort())
  }

  it('the fake database behaves in the same way in random sequences of statements, including row locks', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      let now = 0
      const database = new FakeInnodb(undefined, () => now)
      const sessions = await open(database, [true, false])
      for (const each of steps) {
        if ('pauseSeconds' in each) {
          // It moves only committed rows.
          for (const { connection, fake } of sessions) {
            await connection.query('COMMIT')
            await fake.execute('COMMIT')
          }
          now += each.pauseSeconds * 1000
          const past = `INTERVAL ${each.pauseSeconds} SECOND`
          await admin.query(
            `UPDATE ${TABLE} SET handled_at = handled_at - ${past}, claimed_until = claimed_until - ${past}`,
          )
          continue
        }
        const [text, ...values] = each.statement as [string, ...string[]]
        const { connection, fake } = sessions[each.session]!
        if (text === 'FIND') {
          const find = [...SEE_UNCOMMITTED, SQL.find(values[0]!)]
          for (const each of find) {
            expect([each, await resultOf(fake.execute(each))]).toEqual([
              each,
              await resultOf(connection.query(each)),
            ])
          }
          continue
        }
        // It is never in a transaction, where it would lock the gap of a key that is not there.
        if (text.startsWith('DELETE') && !fake.isInAutocommit) continue
        const expected = await resultOf(connection.query(text, values))
        expect([text, await resultOf(fake.execute(text, values))]).toEqual([text, expected])
      }
      for (const { connection, fake } of sessions) {
        await connection.query('ROLLBACK')
        await fake.execute('ROLLBACK')
      }
      await sameRows(database)
    })
    await fc.assert(property, { numRuns: runs(250) })
  })

  const befores = { 'that does not exist': undefined, 'that is claimed': SQL.claim('key', 'token 1') }
  const waiting = {
    insert: SQL.insert('key', 'ignored'),
    'the insert of once': SQL.insert('key', 'honoured'),
    claim: SQL.claim('key', 'token 2'),
    commit: SQL.commit('key', 'token 1'),
    release: SQL.release('key', 'token 1'),
  }
  const cases = Object.entries(befores).flatMap(([state, before]) =>
    Object.entries(waiting).flatMap(([name, statement]) =>
      ['COMMIT', 'ROLLBACK'].flatMap((ending) =>
        [1, 3].map((count) => [count, name, ending, state, { before, statement, ending }] as const),
      ),
    ),
  )
  it.each(cases)(
    'the fake database behaves in the same way if %i connections wait with %s for %s, of a key %s',
    async (count, name, _ending, _state, { before, statement, ending }) => {
      const database = new FakeInnodb()
      // All alike: it may differ which of them survives a deadlock.
      const [first, ...others] = await open(database, Array<boolean>(count + 1).fill(true))
      const both = async (text: string, { connection, fake } = first!) => {
        expect(await resultOf(fake.execute(text))).toBe(await resultOf(connection.query(text)))
      }
      if (before !== undefined) await both(before)
      await both(begin(0, LONG))
      await both(SQL.insert('key', 'ignored'))
      const [expected, actual]: Promise<unknown>[][] = [[], []]
      for (const [index, { connection, fake }] of others.entries()) {
        await both(begin(name.includes('insert') ? 0 : 1, LONG), { connection, fake })
        // The next one gets the lock when this one has ended its transaction.
        const run = async (query: (text: string) => Promise<unknown>) => {
          const result = await resultOf(query(statement))
          await query('ROLLBACK')
          return result
        }
        expected!.push(run((text) => connection.query(text)))
        actual!.push(run((text) => fake.execute(text)))
        await isWaiting(index + 1)
      }
      await both(ending)
      const results = await Promise.all([...expected!, ...actual!])
      expect(results.splice(0, count).sort()).toEqual(results.sort())
      await sameRows(database)
    },
  )

  /** Resolves when so many statements wait for a lock. */
  const isWaiting = async (count: number) => {
    const waits = `SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'`
    for (let value; value !== String(count);) {
      value = (await admin.query<RowDataPacket[]>(waits))[0][0]!['Value'] as string
    }
  }
})

/** The `insertId` of an answer, the number of its rows, or the number of the error. */
async function resultOf(answer: Promise<unknown>): Promise<string> {
  try {
    const answered = await answer
    // mysql2 gives the fields of the rows, too.
    const first: unknown = Array.isArray(answered) && answered.length === 2 ? answered[0] : answered
    return Array.isArray(first)
      ? `${first.length} rows`
      : `insertId ${(first as { insertId: number }).insertId}`
  } catch (error) {
    return `error ${(error as { errno?: number }).errno ?? String(error)}`
  }
}
