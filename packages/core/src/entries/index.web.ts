/**
 * Verifies the signed webhooks of the payment service. This is the entry for edge runtimes: it uses Web Crypto alone.
 * `index.ts` has the full documentation of these functions.
 *
 * @module
 */
import type { VerifiedWebhook } from '../events/webhook.js'
import { callOptions, receivingOptions } from '../receive/call-options.js'
import { ReceivingVerifier, type Verifier } from '../receive/receiving-verifier.js'
import { deliveryKeyWith, type KeyedDelivery } from '../replay/delivery-key.js'
import type { ReplayOptions } from '../replay/replay-options.js'
import type { SignatureHeaderValue } from '../signature/header.js'
import { webHmac } from '../signature/hmac/web.js'
import { fingerprintWith } from '../signature/keys.js'
import type { SignatureProof } from '../signature/proof.js'
import type { WebhookBody } from '../verify/body.js'
import type { VerifierOptions } from '../verify/verifier-options.js'
import { WebhookVerifier } from '../verify/verifier.js'

export * from './common.js'

/** Makes a verifier, to be used for every delivery. */
export function createVerifier(options: VerifierOptions & ReplayOptions): Verifier {
  return new ReceivingVerifier(receivingOptions(options), webHmac)
}

/** Verifies one delivery and parses it. @throws {WebhookError} if it is not valid; `code` says why */
export async function verify(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
): Promise<VerifiedWebhook> {
  return new WebhookVerifier(callOptions(options, 'verify'), webHmac).verify(body, header)
}

/** Verifies the signature of one delivery alone. @throws {WebhookError} if it is not valid; `code` says why */
export async function verifySignature(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
): Promise<SignatureProof> {
  return new WebhookVerifier(callOptions(options, 'verifySignature'), webHmac).verifySignature(body, header)
}

/** The key of a delivery in a replay store or a queue. A retry, a duplicate and a replay have the same key. */
export async function deliveryKey(delivery: KeyedDelivery): Promise<string> {
  return deliveryKeyWith(webHmac, delivery)
}

/** The first digits of a key's SHA-256, to tell two keys apart. Safe to log. */
export async function fingerprint(key: string): Promise<string> {
  return fingerprintWith(webHmac, key)
}
