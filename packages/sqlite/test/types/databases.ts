// Compiled with the workspace (npm run types), never run: the databases that the inbox takes, and their handlers.
import type { ReplayStore, VerifiedWebhook } from '@service-signature/core'
import {
  sqliteInbox,
  type Inbox,
  type InboxOutcome,
  type LibsqlClient,
  type LibsqlTransaction,
} from '@service-signature/sqlite'
import Database from 'better-sqlite3'

declare const webhook: VerifiedWebhook

const database = new Database('shop.db')
const inbox = sqliteInbox(database, { table: 'inbox', waitSeconds: 5 })
void (inbox satisfies Inbox<Database.Database>)
void (inbox satisfies ReplayStore)

// The result of the handler, which is synchronous.
const outcome = (await inbox.handle(webhook, (own) =>
  own.pragma('user_version'),
)) satisfies InboxOutcome<unknown>
void outcome
const { result } = await inbox.handle(webhook, () => 5)
void (result satisfies number | undefined)
void ((await inbox.once('key', () => undefined)).outcome satisfies 'handled' | 'duplicate')
// @ts-expect-error -- an asynchronous handler
await inbox.handle(webhook, async () => Promise.resolve(5))
// @ts-expect-error -- a handler that returns a promise
await inbox.once('key', () => Promise.resolve(5))
// @ts-expect-error -- a handler that may return a promise
await inbox.once('key', () => (Math.random() > 1 ? Promise.resolve(5) : 5))
// @ts-expect-error -- nothing of it would have an effect
sqliteInbox(database, { timeoutSeconds: 5 })

const record = await inbox.record(webhook)
database.transaction(() => record() satisfies boolean)()

// A client with promises.
declare const client: LibsqlClient<LibsqlTransaction & { rollback(): Promise<void> }>
const overClient = sqliteInbox(client)
const handled = await overClient.handle(webhook, async (transaction) => {
  await transaction.execute({ sql: 'SELECT 1', args: [] })
  return 5
})
void (handled satisfies InboxOutcome<number>)
void ((await overClient.once('key', () => 5)) satisfies InboxOutcome<number>)
declare const transaction: LibsqlTransaction
void ((await overClient.record(webhook, transaction)) satisfies boolean)
// @ts-expect-error -- without the transaction
await overClient.record(webhook)
