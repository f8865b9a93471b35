import { startPostgres } from '@service-signature/contract/postgres-server'
import { postgresInbox } from '@service-signature/postgres'
import pg from 'pg'
import type { DrillDatabase, StartedDatabase } from './database.js'

export const database: DrillDatabase = {
  name: 'PostgreSQL, over pg',
  start,

  connect({ DATABASE_URL }) {
    const inbox = postgresInbox(connect(DATABASE_URL!, 8))
    return (webhook, { delivery, booking }, onBooked) =>
      inbox.handle(webhook, async (client) => {
        await client.query(BOOK, [delivery, booking])
        await onBooked()
      })
  },
}

export async function start(): Promise<StartedDatabase> {
  const server = await startPostgres({ fsync: 'on' })
  const pool = connect(server.url, 1)
  await postgresInbox(pool).migrate()
  await pool.query(BOOKINGS)
  return {
    env: { DATABASE_URL: server.url },
    server,
    read: () => bookingsIn(pool),
    async stop() {
      await pool.end()
      await server.stop()
    },
  }
}

export const BOOKINGS = 'CREATE TABLE bookings (delivery text, booking text)'
export const BOOK = 'INSERT INTO bookings (delivery, booking) VALUES ($1, $2)'

export function connect(connectionString: string, max: number): pg.Pool {
  // It has no listener for errors, as in the quick start: the inbox adds one.
  return new pg.Pool({ connectionString, max })
}

export async function bookingsIn(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ delivery: string; booking: string }>('SELECT * FROM bookings')
  return new Map(rows.map(({ booking, delivery }) => [booking, delivery]))
}
