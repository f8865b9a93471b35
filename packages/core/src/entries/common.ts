/** The exports that both entries have. */
export type { WebhookBody } from '../verify/body.js'
export * from '../errors.js'
export * from '../events/dispatcher.js'
export * from '../events/event.js'
export {
  EVENT_TYPES,
  type Amount,
  type BillingData,
  type Intent,
  type IntentMethod,
  type IntentPayload,
  type IntentTransaction,
  type Operation,
  type OperationStatus,
  type Transaction,
  type TransactionIntent,
  type TransactionMethod,
  type TransactionPayload,
} from '../events/payloads.js'
export type { EventIssue } from '../events/schema.js'
export type { StandardSchema } from '../events/standard-schema.js'
export type { ExpectedDelivery, ExpectOption } from '../verify/expect.js'
export { memoryReplayStore, type MemoryReplayStore, type MemoryReplayStoreOptions } from '../replay/memory.js'
export type { KeyedDelivery } from '../replay/delivery-key.js'
export type { ReplayOptions } from '../replay/replay-options.js'
export type * from '../replay/store.js'
export type { ReplayStoreOptions } from '../shared/store-options.js'
export * from '../secrets/fetch-secret.js'
export type {
  CachedSecret,
  FetchFunction,
  FetchResponse,
  FetchResponseBody,
  FetchSecretOptions,
  OrganizationApiKey,
  SecretCache,
} from '../secrets/fetch-secret-options.js'
export type { Keys, SecretContext, SecretOption, SecretSource } from '../signature/keys.js'
export type {
  DuplicateDelivery,
  HandledDelivery,
  ReceivedDelivery,
  Verifier,
} from '../receive/receiving-verifier.js'
export type { FixedVerifierOptions, VerifierOptions } from '../verify/verifier-options.js'
export {
  formatSignatureHeader,
  parseSignatureHeader,
  type RequestHeaders,
  type SignatureHeader,
  type SignatureHeaderValue,
} from '../signature/header.js'
export type { Version, CanonicalForm } from '../signature/names.js'
export type { SignatureProof } from '../signature/proof.js'
