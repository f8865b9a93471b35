// Handles one delivery in a process of its own, which the test kills before the transaction ends.
import { verifySync } from '@service-signature/core'
import { postgresInbox } from '@service-signature/postgres'
import pg from 'pg'

const { BODY, DATABASE_URL, SECRET, SIGNATURE } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL })
const webhook = verifySync(BODY, SIGNATURE, { secret: SECRET })
await postgresInbox(pool).handle(webhook, async (client) => {
  await client.query(`INSERT INTO bookings VALUES ('killed')`)
  process.send('booked')
  await new Promise(() => undefined)
})
