/**
 * Handles each webhook once on Cloudflare Workers: in a batch of D1, or with a Durable Object for each delivery.
 *
 * @module cloudflare
 */
export type { InboxOptions } from '@service-signature/inbox'
export { d1Inbox, type Inbox } from './inbox.js'
export type { Database, Namespace, ObjectStorage, SharedReplayStore, Statement } from './driver.js'
export { durableObjectReplayStore, type DurableObjectReplayStoreOptions } from './store.js'
export { ReplayObject } from './replay-object.js'
