// Compiled with the workspace (npm run types), never run: the bindings by the types of Cloudflare.
import type {
  D1Database,
  D1PreparedStatement,
  D1Result,
  DurableObjectNamespace,
  DurableObjectState,
} from '@cloudflare/workers-types'
import { d1Inbox, durableObjectReplayStore, ReplayObject, type Inbox } from '@service-signature/cloudflare'
import {
  createVerifier,
  memoryReplayStore,
  type ReplayStore,
  type VerifiedWebhook,
} from '@service-signature/core'

declare const webhook: VerifiedWebhook
declare const env: {
  readonly DB: D1Database
  readonly REPLAY: DurableObjectNamespace
  readonly TYPED: DurableObjectNamespace<ReplayObject>
}
declare const state: DurableObjectState

const inbox: Inbox<D1PreparedStatement, D1Result> = d1Inbox(env.DB, { table: 'inbox', ttlSeconds: 600 })
export const store: ReplayStore = inbox
const booked = await inbox.handle(webhook, [env.DB.prepare('SELECT 1')])
if (booked.outcome === 'handled') void (booked.result satisfies readonly D1Result[])
void ((await inbox.once('intent:int_1:PROCESSED', () => [])).result satisfies readonly D1Result[] | undefined)
await inbox.once('intent:int_1:PROCESSED', async () => Promise.resolve([env.DB.prepare('SELECT 1').bind(1)]))
d1Inbox(env.DB.withSession(), { replayKey: ({ event }) => event.type })
createVerifier({ secret: 'secret', replay: durableObjectReplayStore(env.REPLAY) })
durableObjectReplayStore(env.TYPED.jurisdiction('eu'), { timeoutSeconds: 1 })
new ReplayObject(state)

// @ts-expect-error: a namespace is not a database
d1Inbox(env.REPLAY)
// @ts-expect-error: a store is not a database
d1Inbox(memoryReplayStore())
// @ts-expect-error: misspelled
d1Inbox(env.DB, { ttl: 5 })
// @ts-expect-error: a database is not a namespace
durableObjectReplayStore(env.DB)
// @ts-expect-error: an event alone does not have the signed content
await inbox.handle(webhook.event, [])
// @ts-expect-error: a statement that was run is not in the batch
await inbox.once('key', [env.DB.prepare('SELECT 1').run()])
// @ts-expect-error: the statements are missing
await inbox.once('key')
