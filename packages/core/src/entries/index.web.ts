/**
 * Verifies the signed webhooks of the payment service. This is the entry for edge runtimes: it uses Web Crypto alone.
 * `index.ts` has the published types and the documentation of these functions.
 *
 * @module
 */
import type { VerifiedWebhook } from '../events/webhook.js'
import { callOptions, receivingOptions } from '../receive/call-options.js'
import { ReceivingVerifier, type Verifier } from '../receive/receiving-verifier.js'
import { deliveryKeyWith } from '../replay/delivery-key.js'
import type { ReplayOptions } from '../replay/replay-options.js'
import type { SignatureHeaderValue } from '../signature/header.js'
import { webHmac } from '../signature/hmac/web.js'
import { fingerprintWith } from '../signature/keys.js'
import type { WebhookBody } from '../verify/body.js'
import type { VerifierOptions } from '../verify/verifier-options.js'
import { WebhookVerifier } from '../verify/verifier.js'
import type * as node from './index.js'

export * from './common.js'

export function createVerifier(options: VerifierOptions & ReplayOptions): Verifier {
  return new ReceivingVerifier(receivingOptions(options), webHmac)
}

export async function verify(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: VerifierOptions,
): Promise<VerifiedWebhook> {
  return new WebhookVerifier(callOptions(options, 'verify'), webHmac).verify(body, header)
}

export const verifySignature: typeof node.verifySignature = async (body, header, options) =>
  new WebhookVerifier(callOptions(options, 'verifySignature'), webHmac).verifySignature(body, header)

export const deliveryKey: typeof node.deliveryKey = async (delivery) => deliveryKeyWith(webHmac, delivery)

export const fingerprint: typeof node.fingerprint = async (key) => fingerprintWith(webHmac, key)
