import { createVerifier, WebhookError } from '@service-signature/core'

// Made once, when the server starts: a wrong option throws here, not with the first delivery.
const verifier = createVerifier({ secret: process.env.WEBHOOK_SECRET })

/**
 * @param {Uint8Array} rawBody the bytes as received, before any JSON parser
 * @param {string | undefined} header the value of Service-Signature
 */
export async function receive(rawBody, header) {
  try {
    const { event, signedAt } = await verifier.verify(rawBody, header)
    return { status: 204, event, signedAt }
  } catch (error) {
    if (!WebhookError.is(error)) throw error
    console.warn(error.code, error.message) // for you
    return { status: error.status } // for the caller, who learns nothing else
  }
}
