import { startPostgres, type PostgresServer } from '@service-signature/contract/postgres-server'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, it, onTestFinished, vi } from 'vitest'
import { runs } from '../../../../../packages/core/test/support/runs.js'
import { createTables, INSERT, sameAfterWaiting, sameAs } from './compare-databases.js'
import { SQL } from './fake-database.js'
import { isMissing } from '@service-signature/contract/services'

describe.skipIf(isMissing('postgres'))('over a PostgreSQL server with three connections', () => {
  let server: PostgresServer
  let clients: readonly pg.Client[]
  const session = (index: number) => ({
    query: (text: string, values?: string[]) => clients[index]!.query<object>(text, values),
  })
  const sessions = [session(0), session(1), session(2)]

  beforeAll(async () => {
    server = await startPostgres()
    clients = sessions.map(() => new pg.Client({ connectionString: server.url }))
    for (const client of clients) await client.connect()
    await createTables(sessions[0]!)
  })
  afterAll(async () => {
    for (const client of clients) await client.end()
    await server.stop()
  })

  it('behaves like the fake in random sequences of statements, including row locks', async () => {
    await fc.assert(sameAs(sessions), { numRuns: runs(60) })
  })

  const befores = { 'that does not exist': SQL.release, 'that is claimed': SQL.claim }
  const waiting = { insert: INSERT, claim: SQL.claim, commit: SQL.commit, release: SQL.release }
  const cases = Object.entries(befores).flatMap(([state, before]) =>
    Object.entries(waiting).flatMap(([name, statement]) =>
      ['COMMIT', 'ROLLBACK'].map((ending) => [name, ending, state, [before, statement, ending]] as const),
    ),
  )
  it.each(cases)('behaves like the fake if %s waits for %s, of a key %s', async (...[, , , steps]) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await sameAfterWaiting(sessions, isWaiting(steps[1] !== SQL.release || steps[0] === SQL.claim), steps)
  })

  /** A release does not wait for a row that is not committed yet. */
  const isWaiting = (isExpected: boolean) => async () => {
    const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted'
    while (isExpected && (await session(2).query(waiting)).rows.length === 0);
  }
})
