import { sqliteInbox } from '@service-signature/sqlite'
import Database from 'better-sqlite3'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DrillDatabase } from './database.js'

/** One file for all processes, which has no server. */
export const database: DrillDatabase = {
  name: 'SQLite',

  async start() {
    const folder = await mkdtemp(join(tmpdir(), 'drill-'))
    const file = join(folder, 'drill.db')
    const connection = new Database(file)
    connection.pragma('journal_mode = WAL')
    connection.exec('CREATE TABLE bookings (delivery TEXT, booking TEXT)')
    await sqliteInbox(connection).migrate()
    return {
      env: { FILE: file },
      read() {
        const rows = connection.prepare('SELECT delivery, booking FROM bookings').all() as Row[]
        return Promise.resolve(new Map(rows.map(({ booking, delivery }) => [booking, delivery])))
      },
      stop() {
        connection.close()
        return rm(folder, { recursive: true })
      },
    }
  },

  connect({ FILE }) {
    const connection = new Database(FILE)
    const insert = connection.prepare('INSERT INTO bookings (delivery, booking) VALUES (?, ?)')
    const inbox = sqliteInbox(connection)
    return (webhook, { delivery, booking }, onBooked) =>
      inbox.handle(webhook, () => {
        insert.run(delivery, booking)
        // The handler cannot wait for it, and stops its process for a while instead, in which it may be killed.
        void onBooked()
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 10)
      })
  },
}

interface Row {
  readonly delivery: string
  readonly booking: string
}
