// Compiled with the workspace (npm run types), never run: the pools that the inbox takes, by their own types.
import { createVerifier, type ReplayStore, type VerifiedWebhook } from '@service-signature/core'
import { mysqlInbox, type Inbox, type InboxOutcome } from '@service-signature/mysql'
import mysql from 'mysql2'
import promises, { type PoolConnection, type RowDataPacket } from 'mysql2/promise'

declare const webhook: VerifiedWebhook

// The connection of the handler is the one of the library, also for a pool with callbacks.
const pool = promises.createPool('mysql://127.0.0.1')
const inbox = mysqlInbox(pool)
void (inbox satisfies Inbox<PoolConnection>)
void (mysqlInbox(mysql.createPool('mysql://127.0.0.1')) satisfies Inbox<PoolConnection>)
await inbox.handle(webhook, async (connection) => {
  const [rows] = await connection.query<RowDataPacket[]>('SELECT ? AS id', [1])
  return rows.length satisfies number
})

const connection = await pool.getConnection()
void ((await inbox.record(webhook, (strings, key) =>
  connection.query(strings.join('?'), [key]),
)) satisfies boolean)

const outcomes = (await inbox.handle(webhook, () => Promise.resolve(5))) satisfies InboxOutcome<number>
if (outcomes.outcome === 'handled') void (outcomes.result satisfies number)
void ((await inbox.prune({ signal: AbortSignal.timeout(1000) })) satisfies number)

// It is a replay store.
void (inbox satisfies ReplayStore)
createVerifier({ secret: 'secret', replay: inbox })
mysqlInbox(pool, { table: 'a.b', leaseSeconds: 5, ttlSeconds: 60, waitSeconds: 1, timeoutSeconds: 1 })

// @ts-expect-error: a connection is not a pool
mysqlInbox(await promises.createConnection('mysql://127.0.0.1'))
// @ts-expect-error: the URL alone is not enough
mysqlInbox('mysql://127.0.0.1')
// @ts-expect-error: misspelled
mysqlInbox(pool, { ttl: 5 })
