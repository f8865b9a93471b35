import { readFileSync } from 'node:fs'
import { describe } from 'vitest'
import { postgresPrograms } from '@service-signature/contract/postgres-server'
import { postgresQueueCases } from './postgres-queues.js'
import { pathOf } from '../../test/support.js'

const JOBS = 'graphile_worker._private_jobs'
// Wakes a worker that waits for new jobs.
const WAKE = `SELECT pg_notify('jobs:insert', '{"count":1}')`

describe.skipIf(postgresPrograms() === undefined)('the example with graphile-worker', () => {
  postgresQueueCases('graphile-worker', {
    table: JOBS,
    openJobs: `SELECT key FROM ${JOBS} WHERE attempts < max_attempts OR locked_at IS NOT NULL`,
    deadLetters: `SELECT key FROM graphile_worker.jobs WHERE attempts = max_attempts AND locked_at IS NULL`,
    makeDue: (isLastAttempt) => [
      `WITH due AS (
        UPDATE ${JOBS} SET run_at = now(), attempts = CASE WHEN $1 THEN max_attempts - 1 ELSE attempts END
        WHERE is_available AND attempts > 0 AND run_at > now() RETURNING id
      ) ${WAKE} FROM due`,
      isLastAttempt,
    ],
    // An operator does this after a worker died. Otherwise, another worker takes its jobs after 4 hours.
    releaseJobs: (pool) =>
      pool.query(`SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM ${JOBS}`),
    async retryDeadLetters(pool) {
      await pool.query(readFileSync(pathOf('examples/queues/graphile-worker/retry-failed.sql'), 'utf8'))
      await pool.query(WAKE)
    },
  })
})
