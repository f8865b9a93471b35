// Compiled with the workspace (npm run types), never run: the pools that the inbox takes, by their own types.
import { PGlite, type Transaction } from '@electric-sql/pglite'
import {
  createVerifier,
  memoryReplayStore,
  type ReplayStore,
  type VerifiedWebhook,
} from '@service-signature/core'
import { postgresInbox, type Inbox, type InboxOutcome } from '@service-signature/postgres'
import pg from 'pg'
import postgres from 'postgres'

declare const webhook: VerifiedWebhook

// The client of the handler is the one of the library.
const pool = new pg.Pool()
const overPg = postgresInbox(pool)
void (overPg satisfies Inbox<pg.PoolClient>)
await overPg.handle(webhook, async (client) => {
  const { rows } = await client.query<{ id: string }>('SELECT $1 AS id', [1])
  return rows[0]!.id satisfies string
})
void (postgresInbox(new pg.native!.Pool()) satisfies Inbox<pg.PoolClient>)

const sql = postgres()
const overPostgresJs = postgresInbox(sql)
void (overPostgresJs satisfies Inbox<postgres.TransactionSql>)
await overPostgresJs.handle(webhook, async (tx) => {
  const [row] = await tx<[{ id: string }]>`SELECT ${1} AS id`
  return tx.savepoint(() => row.id satisfies string)
})
void postgresInbox(postgres({ types: { date: postgres.BigInt } }))

const overPglite = postgresInbox(new PGlite())
void (overPglite satisfies Inbox<Transaction>)
await overPglite.handle(webhook, async (tx) => {
  const { rows } = await tx.query<{ id: string }>('SELECT $1 AS id', [1])
  return rows[0]!.id satisfies string
})

// Transactions of others; those of query builders are in examples/postgres/transactions.ts.
await sql.begin((tx) => overPg.record(webhook, tx))
await new PGlite().transaction((tx) => overPg.record(webhook, (strings, key) => tx.sql(strings, key)))
const client = await pool.connect()
void ((await overPg.record(webhook, (strings, key) =>
  client.query(strings.join('$1'), [key]),
)) satisfies boolean)

// The result of the inbox.
const { outcome, result } = await overPg.handle(webhook, () => 5)
void (outcome satisfies 'handled' | 'duplicate')
void (result satisfies number | undefined)
const outcomes = (await overPg.handle(webhook, () => Promise.resolve(5))) satisfies InboxOutcome<number>
if (outcomes.outcome === 'handled') void (outcomes.result satisfies number)
void ((await overPg.prune({ signal: AbortSignal.timeout(1000) })) satisfies number)

// It is a replay store.
void (overPg satisfies ReplayStore)
createVerifier({ secret: 'secret', replay: overPg })
postgresInbox(pool, { table: 'a.b', leaseSeconds: 5, ttlSeconds: 60, waitSeconds: 1, timeoutSeconds: 1 })
postgresInbox(pool, { replayKey: ({ event }) => event.type })

// @ts-expect-error: a client is not a pool
postgresInbox(new pg.Client())
// @ts-expect-error: the URL alone is not enough
postgresInbox('postgres://127.0.0.1/db')
// @ts-expect-error: a store is not a pool
postgresInbox(memoryReplayStore())
// @ts-expect-error: misspelled
postgresInbox(pool, { ttl: 5 })
// @ts-expect-error: an event alone does not have the signed content
await overPg.handle(webhook.event, () => undefined)
