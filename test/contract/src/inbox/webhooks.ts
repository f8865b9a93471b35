import {
  verifySync,
  verifySignatureSync,
  type SignatureProof,
  type VerifiedWebhook,
} from '@service-signature/core'
import { sign, transactionEvent } from '@service-signature/core/testing'

const secret = 'test_signature_key'

let count = 0

/** A delivery that is unique in the tests. */
export function newWebhook(): VerifiedWebhook {
  return webhookOf(JSON.stringify({ ...transactionEvent(), note: ++count }))
}

/** The same delivery, as another request brings it. */
export function sentAgain<Webhook extends SignatureProof>(webhook: Webhook): Webhook {
  // With what a copy by spread loses.
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(webhook)) as Webhook
}

export function webhookOf(body: string, key = secret): VerifiedWebhook {
  return verifySync(body, sign(body, { secret: key }), { secret: key })
}

export function newProof(): SignatureProof {
  const body = `proof ${++count}`
  return verifySignatureSync(body, sign(body, { secret }), { secret })
}
