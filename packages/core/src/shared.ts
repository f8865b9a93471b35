/** What both entries offer alike. */
export type { WebhookBody } from './body.js'
export type { CanonicalForm } from './canonical-json/forms.js'
export { WebhookError, type WebhookErrorCode, type WebhookErrorOptions } from './errors.js'
export {
  createDispatcher,
  type DispatchedWebhook,
  type Dispatcher,
  type EventHandler,
} from './events/dispatcher.js'
export type {
  EventIssue,
  IntentEvent,
  RecognizedEvent,
  TransactionEvent,
  UnrecognizedEvent,
  WebhookEvent,
} from './events/event.js'
export type { BillingData, IntentMethod, IntentPayload, IntentTransaction } from './events/intent.js'
export type { EventOf, EventPattern } from './events/pattern.js'
export { parseTimestamp } from './events/timestamp.js'
export type {
  Amount,
  Operation,
  OperationStatus,
  TransactionMethod,
  TransactionPayload,
} from './events/transaction.js'
export {
  formatSignatureHeader,
  parseSignatureHeader,
  type SignatureHeader,
  type SignatureHeaderValue,
} from './header.js'
export { memoryReplayStore, type MemoryReplayStore, type MemoryReplayStoreOptions } from './replay/memory.js'
export type { TakeTurn, Turn } from './replay/guard.js'
export type { ReplayOptions } from './replay/options.js'
export type { DuplicateDelivery, HandledDelivery, ReceivedDelivery } from './replay/receive.js'
export type { ReplayClaim, ReplayStore } from './replay/store.js'
export type { ReplayStoreOptions } from './replay/store-options.js'
export { fetchSecret } from './secrets/fetch-secret.js'
export type { OrganizationApiKey } from './secrets/fetched/api-key.js'
export type {
  CachedSecret,
  FetchFunction,
  FetchResponse,
  FetchResponseBody,
  FetchSecretOptions,
  SecretCache,
} from './secrets/fetched/options.js'
export type { FetchedSecretSource } from './secrets/fetched/source.js'
export type { Keys, SecretContext, SecretOption, SecretSource } from './secrets/keys.js'
export type { FixedVerifierOptions, VerifierOptions } from './settings.js'
export type { Admission, Verifier } from './verifier.js'
export type { Version } from './versions.js'
export type { SignatureProof, VerifiedWebhook } from './webhook.js'
