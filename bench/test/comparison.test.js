// What the README says of other libraries, shown on the versions that are installed here.
import { createVerifier, WebhookError } from '@service-signature/core'
import { sign as signOctokit, verify as verifyOctokit, verifyWithFallback } from '@octokit/webhooks-methods'
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'

const KEY = 'test_signature_key'
const SHARED = `whsec_${Buffer.from(KEY).toString('base64')}`
const TEN_YEARS = 315_360_000
const body = '{"amount":5}'
const now = Math.floor(Date.now() / 1000)

/**
 * @param {'hex' | 'base64'} encoding
 * @param {...(string | Uint8Array)} parts
 */
function hmac(encoding, ...parts) {
  const hash = createHmac('sha256', KEY)
  for (const part of parts) hash.update(part)
  return hash.digest(encoding)
}

/** Each signs as its sender does, over bytes, and verifies as its documentation says. */
const ours = {
  sign: (bytes, t = now) => `t=${t},v3=${hmac('hex', Buffer.from(bytes).toString('base64'), String(t))}`,
  verify: (bytes, header) => createVerifier({ secret: KEY }).verifySync(bytes, header),
}
const stripe = {
  sign: (bytes, t = now) => `t=${t},v1=${hmac('hex', `${t}.`, bytes)}`,
  verify: (bytes, header, tolerance) =>
    new Stripe('sk_test_unused').webhooks.constructEvent(bytes, header, KEY, tolerance),
}
const standard = likeStandard('webhook', new StandardWebhook(SHARED))
const svix = likeStandard('svix', new SvixWebhook(SHARED))

function likeStandard(prefix, webhook) {
  return {
    sign: (bytes, t = now) => ({
      [`${prefix}-id`]: 'msg_1',
      [`${prefix}-timestamp`]: String(t),
      [`${prefix}-signature`]: `v1,${hmac('base64', `msg_1.${t}.`, bytes)}`,
    }),
    verify: (bytes, headers) => webhook.verify(bytes, headers),
    tail: (headers, text) => ({ ...headers, [`${prefix}-timestamp`]: headers[`${prefix}-timestamp`] + text }),
  }
}

const isRefused = (code) => (error) => WebhookError.is(error) && error.code === code

describe('a delivery that was signed ten years ahead', () => {
  it('is refused by ours, standardwebhooks and svix', () => {
    const t = now + TEN_YEARS
    assert.throws(() => ours.verify(body, ours.sign(body, t)), isRefused('ERR_TIMESTAMP_IN_FUTURE'))
    assert.throws(() => standard.verify(body, standard.sign(body, t)), /too new/)
    assert.throws(() => svix.verify(body, svix.sign(body, t)), /too new/)
  })

  it('is accepted by stripe', () => {
    assert.deepEqual(stripe.verify(body, stripe.sign(body, now + TEN_YEARS)), { amount: 5 })
  })
})

describe('a tolerance of 0', () => {
  it('is wrong use of ours', () => {
    assert.throws(() => createVerifier({ secret: KEY, toleranceSeconds: 0 }), RangeError)
  })

  it('is no limit at all with stripe', () => {
    assert.deepEqual(stripe.verify(body, stripe.sign(body, now - TEN_YEARS), 0), { amount: 5 })
  })
})

describe('two bodies that differ in a byte that is no UTF-8', () => {
  const [one, other] = [0xff, 0xfe].map((byte) =>
    Buffer.from(`{"name":"${String.fromCharCode(byte)}"}`, 'latin1'),
  )

  it('are told apart by ours, and by stripe', () => {
    assert.throws(() => ours.verify(other, ours.sign(one)), isRefused('ERR_SIGNATURE_MISMATCH'))
    assert.throws(() => stripe.verify(other, stripe.sign(one)))
  })

  it('are one to standardwebhooks and svix: the signature of neither, and both verify', () => {
    for (const library of [standard, svix]) {
      const headers = library.sign(one.toString())
      assert.deepEqual(library.verify(one, headers), library.verify(other, headers))
      assert.throws(() => library.verify(one, library.sign(one)))
    }
  })
})

describe('a body behind a byte order mark, signed as it is', () => {
  const marked = Buffer.from(`\u{feff}${body}`)

  it('is accepted by ours, and refused by stripe', () => {
    assert.deepEqual(ours.verify(marked, ours.sign(marked)).event.payload, { amount: 5 })
    assert.throws(() => stripe.verify(marked, stripe.sign(marked)))
  })
})

describe('a timestamp that is no number, or stands there twice', () => {
  it('is malformed to ours', () => {
    const header = ours.sign(body)
    for (const bad of [`t=1,${header}`, header.replace(',', 'abc,')]) {
      assert.throws(() => ours.verify(body, bad), isRefused('ERR_SIGNATURE_MALFORMED'))
    }
  })

  it('is accepted by stripe, standardwebhooks and svix', () => {
    const header = stripe.sign(body)
    assert.ok(stripe.verify(body, `t=1,${header}`))
    for (const library of [standard, svix])
      assert.ok(library.verify(body, library.tail(library.sign(body), 'abc')))
  })
})

describe('a genuine body that is no JSON', () => {
  it('is an error with a code from ours, and a SyntaxError from stripe, standardwebhooks and svix', () => {
    assert.throws(() => ours.verify('hello', ours.sign('hello')), isRefused('ERR_BODY_NOT_JSON'))
    for (const library of [stripe, standard, svix]) {
      assert.throws(() => library.verify('hello', library.sign('hello')), SyntaxError)
    }
  })
})

describe('the error of a forged body', () => {
  const errorOf = (library) => {
    try {
      library.verify('{"amount":500}', library.sign(body))
    } catch (error) {
      return error
    }
    return assert.fail('it was accepted')
  }
  const held = (error) => Object.values({ ...error, message: error.message }).join()

  it('holds neither body nor header with ours, standardwebhooks and svix', () => {
    for (const library of [ours, standard, svix]) assert.doesNotMatch(held(errorOf(library)), /500|v[13][=,]/)
  })

  it('holds both with stripe', () => {
    const { header, payload } = errorOf(stripe)
    assert.match(header, /^t=\d+,v1=/)
    assert.equal(payload, '{"amount":500}')
  })
})

describe('a secret of one character', () => {
  it('is refused by ours, and taken by standardwebhooks and svix', () => {
    assert.throws(() => createVerifier({ secret: 'a' }), TypeError)
    for (const Webhook of [StandardWebhook, SvixWebhook]) assert.ok(new Webhook(`whsec_${btoa('a')}`))
  })
})

describe('a secret that was rotated', () => {
  it('is covered by a list with ours, and by a function of its own with octokit', async () => {
    const verifier = createVerifier({ secret: ['the_next_key', KEY] })
    assert.equal(verifier.verifySync(body, ours.sign(body)).secretIndex, 1)
    assert.ok(await verifyWithFallback('the_next_key', body, await signOctokit(KEY, body), [KEY]))
  })

  it('is not with standardwebhooks and svix, which take one', () => {
    for (const Webhook of [StandardWebhook, SvixWebhook]) assert.throws(() => new Webhook([SHARED]))
  })
})

describe('octokit', () => {
  it('signs no time, so that a delivery is good for ever, and takes text alone', async () => {
    assert.ok(await verifyOctokit(KEY, body, `sha256=${hmac('hex', body)}`))
    await assert.rejects(
      verifyOctokit(KEY, Buffer.from(body), `sha256=${hmac('hex', body)}`),
      /must be a string/,
    )
  })
})
