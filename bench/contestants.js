// Each contestant signs a body and returns a function that verifies bytes against that signature.
import { verify as verifyOctokit } from '@octokit/webhooks-methods'
import { createVerifier, verifySignatureSync } from '@service-signature/core'
import stableStringify from 'fast-json-stable-stringify'
import { createHmac, createSecretKey } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { forge, hmac, SECRET, standardHeaders, stripeHeader, tamper, unixTime, v3Header } from './signing.js'

const key = createSecretKey(SECRET, 'utf8')
const verifier = createVerifier({ secret: SECRET })
const v2Verifier = createVerifier({ secret: SECRET, versions: ['v2'] })
const { webhooks } = new Stripe('sk_test_unused')
const sharedSecret = `whsec_${Buffer.from(SECRET).toString('base64')}`
const standard = new StandardWebhook(sharedSecret)
const svix = new SvixWebhook(sharedSecret)

/** The least that any contestant must do: the HMAC over the ready message, and JSON.parse of the decoded body. */
export function floorOf(body) {
  const message = Buffer.from(body.toString('base64') + unixTime())
  return {
    floor: () => createHmac('sha256', key).update(message).digest(),
    parse: () => JSON.parse(body.toString()),
  }
}

export const ours = {
  signature(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verifySignatureSync(bytes, header)
  },

  signatureAsync(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verifySignature(bytes, header)
  },

  /** Verifies without a verifier that was made before. */
  standalone(body) {
    const header = v3Header(body)
    return (bytes) => verifySignatureSync(bytes, header, { secret: SECRET })
  },

  /** The same work as the peers do: they do not recognize events. */
  signatureAndParse(body) {
    const verify = ours.signature(body)
    return (bytes) => {
      verify(bytes)
      return JSON.parse(bytes.toString())
    }
  },

  full(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verifySync(bytes, header)
  },

  fullAsync(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verify(bytes, header)
  },

  v2(body) {
    const header = v2Header(body)
    return (bytes) => v2Verifier.verifySignatureSync(bytes, header)
  },
}

/** Refuses a body whose v2 is wrong by a digit. */
export function v2Forgery(body) {
  const header = forge(v2Header(body))
  return () => {
    try {
      v2Verifier.verifySignatureSync(body, header)
    } catch {
      return
    }
    throw new Error('The verifier accepted a forgery.')
  }
}

/** The steps of the service's documentation as merchants usually write them, without any further checks. */
export const recipe = {
  signature(body) {
    const header = v3Header(body)
    return (bytes) => {
      const { t, v3 } = elementsOf(header)
      return digestOf(bytes.toString('base64') + t) === v3
    }
  },

  full(body) {
    const verify = recipe.signature(body)
    return (bytes) => verify(bytes) && JSON.parse(bytes.toString())
  },

  v2(body) {
    const header = v2Header(body)
    return (bytes) => {
      const { t, v2 } = elementsOf(header)
      return digestOf(canonicalOf(bytes) + t) === v2
    }
  },
}

/** The peers, each with its own scheme over the same bytes, called as documented. */
export const peers = {
  stripe(body) {
    const header = stripeHeader(body)
    return (bytes) => webhooks.constructEvent(bytes, header, SECRET)
  },

  standardwebhooks(body) {
    const headers = standardHeaders('webhook', body)
    return (bytes) => standard.verify(bytes, headers)
  },

  svix(body) {
    const headers = standardHeaders('svix', body)
    return (bytes) => svix.verify(bytes, headers)
  },

  /** Checks only the signature, and accepts only text. */
  octokit(body) {
    const header = `sha256=${hmac(body).toString('hex')}`
    return (bytes) => verifyOctokit(SECRET, bytes.toString(), header)
  },
}

/** The canonical text that v2 signs, for bodies on which every reading of the specification agrees. */
export function canonicalOf(body) {
  return stableStringify(JSON.parse(body.toString())).replace(/[ \n\r]/g, '')
}

export function v2Header(body, timestamp = unixTime()) {
  return `t=${timestamp},v2=${hmac(canonicalOf(body), String(timestamp)).toString('hex')}`
}

function elementsOf(header) {
  return Object.fromEntries(header.split(',').map((element) => element.split('=')))
}

function digestOf(message) {
  return createHmac('sha256', SECRET).update(message).digest('hex')
}

/**
 * The contestants over this body, ready to be timed. Each must first accept the body and refuse a tampered one: a
 * contestant that verifies nothing would be the fastest.
 */
export async function checked(contestants, body) {
  const tampered = tamper(body)
  const ready = {}
  for (const [name, make] of Object.entries(contestants)) {
    const verify = make(body)
    if (!(await accepts(verify, body))) throw new Error(`${name} refuses a valid body`)
    if (await accepts(verify, tampered)) throw new Error(`${name} accepts a tampered body`)
    ready[name] = () => verify(body)
  }
  return ready
}

/** Some contestants throw, and some return false. */
async function accepts(verify, bytes) {
  try {
    return (await verify(bytes)) !== false
  } catch {
    return false
  }
}
