/**
 * `index.ts` for edge runtimes: it uses Web Crypto alone. The published types are those of `index.ts`.
 *
 * @module
 */
import { callOptions, receivingOptions } from '../receive/call-options.js'
import { ReceivingVerifier, type Verifier } from '../receive/receiving-verifier.js'
import { deliveryKeyWith } from '../replay/delivery-key.js'
import type { ReplayOptions } from '../replay/replay-options.js'
import { webHmac } from '../signature/hmac/web.js'
import { fingerprintWith } from '../signature/keys.js'
import type { VerifierOptions } from '../verify/verifier-options.js'
import { WebhookVerifier } from '../verify/verifier.js'
import type * as node from './index.js'

export * from './common.js'

export function createVerifier(options: VerifierOptions & ReplayOptions): Verifier {
  return new ReceivingVerifier(receivingOptions(options, 'createVerifier'), webHmac)
}

export const verify: typeof node.verify = async (body, header, options) =>
  new WebhookVerifier(callOptions(options, 'verify'), webHmac).verify(body, header)

export const verifySignature: typeof node.verifySignature = async (body, header, options) =>
  new WebhookVerifier(callOptions(options, 'verifySignature'), webHmac).verifySignature(body, header)

export const deliveryKey: typeof node.deliveryKey = async (delivery) => deliveryKeyWith(webHmac, delivery)

export const fingerprint: typeof node.fingerprint = async (key) => fingerprintWith(webHmac, key)
