// Checks the claims of docs/coming-from.md about other libraries on the installed versions.
import { sign as signOctokit, verify as verifyOctokit, verifyWithFallback } from '@octokit/webhooks-methods'
import { createVerifier, WebhookError } from '@service-signature/core'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { hmac, SECRET, standardHeaders, stripeHeader, unixTime, v3Header } from '../signing.js'

const SHARED = `whsec_${Buffer.from(SECRET).toString('base64')}`
const TEN_YEARS = 315_360_000
const body = '{"amount":5}'
const now = unixTime()

/** Each signs bytes as its sender does, and verifies as its documentation says. */
const ours = {
  sign: (bytes, t) => v3Header(Buffer.from(bytes), t),
  verify: (bytes, header) => createVerifier({ secret: SECRET }).verifySync(bytes, header),
}
const stripe = {
  sign: stripeHeader,
  verify: (bytes, header, tolerance) =>
    new Stripe('sk_test_unused').webhooks.constructEvent(bytes, header, SECRET, tolerance),
}
const standard = likeStandard('webhook', new StandardWebhook(SHARED))
const svix = likeStandard('svix', new SvixWebhook(SHARED))

function likeStandard(prefix, webhook) {
  const timestamp = `${prefix}-timestamp`
  return {
    sign: (bytes, t) => standardHeaders(prefix, bytes, t),
    verify: (bytes, headers) => webhook.verify(bytes, headers),
    extendTimestamp: (headers, text) => ({ ...headers, [timestamp]: headers[timestamp] + text }),
  }
}

const isRefused = (code) => (error) => WebhookError.is(error) && error.code === code

test('ours, standardwebhooks and svix refuse a delivery signed ten years in the future; stripe accepts it', () => {
  const t = now + TEN_YEARS
  assert.throws(() => ours.verify(body, ours.sign(body, t)), isRefused('ERR_TIMESTAMP_IN_FUTURE'))
  assert.throws(() => standard.verify(body, standard.sign(body, t)), /too new/)
  assert.throws(() => svix.verify(body, svix.sign(body, t)), /too new/)
  assert.deepEqual(stripe.verify(body, stripe.sign(body, t)), { amount: 5 })
})

test('a tolerance of 0 is refused by ours, and means no limit with stripe', () => {
  assert.throws(() => createVerifier({ secret: SECRET, toleranceSeconds: 0 }), RangeError)
  assert.deepEqual(stripe.verify(body, stripe.sign(body, now - TEN_YEARS), 0), { amount: 5 })
})

const [invalidUtf8, otherInvalidUtf8] = [0xff, 0xfe].map((byte) =>
  Buffer.from(`{"name":"${String.fromCharCode(byte)}"}`, 'latin1'),
)

test('two bodies that differ in a byte that is not UTF-8 need different signatures with ours and stripe', () => {
  const header = ours.sign(invalidUtf8)
  assert.throws(() => ours.verify(otherInvalidUtf8, header), isRefused('ERR_SIGNATURE_MISMATCH'))
  assert.throws(() => stripe.verify(otherInvalidUtf8, stripe.sign(invalidUtf8)))
})

test('such bodies share one signature with standardwebhooks and svix, which is not that of their bytes', () => {
  for (const library of [standard, svix]) {
    const headers = library.sign(invalidUtf8.toString())
    assert.deepEqual(library.verify(invalidUtf8, headers), library.verify(otherInvalidUtf8, headers))
    assert.throws(() => library.verify(invalidUtf8, library.sign(invalidUtf8)))
  }
})

test('ours accepts a signed body with a byte order mark; stripe refuses it', () => {
  const marked = Buffer.from(`\u{feff}${body}`)
  assert.deepEqual(ours.verify(marked, ours.sign(marked)).event.payload, { amount: 5 })
  assert.throws(() => stripe.verify(marked, stripe.sign(marked)))
})

test('a timestamp that is duplicated or not a number is malformed to ours', () => {
  const header = ours.sign(body)
  for (const bad of [`t=1,${header}`, header.replace(',', 'abc,')]) {
    assert.throws(() => ours.verify(body, bad), isRefused('ERR_SIGNATURE_MALFORMED'))
  }
})

test('stripe accepts a duplicated timestamp; standardwebhooks and svix accept one that ends in letters', () => {
  assert.ok(stripe.verify(body, `t=1,${stripe.sign(body)}`))
  for (const { verify, sign, extendTimestamp } of [standard, svix]) {
    assert.doesNotThrow(() => verify(body, extendTimestamp(sign(body), 'abc')))
  }
})

test('for a signed body that is not JSON, ours throws an error with a code, stripe and standardwebhooks a SyntaxError', () => {
  assert.throws(() => ours.verify('hello', ours.sign('hello')), isRefused('ERR_BODY_NOT_JSON'))
  for (const { verify, sign } of [stripe, standard]) {
    assert.throws(() => verify('hello', sign('hello')), SyntaxError)
  }
})

test('svix does not parse the body', () => {
  assert.equal(svix.verify(body, svix.sign(body)), undefined)
  assert.equal(svix.verify('hello', svix.sign('hello')), undefined)
})

function errorForForged({ sign, verify }) {
  try {
    verify('{"amount":500}', sign(body))
  } catch (error) {
    return error
  }
  return assert.fail('The forged body was accepted.')
}

test('the error for a forged body contains neither body nor header with ours, standardwebhooks and svix', () => {
  for (const library of [ours, standard, svix]) {
    const error = errorForForged(library)
    assert.doesNotMatch(Object.values({ ...error, message: error.message }).join(), /500|v[13][=,]/)
  }
})

test('the error for a forged body contains the body and the header with stripe', () => {
  const { header, payload } = errorForForged(stripe)
  assert.match(header, /^t=\d+,v1=/)
  assert.equal(payload, '{"amount":500}')
})

test('ours refuses a secret of one character; standardwebhooks and svix accept it', () => {
  assert.throws(() => createVerifier({ secret: 'a' }), TypeError)
  for (const Webhook of [StandardWebhook, SvixWebhook]) assert.ok(new Webhook(`whsec_${btoa('a')}`))
})

test('ours takes a list of secrets, octokit has a function for it, standardwebhooks and svix take one', async () => {
  const verifier = createVerifier({ secret: ['the_next_key', SECRET] })
  assert.equal(verifier.verifySync(body, ours.sign(body)).secretIndex, 1)
  assert.ok(await verifyWithFallback('the_next_key', body, await signOctokit(SECRET, body), [SECRET]))
  for (const Webhook of [StandardWebhook, SvixWebhook]) assert.throws(() => new Webhook([SHARED]))
})

test('octokit signs no timestamp, so that a delivery never expires, and accepts only text', async () => {
  const header = `sha256=${hmac(body).toString('hex')}`
  assert.ok(await verifyOctokit(SECRET, body, header))
  await assert.rejects(verifyOctokit(SECRET, Buffer.from(body), header), /must be a string/)
})
