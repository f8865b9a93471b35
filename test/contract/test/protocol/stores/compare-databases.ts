import fc from 'fast-check'
import { expect } from 'vitest'
import { schemaFor } from '../../../../../packages/postgres/src/migration.js'
import { BOOK, FAILING, FakeDatabase, SQL } from './fake-database.js'
import { Session } from './fake-session.js'

/** A connection to a real PostgreSQL. */
export interface RealSession {
  readonly query: (text: string, values?: string[]) => Promise<Result | Result[]>
}

interface Result {
  readonly rows: object[]
}

/** How long statements wait for a lock, in milliseconds. */
const LOCK_TIMEOUT = '10'

const keys = fc.constantFrom('key 1', 'key 2')
const tokens = fc.constantFrom('token 1', 'token 2')
const statements = fc.oneof(
  fc
    .constantFrom('BEGIN', 'COMMIT', 'ROLLBACK', SQL.check, `${SQL.check};COMMIT`, FAILING)
    .map((text) => [text]),
  fc.tuple(fc.constantFrom(SQL.claim, SQL.commit, SQL.release), keys, tokens),
  fc
    .tuple(keys, fc.constantFrom(0.01, 0.015), fc.constantFrom('ignored', 'honoured'))
    .map((values) => [`BEGIN;${SQL.begin(...values)}`]),
  keys.map((key) => [SQL.handled(key)]),
  keys.map((key) => [BOOK, key]),
)
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ session: fc.nat(2), statement: statements }) },
  // No sum of the pauses is close to a lease or to the time that a commit is kept: the real clock also advances by
  // itself.
  { weight: 1, arbitrary: fc.record({ pauseSeconds: fc.constantFrom(50, 80, 86_370) }) },
)

/** Random sequences of statements, which must do the same to the real database and to the fake one. */
export function sameAs(sessions: readonly RealSession[]) {
  return fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
    let now = 0
    const database = new FakeDatabase(undefined, () => now)
    database.lockTimeout = Number(LOCK_TIMEOUT)
    const fakes = sessions.map(() => new Session(database))
    await reset(sessions, LOCK_TIMEOUT)
    for (const each of steps) {
      if ('pauseSeconds' in each) {
        // now() is the time at which a transaction began, and the pause moves only committed rows.
        if (fakes.some(({ isInTransaction }) => isInTransaction)) continue
        now += each.pauseSeconds * 1000
        await age(sessions[0]!, each.pauseSeconds)
        continue
      }
      const index = each.session % sessions.length
      const [text, ...values] = each.statement
      if (text.startsWith('BEGIN') && fakes[index]!.isInTransaction) continue
      const expected = await resultOf(sessions[index]!.query(text, values))
      expect(await resultOf(fakes[index]!.execute(text, values))).toEqual(expected)
    }
    for (const { query } of sessions) await query('ROLLBACK')
    for (const fake of fakes) await fake.execute('ROLLBACK')
    expect(rowsOf(database)).toEqual(await resultOf(sessions[0]!.query(ROWS)))
    const booked = sessions[0]!.query('SELECT name FROM bookings ORDER BY name')
    expect([...database.bookings].sort().map((name) => ({ name }))).toEqual(await resultOf(booked))
  })
}

/**
 * The result of a statement that waits for the transaction of another connection, which then ends.
 *
 * The caller replaces the timers, so that the fake does not give up either.
 *
 * @param before the statement that was run for the key before
 * @param whenWaiting resolves when a statement of the real database waits
 */
export async function sameAfterWaiting(
  sessions: readonly RealSession[],
  whenWaiting: () => Promise<void>,
  [before, statement, ending]: readonly [before: string, statement: string, ending: string],
): Promise<void> {
  const database = new FakeDatabase()
  const [first, second] = [new Session(database), new Session(database)]
  const [realFirst, realSecond] = sessions as [RealSession, RealSession]
  await reset(sessions, '0')
  for (const text of [before, INSERT]) {
    const expected = await resultOf(realFirst.query(text, valuesOf(text)))
    expect(await resultOf(first.execute(text, valuesOf(text)))).toEqual(expected)
  }
  const values = valuesOf(statement)
  // A claim gives up after 100 ms, which a busy machine may need to see that it waits.
  const patient = statement.replace(`'lock_timeout', '100'`, `'lock_timeout', '0'`)
  const [expected, actual] = [realSecond.query(patient, values), second.execute(statement, values)].map(
    resultOf,
  )
  await whenWaiting()
  await realFirst.query(ending)
  await first.execute(ending)
  expect(await actual).toEqual(await expected)
  expect(rowsOf(database)).toEqual(await resultOf(realFirst.query(ROWS)))
}

/** An insertion that waits for as long as a test may take. */
export const INSERT = `BEGIN;${SQL.begin('key', 60, 'ignored')}`

function valuesOf(statement: string): string[] {
  return statement.includes('$1') ? ['key', 'token 1'] : []
}

export async function createTables({ query }: RealSession): Promise<void> {
  for (const statement of schemaFor(['service_signature_inbox'])) await query(statement)
  await query('CREATE TABLE IF NOT EXISTS bookings (name text)')
}

async function reset(sessions: readonly RealSession[], lockTimeout: string): Promise<void> {
  for (const { query } of sessions) {
    await query('ROLLBACK')
    await query(`SET lock_timeout = ${lockTimeout}`)
  }
  await sessions[0]!.query('DELETE FROM service_signature_inbox')
  await sessions[0]!.query('DELETE FROM bookings')
}

/** The rows of the last answer, or the code of the error. */
async function resultOf(answer: Promise<Result | Result[]>): Promise<unknown> {
  try {
    return [await answer].flat().at(-1)!.rows
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

async function age({ query }: RealSession, seconds: number): Promise<void> {
  const past = `make_interval(secs => ${seconds})`
  await query(
    `UPDATE service_signature_inbox SET handled_at = handled_at - ${past}, claimed_until = claimed_until - ${past}`,
  )
}

const ROWS = `SELECT key, handled_at IS NOT NULL AS "isHandled", claim_token AS token
FROM service_signature_inbox ORDER BY key`

function rowsOf({ rows }: FakeDatabase): object[] {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([key, { handledAt, token = null }]) => ({
    key,
    isHandled: handledAt !== undefined,
    token,
  }))
}
