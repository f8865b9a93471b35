import pg from 'pg'
import { postgresInbox } from '@service-signature/postgres'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL')

export const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 3000 })

export const inbox = postgresInbox(pool)

/** Books an intent if it is paid, and once, whether a webhook or the job calls it. Resolves to whether this call did. */
export async function book({ id, status, amount }) {
  if (status !== 'PROCESSED') return false
  const { outcome } = await inbox.once(`intent:${id}:PROCESSED`, (client) =>
    client.query('INSERT INTO payments (intent_id, amount) VALUES ($1, $2)', [id, amount]),
  )
  return outcome === 'handled'
}
