// Each contestant signs a body and returns a function that verifies bytes against that signature.
import { verify as verifyOctokit } from '@octokit/webhooks-methods'
import { createVerifier, verifySignatureSync } from '@service-signature/core'
import stableStringify from 'fast-json-stable-stringify'
import { createHmac, createSecretKey } from 'node:crypto'
import { resolve } from 'node:path'
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

/** A contestant that signs with `sign`, and verifies the bytes by that signature with `verify`. */
const signed = (sign, verify) => (body) => {
  const signature = sign(body)
  return (bytes) => verify(bytes, signature)
}

export const ours = {
  signature: signed(v3Header, (bytes, header) => verifier.verifySignatureSync(bytes, header)),
  signatureAsync: signed(v3Header, (bytes, header) => verifier.verifySignature(bytes, header)),
  /** Verifies without a verifier that was made before. */
  standalone: signed(v3Header, (bytes, header) => verifySignatureSync(bytes, header, { secret: SECRET })),
  /** The same work as the peers do: they do not recognize events. */
  signatureAndParse: signed(v3Header, (bytes, header) => {
    verifier.verifySignatureSync(bytes, header)
    return JSON.parse(bytes.toString())
  }),
  full: signed(v3Header, (bytes, header) => verifier.verifySync(bytes, header)),
  fullAsync: signed(v3Header, (bytes, header) => verifier.verify(bytes, header)),
  v2: signed(v2Header, (bytes, header) => v2Verifier.verifySignatureSync(bytes, header)),
}

/** The verifier of another checkout that is built, to compare with: `BENCH_BEFORE=../before npm run bench -- verify`. */
const { BENCH_BEFORE } = process.env
const earlier = BENCH_BEFORE && (await import(resolve(BENCH_BEFORE, 'packages/core/dist/index.mjs')))
const earlierVerifier = earlier && earlier.createVerifier({ secret: SECRET })
export const before = earlier && {
  'before, signature': signed(v3Header, (bytes, header) =>
    earlierVerifier.verifySignatureSync(bytes, header),
  ),
  'before, full': signed(v3Header, (bytes, header) => earlierVerifier.verifySync(bytes, header)),
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
  signature: signed(v3Header, hasV3),
  full: signed(v3Header, (bytes, header) => hasV3(bytes, header) && JSON.parse(bytes.toString())),
  v2: signed(v2Header, (bytes, header) => {
    const { t, v2 } = elementsOf(header)
    return digestOf(canonicalOf(bytes) + t) === v2
  }),
}

function hasV3(bytes, header) {
  const { t, v3 } = elementsOf(header)
  return digestOf(bytes.toString('base64') + t) === v3
}

/** The peers, each with its own scheme over the same bytes, called as documented. */
export const peers = {
  stripe: signed(stripeHeader, (bytes, header) => webhooks.constructEvent(bytes, header, SECRET)),
  standardwebhooks: signed(
    (body) => standardHeaders('webhook', body),
    (bytes, headers) => standard.verify(bytes, headers),
  ),
  svix: signed(
    (body) => standardHeaders('svix', body),
    (bytes, headers) => {
      svix.verify(bytes, headers)
      // Since version 2, it leaves that to the caller.
      return JSON.parse(bytes.toString())
    },
  ),
  /** Checks only the signature, and accepts only text. */
  octokit: signed(
    (body) => `sha256=${hmac(body).toString('hex')}`,
    (bytes, header) => verifyOctokit(SECRET, bytes.toString(), header),
  ),
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
