/**
 * Verifies the signed webhooks of the payment service. This is the entry for Node, Bun and Deno; the one for edge
 * runtimes, `index.web.ts`, differs in the HMAC, and so has no synchronous functions.
 *
 * @module core
 */
import type { VerifiedWebhook } from '../events/event.js'
import { callOptions, receivingOptions } from '../receive/call-options.js'
import { ReceivingVerifier, type SyncVerifier } from '../receive/receiving-verifier.js'
import { deliveryKeyWith, type KeyedDelivery } from '../replay/delivery-key.js'
import type { ReplayOptions } from '../replay/replay-options.js'
import type { SignatureHeaderValue } from '../signature/header.js'
import { nodeHmac } from '../signature/hmac/node.js'
import { fingerprintWith } from '../signature/keys.js'
import type { SignatureProof } from '../signature/proof.js'
import type { WebhookBody } from '../verify/body.js'
import type { FixedVerifierOptions, VerifierOptions } from '../verify/verifier-options.js'
import { WebhookVerifier } from '../verify/verifier.js'

export * from './common.js'
export type { SyncVerifier } from '../receive/receiving-verifier.js'

/** Options for the functions that answer without a promise: fixed keys only. */
export type SyncVerifierOptions = FixedVerifierOptions

/**
 * Makes a verifier, to be used for every delivery.
 *
 * @example
 * const verifier = createVerifier({ secret: process.env.WEBHOOK_SECRET })
 * const webhook = await verifier.verify(body, header)
 *
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 */
export function createVerifier(options: VerifierOptions & ReplayOptions): SyncVerifier {
  return new ReceivingVerifier(receivingOptions(options, 'createVerifier'), nodeHmac)
}

/**
 * Verifies one delivery and parses it.
 *
 * @example
 * const { event } = await verify(rawBody, request.headers['service-signature'], { secret })
 *
 * @throws {WebhookError} if the signature or the timestamp is not valid; `code` says why
 */
export async function verify(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
): Promise<VerifiedWebhook> {
  return new WebhookVerifier(callOptions(options, 'verify'), nodeHmac).verify(body, header)
}

/**
 * Verifies the signature of one delivery and leaves the body alone.
 *
 * @example
 * const { signedAt } = await verifySignature(rawBody, header, { secret })
 *
 * @throws {WebhookError} if the signature or the timestamp is not valid; `code` says why
 */
export async function verifySignature(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
): Promise<SignatureProof> {
  return new WebhookVerifier(callOptions(options, 'verifySignature'), nodeHmac).verifySignature(body, header)
}

/**
 * {@link verify} without a promise, for fixed keys.
 *
 * @example
 * const { event } = verifySync(rawBody, header, { secret })
 */
export function verifySync(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: SyncVerifierOptions,
): VerifiedWebhook {
  return new WebhookVerifier(callOptions(options, 'verify'), nodeHmac).verifySync(body, header)
}

/**
 * {@link verifySignature} without a promise, for fixed keys.
 *
 * @example
 * const { signedAt } = verifySignatureSync(rawBody, header, { secret })
 */
export function verifySignatureSync(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: SyncVerifierOptions,
): SignatureProof {
  const own = callOptions(options, 'verifySignature')
  return new WebhookVerifier(own, nodeHmac).verifySignatureSync(body, header)
}

/**
 * The key of a delivery in a replay store, and of its job in a queue: a SHA-256 of the key that matched and of the signed
 * content. A retry, a duplicate and a replay have the same key, because no event has an id of its
 * own.
 *
 * @example
 * await queue.add(webhook.event.type, webhook.event.payload, { jobId: await deliveryKey(webhook) })
 */
export async function deliveryKey(delivery: KeyedDelivery): Promise<string> {
  return deliveryKeyWith(nodeHmac, delivery)
}

/**
 * The first digits of a key's SHA-256, to tell two keys apart. Safe to log.
 *
 * @example
 * await fingerprint('test_signature_key') // 'sha256:...'
 */
export async function fingerprint(key: string): Promise<string> {
  return fingerprintWith(nodeHmac, key)
}
