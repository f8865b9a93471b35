import { startMariadb } from '@service-signature/contract/mariadb-server'
import { mysqlInbox } from '@service-signature/mysql'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { DrillDatabase } from './database.js'

export const database: DrillDatabase = {
  name: 'MariaDB',

  async start() {
    const server = await startMariadb({ innodb_flush_log_at_trx_commit: '1', max_connections: '200' })
    const pool = mysql.createPool({ uri: server.url, connectionLimit: 1 })
    await mysqlInbox(pool).migrate()
    await pool.query('CREATE TABLE bookings (delivery VARCHAR(255), booking VARCHAR(255)) ENGINE = InnoDB')
    return {
      env: { DATABASE_URL: server.url },
      server,
      async read() {
        const [rows] = await pool.query<RowDataPacket[]>('SELECT * FROM bookings')
        return new Map(rows.map(({ booking, delivery }) => [String(booking), String(delivery)]))
      },
      async stop() {
        await pool.end()
        await server.stop()
      },
    }
  },

  connect({ DATABASE_URL }) {
    const inbox = mysqlInbox(mysql.createPool({ uri: DATABASE_URL!, connectionLimit: 8 }))
    return (webhook, { delivery, booking }, onBooked) =>
      inbox.handle(webhook, async (connection) => {
        await connection.query('INSERT INTO bookings (delivery, booking) VALUES (?, ?)', [delivery, booking])
        await onBooked()
      })
  },
}
