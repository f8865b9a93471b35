import pg from 'pg'
import { postgresInbox } from '@service-signature/postgres'

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 3000 })
pool.on('error', console.error)

const inbox = postgresInbox(pool)
await inbox.migrate()

/** Books a paid intent once, whether a webhook or the job calls it. Resolves to whether this call did. */
export async function book(id, amount) {
  const { outcome } = await inbox.once(`intent:${id}:PROCESSED`, (client) =>
    client.query('INSERT INTO payments (intent_id, amount) VALUES ($1, $2)', [id, amount]),
  )
  return outcome === 'handled'
}
