import pg from 'pg'
import { expect, it } from 'vitest'
import { startPostgres } from '@service-signature/contract/postgres-server'
import { deliveries, keyOf, queueCases, type Engine } from './queue-cases.js'

type Statement = readonly [text: string, ...values: unknown[]]

/** Statements about the jobs of an engine, which select keys of deliveries as "key". */
export interface JobsInPostgres {
  readonly env?: Record<string, string>
  readonly table: string
  readonly openJobs: string
  readonly deadLetters: string
  readonly makeDue: (isLastAttempt: boolean) => Statement
  readonly releaseJobs: (pool: pg.Pool) => Promise<unknown>
  readonly retryDeadLetters: (pool: pg.Pool, url: string) => Promise<unknown>
}

/** The cases of an engine whose jobs are in the same database as the inbox. */
export function postgresQueueCases(folder: string, jobs: JobsInPostgres): void {
  let pool: pg.Pool

  async function keys(text: string): Promise<string[]> {
    const { rows } = await pool.query<{ key: string }>(text)
    return rows.map(({ key }) => key)
  }

  async function startEngine(): Promise<Engine> {
    const server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url })
    pool.on('error', () => undefined)
    return {
      env: { ...jobs.env, DATABASE_URL: server.url },
      server,
      openJobs: () => keys(jobs.openJobs),
      deadLetters: () => keys(jobs.deadLetters),
      async makeDue({ isLastAttempt }) {
        const [text, ...values] = jobs.makeDue(isLastAttempt)
        const { rowCount } = await pool.query(text, values)
        return rowCount ?? 0
      },
      async releaseJobs() {
        await jobs.releaseJobs(pool)
      },
      async retryDeadLetters() {
        await jobs.retryDeadLetters(pool, server.url)
      },
      close: () => pool.end(),
    }
  }

  const cases = queueCases(folder, startEngine, 503)

  it('keeps neither the delivery nor its job if the endpoint is killed before the commit', async () => {
    const { intent } = deliveries('not_committed')
    const other = await cases.startEndpoint()
    const isInInbox = `SELECT key FROM service_signature_inbox WHERE key = '${keyOf(intent)}'`
    // Not that of a worker, which waits for the same lock but has written nothing.
    const waiting = `
      SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND backend_xid IS NOT NULL`

    // The delivery is in the inbox, and its job waits for this lock.
    const lock = await pool.connect()
    await lock.query(`BEGIN; LOCK TABLE ${jobs.table} IN SHARE MODE`)
    const sent = other.send(intent).catch(() => 'no answer')
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
    const { rows } = await pool.query<{ pid: number }>(waiting)
    await other.kill()
    expect(await sent).toBe('no answer')
    await lock.query('COMMIT')
    lock.release()

    const isRunning = `SELECT pid FROM pg_stat_activity WHERE pid = ${rows[0]!.pid}`
    await expect.poll(async () => (await pool.query(isRunning)).rowCount).toBe(0)
    expect(await keys(isInInbox)).toEqual([])
    expect(await cases.engine().openJobs()).not.toContain(keyOf(intent))

    expect(await cases.endpoint().send(intent)).toBe(204)
    ;(await cases.nextBooking('not_committed')).answer(204)
    expect(await keys(isInInbox)).toEqual([keyOf(intent)])
  })
}
