import { sqliteInbox } from '@service-signature/sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  FakeSession,
  FakeSqliteFile,
  SQLITE,
} from '../../../../test/contract/test/protocol/stores/fake-sqlite-file.js'
import { runs } from '../../../core/test/support/runs.js'
import { runOn, SYNCHRONOUS, useFile, type Synchronous } from './support/drivers.js'

const TABLE = 'service_signature_inbox'
const CONNECTIONS = 2

const keys = fc.constantFrom('key 1', 'key 2')
const tokens = fc.constantFrom('token 1', 'token 2')
const { pragma, begin, end, rollback, claim, commit, release, book, failing } = SQLITE
const ofOneKey = [SQLITE.insert, SQLITE.insertUnlessClaimed, SQLITE.isHandled, book]
const statements: fc.Arbitrary<Statement> = fc.oneof(
  fc.constantFrom(begin, end, end, rollback, `${pragma} = 0`, `${pragma} = 3`).map((sql) => ({ sql })),
  fc.constantFrom(pragma, failing).map((sql) => ({ sql, values: [] })),
  fc.record({ sql: fc.constantFrom(...ofOneKey), values: fc.tuple(keys) }),
  fc.record({ sql: fc.constantFrom(claim, claim, commit, release), values: fc.tuple(keys, tokens) }),
)
interface Statement {
  readonly sql: string
  /** For a statement that has rows. */
  readonly values?: readonly string[]
}
const connection = fc.nat(CONNECTIONS - 1)
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ connection, statement: statements }) },
  { weight: 1, arbitrary: fc.record({ connection, closes: fc.constant(true) }) },
  // No sum of the pauses is close to a lease or to the time that a commit is kept: the real clock also advances.
  { weight: 3, arbitrary: fc.record({ pauseSeconds: fc.constantFrom(50, 80, 86_370) }) },
)

// A connection of libsql that is closed in a transaction keeps its lock until it is collected.
const driver = SYNCHRONOUS.find(({ name }) => name !== 'libsql')

describe.skipIf(driver === undefined)(`over ${driver?.name ?? 'better-sqlite3'}`, () => {
  describe.each(['WAL', 'DELETE'] as const)('in a file with journal_mode %s', (journal) => {
    const file = useFile(journal)

    const count = runs(100)
    const timeout = 300_000 + count * 50

    it('the fake SQLite behaves like the file in random sequences of statements', { timeout }, async () => {
      const observer = file.open(driver!)
      await sqliteInbox(observer).migrate()
      observer.exec('CREATE TABLE bookings (name text NOT NULL)')
      const open = () => {
        const database = driver!.open(file.path())
        database.exec('PRAGMA busy_timeout = 0')
        return database
      }

      fc.assert(
        fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
          observer.exec(`DELETE FROM ${TABLE};DELETE FROM bookings`)
          let now = 0
          const fake = new FakeSqliteFile(undefined, () => now)
          const pairs = Array.from({ length: CONNECTIONS }, () => ({
            real: open(),
            model: new FakeSession(fake),
          }))
          try {
            for (const each of steps) {
              if ('pauseSeconds' in each) {
                if (pairs.some(({ model }) => model.inTransaction)) continue
                now += each.pauseSeconds * 1000
                age(observer, each.pauseSeconds)
                continue
              }
              const pair = pairs[each.connection]!
              if ('closes' in each) {
                pair.real.close()
                pair.model.undo()
                pairs[each.connection] = { real: open(), model: new FakeSession(fake) }
                continue
              }
              if (each.statement.sql === SQLITE.isHandled && !pair.model.inTransaction) continue
              expect(resultOf(each.statement, pair.model)).toEqual(
                resultOf(each.statement, realSession(pair.real)),
              )
              expect(pair.model.inTransaction).toBe(pair.real.inTransaction ?? pair.real.isTransaction)
            }
          } finally {
            for (const { real, model } of pairs) {
              real.close()
              model.undo()
            }
          }
          expect(rowsOf(fake)).toEqual(runOn(observer, ROWS))
          expect(fake.bookings.map((name) => ({ name }))).toEqual(
            runOn(observer, 'SELECT name FROM bookings ORDER BY rowid'),
          )
        }),
        { numRuns: count },
      )
    })
  })
})

interface Session {
  exec(sql: string): void
  all(sql: string, values?: readonly string[]): readonly object[]
}

/** A driver as the inbox uses it. */
function realSession(database: Synchronous): Session {
  return {
    exec(sql) {
      database.exec(sql)
    },
    all: (sql, values = []) =>
      database.prepare(sql).all(Object.fromEntries(values.map((value, index) => [index + 1, value]))),
  }
}

/** The rows, or the code of the error and the part of its message that the inbox reads. */
function resultOf({ sql, values }: Statement, session: Session): unknown {
  try {
    if (values !== undefined) return session.all(sql, values).map((row) => ({ ...row }))
    session.exec(sql)
    return undefined
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown }
    return { code, message }
  }
}

function age(database: Synchronous, seconds: number): void {
  database.exec(
    `UPDATE ${TABLE} SET handled_at = handled_at - ${seconds}, claimed_until = claimed_until - ${seconds}`,
  )
}

const ROWS = `SELECT key, handled_at IS NOT NULL AS isHandled, claim_token AS token FROM ${TABLE} ORDER BY key`

function rowsOf({ rows }: FakeSqliteFile): object[] {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([key, { handledAt, token = null }]) => ({
    key,
    isHandled: handledAt === undefined ? 0 : 1,
    token,
  }))
}
