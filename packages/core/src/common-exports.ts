/** The exports that both entries have. */
export type { WebhookBody } from './bytes.js'
export type { CanonicalForm } from './canonical-json/forms.js'
export { WebhookError, type WebhookErrorCode, type WebhookErrorOptions } from './errors.js'
export {
  createDispatcher,
  type DispatchedWebhook,
  type Dispatcher,
  type EventHandler,
  type EventOf,
  type EventPattern,
} from './events/dispatcher.js'
export {
  EVENT_TYPES,
  parseTimestamp,
  recognize,
  type IntentEvent,
  type RecognizedEvent,
  type TransactionEvent,
  type UnrecognizedEvent,
  type WebhookEvent,
} from './events/event.js'
export type {
  Amount,
  BillingData,
  IntentMethod,
  IntentPayload,
  IntentTransaction,
  Operation,
  OperationStatus,
  TransactionMethod,
  TransactionPayload,
} from './events/payloads.js'
export type { EventIssue } from './events/schema.js'
export type { ExpectedDelivery, ExpectOption } from './events/expect.js'
export {
  formatSignatureHeader,
  parseSignatureHeader,
  type RequestHeaders,
  type SignatureHeader,
  type SignatureHeaderValue,
} from './header.js'
export { memoryReplayStore, type MemoryReplayStore, type MemoryReplayStoreOptions } from './replay/memory.js'
export type { KeyedDelivery } from './replay/once.js'
export type { ReplayClaim, ReplayOptions, ReplayStore, ReplayStoreOptions } from './replay/store.js'
export { fetchSecret, type FetchedSecretSource } from './fetch-secret.js'
export type {
  CachedSecret,
  FetchFunction,
  FetchResponse,
  FetchResponseBody,
  FetchSecretOptions,
  OrganizationApiKey,
  SecretCache,
} from './fetch-secret-options.js'
export type { Keys, SecretContext, SecretOption, SecretSource } from './options.js'
export type { Verifier } from './verifier.js'
export type { FixedVerifierOptions, VerifierOptions } from './options.js'
export type { Version } from './versions.js'
export type {
  DuplicateDelivery,
  HandledDelivery,
  ReceivedDelivery,
  SignatureProof,
  VerifiedWebhook,
} from './webhook.js'
