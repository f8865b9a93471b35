// Compiled with the workspace (npm run types), never run: the bindings by the types of Cloudflare.
import type {
  D1Database,
  D1PreparedStatement,
  DurableObjectNamespace,
  DurableObjectState,
} from '@cloudflare/workers-types'
import { d1Inbox, durableObjectReplayStore, ReplayObject, type D1Inbox } from '@service-signature/cloudflare'
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

const inbox: D1Inbox<D1PreparedStatement> = d1Inbox(env.DB, { table: 'inbox', ttlSeconds: 60 })
export const store: ReplayStore = inbox
await env.DB.batch([await inbox.statement(webhook), env.DB.prepare('SELECT 1')])
export const statement: D1PreparedStatement = await inbox.statement('intent:int_1:PROCESSED')
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
await inbox.statement(webhook.event)
