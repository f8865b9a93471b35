import { verify as verifyOctokit } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { hmac, SECRET, stripeHeader, unixTime } from './signing.js'

const { webhooks } = new Stripe('sk_test_unused')
const secret = `whsec_${Buffer.from(SECRET).toString('base64')}`
const standard = new StandardWebhook(secret)
const svix = new SvixWebhook(secret)

/** Each with its own scheme over the same bytes, and with what its documentation says to pass. */
export const peers = {
  /** @param {Buffer} body */
  stripe(body) {
    const header = stripeHeader(body)
    return (bytes) => webhooks.constructEvent(bytes, header, SECRET)
  },

  /** @param {Buffer} body */
  standardwebhooks(body) {
    const headers = standardHeaders('webhook', body)
    return (bytes) => standard.verify(bytes, headers)
  },

  /** @param {Buffer} body */
  svix(body) {
    const headers = standardHeaders('svix', body)
    return (bytes) => svix.verify(bytes, headers)
  },

  /**
   * Checks the signature alone, and takes text only.
   *
   * @param {Buffer} body
   */
  octokit(body) {
    const header = `sha256=${hmac(body).toString('hex')}`
    return (bytes) => verifyOctokit(SECRET, bytes.toString(), header)
  },
}

/**
 * @param {string} prefix
 * @param {Buffer} body
 */
function standardHeaders(prefix, body) {
  const timestamp = unixTime()
  const id = 'msg_01jqbz3m8qk4w7v5e2d9xa6h1c'
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: `v1,${hmac(`${id}.${timestamp}.`, body).toString('base64')}`,
  }
}
