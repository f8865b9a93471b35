import { verifySync } from '@service-signature/core'
import { sign, transactionEvent } from '@service-signature/core/testing'
import { startPostgres } from '@service-signature/contract/postgres-server'
import { postgresInbox } from '@service-signature/postgres'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isMissing } from '@service-signature/contract/services'

const SECRET = 'test_signature_key'

it.skipIf(isMissing('postgres'))(
  'books a delivery once whose process is killed inside the transaction',
  async () => {
    const server = await startPostgres()
    onTestFinished(server.stop)
    const pool = new pg.Pool({ connectionString: server.url })
    pool.on('error', () => undefined)
    onTestFinished(() => pool.end())
    await pool.query('CREATE TABLE bookings (what text)')
    const inbox = postgresInbox(pool)
    await inbox.migrate()
    const BODY = JSON.stringify(transactionEvent())
    const SIGNATURE = sign(BODY, { secret: SECRET })
    const verified = () => verifySync(BODY, SIGNATURE, { secret: SECRET })

    const file = fileURLToPath(new URL('handler.js', import.meta.url))
    const env = { PATH: process.env['PATH'], DATABASE_URL: server.url, SECRET, BODY, SIGNATURE }
    const child = fork(file, { env, execArgv: [] })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    expect(await once(child, 'message')).toEqual(['booked', undefined])

    // A retry, which waits for the process that is handling the delivery.
    const retry = inbox.handle(verified(), (client) =>
      client.query(`INSERT INTO bookings VALUES ('retried')`),
    )
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
    child.kill('SIGKILL')
    expect((await retry).outcome).toBe('handled')

    const handler = vi.fn()
    expect((await inbox.handle(verified(), handler)).outcome).toBe('duplicate')
    expect(handler).not.toHaveBeenCalled()
    expect((await pool.query('SELECT what FROM bookings')).rows).toEqual([{ what: 'retried' }])
  },
)
