/**
 * Handles each webhook once on Cloudflare Workers: in a batch of D1, or with a Durable Object for each delivery.
 *
 * @module cloudflare
 */
export type { BatchInbox, InboxOptions, InboxOutcome, SharedReplayStore } from '@service-signature/inbox'
export type { Database, Namespace, ObjectStorage, Statement } from './driver.js'
export { d1Inbox, type Inbox } from './inbox.js'
export { ReplayObject } from './replay-object.js'
export { durableObjectReplayStore, type DurableObjectReplayStoreOptions } from './store.js'
