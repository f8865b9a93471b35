import { postgresInbox } from '@service-signature/postgres'
import postgres from 'postgres'
import type { DrillDatabase } from './database.js'
import { BOOK, start } from './postgres.js'

export const database: DrillDatabase = {
  name: 'PostgreSQL, over postgres.js',
  start,

  connect({ DATABASE_URL }) {
    // With its default, postgres.js ends the process if a connection is lost while it connects.
    const sql = postgres(DATABASE_URL!, { max: 8, fetch_types: false, onnotice: () => undefined })
    const inbox = postgresInbox(sql)
    return (webhook, { delivery, booking }, onBooked) =>
      inbox.handle(webhook, async (tx) => {
        await tx.unsafe(BOOK, [delivery, booking])
        await onBooked()
      })
  },
}
