// Compiled with the workspace (npm run types), never run: the transactions of query builders, by their own types.
import type { VerifiedWebhook } from '@service-signature/core'
import { postgresInbox } from '@service-signature/postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import { Kysely, PostgresDialect, sql as kyselySql } from 'kysely'
import pg from 'pg'

declare const webhook: VerifiedWebhook

const pool = new pg.Pool()
const inbox = postgresInbox(pool)

await drizzle(pool).transaction((tx) =>
  inbox.record(webhook, (strings, key) => tx.execute(sql(strings, key))),
)
await new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  .transaction()
  .execute((trx) => inbox.record(webhook, (strings, key) => kyselySql(strings, key).execute(trx)))

// @ts-expect-error: Drizzle has its own pool within
postgresInbox(drizzle(pool))
