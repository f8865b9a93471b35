// Run once a day, by cron or by a job of your platform.
import pg from 'pg'
import { postgresInbox } from '@service-signature/postgres'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL')

const pool = new pg.Pool({ connectionString: DATABASE_URL })
const count = await postgresInbox(pool).prune({ signal: AbortSignal.timeout(600_000) })
console.log(`${count} old keys deleted`)
await pool.end()
