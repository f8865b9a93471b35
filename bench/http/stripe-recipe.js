import { Stripe } from 'stripe'
import { SECRET } from '../contestants/signing.js'

const { webhooks } = new Stripe('sk_test_unused')

/**
 * As stripe's documentation has it: whatever fails is answered with 400.
 *
 * @param {Buffer} body
 * @param {Record<string, string>} headers
 */
export function constructEvent(body, headers) {
  try {
    return webhooks.constructEvent(body, headers['stripe-signature'], SECRET)
  } catch {
    return undefined
  }
}
