/**
 * Verifies the signed webhooks of the payment service. This is the entry for edge runtimes: it uses Web Crypto alone.
 *
 * @module
 */
import type { WebhookBody } from './bytes.js'
import type { SignatureHeaderValue } from './header.js'
import { webHmac } from './hmac/web.js'
import { fingerprintWith } from './keys.js'
import { deliveryKeyWith, type KeyedDelivery } from './replay/once.js'
import type { ReplayOptions } from './replay/store.js'
import { DeliveryVerifier, SignatureVerifier } from './verifier.js'
import type { VerifierOptions } from './options.js'
import { forOneCall, ReceivingVerifier, type Verifier } from './receiving-verifier.js'
import type { SignatureProof, VerifiedWebhook } from './webhook.js'

export * from './common-exports.js'

/**
 * Makes a verifier, to be used for every delivery.
 *
 * @example
 * const verifier = createVerifier({ secret: env.WEBHOOK_SECRET })
 * const webhook = await verifier.verify(body, header)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function createVerifier(options: VerifierOptions & ReplayOptions): Verifier {
  return new ReceivingVerifier(options, webHmac)
}

/**
 * Verifies one delivery and parses it.
 *
 * @example
 * const { event } = await verify(await request.arrayBuffer(), request.headers.get('service-signature'), { secret })
 *
 * @throws {WebhookError} if the signature or the timestamp is not valid; `code` says why
 */
export async function verify(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
): Promise<VerifiedWebhook> {
  return new DeliveryVerifier(forOneCall(options), webHmac).verify(body, header)
}

/**
 * Verifies the signature of one delivery and leaves the body alone.
 *
 * @example
 * const { signedAt } = await verifySignature(body, header, { secret })
 *
 * @throws {WebhookError} if the signature or the timestamp is not valid; `code` says why
 */
export async function verifySignature(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
): Promise<SignatureProof> {
  return new SignatureVerifier(forOneCall(options), webHmac).verifySignature(body, header)
}

/**
 * The key of a delivery in a replay store, and of its job in a queue: a SHA-256 in hex, of the fingerprint of the key that
 * matched and of what was signed. With v3 that is the body. A retry, a duplicate and a replay have the same key, because no
 * event has an id of its own.
 *
 * @example
 * await queue.add(webhook.event.type, webhook.event.payload, { jobId: await deliveryKey(webhook) })
 */
export async function deliveryKey(delivery: KeyedDelivery): Promise<string> {
  return deliveryKeyWith(webHmac, delivery)
}

/**
 * The first digits of a key's SHA-256, to tell two keys apart. Safe to log.
 *
 * @example
 * await fingerprint('test_signature_key') // 'sha256:...'
 */
export async function fingerprint(key: string): Promise<string> {
  return fingerprintWith(webHmac, key)
}
