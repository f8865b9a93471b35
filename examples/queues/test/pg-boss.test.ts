import PgBoss from 'pg-boss'
import { describe, expect } from 'vitest'
import { postgresPrograms } from '@service-signature/contract/postgres-server'
import { postgresQueueCases } from './postgres-queues.js'
import { start } from '../../test/support.js'

const DUE = `UPDATE pgboss.job SET start_after = now() - interval '1 second'`
const WAITS = `WHERE name = 'payment-events' AND state = 'retry' AND start_after > now()`

describe.skipIf(postgresPrograms() === undefined)('the example with pg-boss', () => {
  postgresQueueCases('pg-boss', {
    env: { POLLING_SECONDS: '0.5' },
    table: 'pgboss.job',
    openJobs: `SELECT data->>'key' AS key FROM pgboss.job WHERE name = 'payment-events' AND state < 'completed'`,
    deadLetters: `
      SELECT data->>'key' AS key FROM pgboss.job
      WHERE name = 'payment-events-failed' AND state < 'completed'`,
    makeDue: (isLastAttempt) => [
      isLastAttempt ? `${DUE}, retry_count = retry_limit - 1 ${WAITS}` : `${DUE} ${WAITS}`,
    ],
    async releaseJobs(pool) {
      await pool.query(`UPDATE pgboss.job SET started_on = now() - expire_in WHERE state = 'active'`)
      // Each worker does this every two minutes.
      const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) } })
      await boss.maintain()
      await pool.query(`${DUE} ${WAITS}`)
    },
    async retryDeadLetters(_, url) {
      const { code, stdout } = await start('queues/pg-boss/retry-failed.js', { DATABASE_URL: url }).ended
      expect(code).toBe(0)
      expect(stdout).toMatch(/^retried [0-9a-f]{64}\n$/)
    },
  })
})
