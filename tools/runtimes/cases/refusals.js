import assert from 'node:assert/strict'
import { delivery, deliveryOf, deliverySigned, intent, sign, timestamp, transaction } from '../deliveries.js'
import { assertHandled, assertRefusal, refused } from './case.js'

const genuine = sign(transaction)
const digest = 'a'.repeat(64)
const oneByteChanged = Buffer.from(transaction).fill(' ', transaction.length - 1)
const KEEPS_CONNECTION = 'keeping a connection on which a body was not read'
const get = /** @type {const} */ ({ method: 'GET', framing: 'none', body: Buffer.alloc(0) })

/** One delivery for each reason that there is for a 401. */
const unauthorized = /** @type {const} */ ([
  ['no signature', deliverySigned(), 'ERR_SIGNATURE_MISSING'],
  ['no v3', deliverySigned(sign(transaction, { versions: ['v1', 'v2'] })), 'ERR_SIGNATURE_VERSION_MISSING'],
  ['too old', deliverySigned(sign(transaction, { t: timestamp - 301 })), 'ERR_TIMESTAMP_TOO_OLD'],
  ['in the future', deliverySigned(sign(transaction, { t: timestamp + 61 })), 'ERR_TIMESTAMP_IN_FUTURE'],
  ['another secret', deliverySigned(sign(transaction, { key: 'another_key' })), 'ERR_SIGNATURE_MISMATCH'],
  ['one byte changed', delivery({ body: oneByteChanged, signature: [genuine] }), 'ERR_SIGNATURE_MISMATCH'],
])

/** @type {readonly import('./case.js').Case[]} */
export const REFUSALS = [
  ...unauthorized.map(([name, request, code]) => refused(name, request, code)),
  refused('another body', delivery({ body: intent, signature: [genuine] }), 'ERR_SIGNATURE_MISMATCH'),
  refused('no body', delivery({ body: Buffer.alloc(0), signature: [genuine] }), 'ERR_SIGNATURE_MISMATCH'),
  refused(
    'another time',
    deliverySigned(genuine.replace(`${timestamp}`, `${timestamp + 1}`)),
    'ERR_SIGNATURE_MISMATCH',
  ),
  refused(
    "another version's digest",
    deliverySigned(genuine.replace(/v3=.*/, `v3=${digest}`)),
    'ERR_SIGNATURE_MISMATCH',
  ),
  refused('one version of three forged', delivery(), 'ERR_SIGNATURE_VERSION_MISSING', 'all-versions'),
  refused('a GET', delivery({ ...get, signature: [] }), 'ERR_SIGNATURE_MISSING'),
  refused('a GET that has a signature', delivery({ ...get, signature: [genuine] }), 'ERR_SIGNATURE_MISMATCH'),

  refused('an empty signature', deliverySigned(''), 'ERR_SIGNATURE_MALFORMED'),
  refused('garbage', deliverySigned('garbage'), 'ERR_SIGNATURE_MALFORMED'),
  refused('no time', deliverySigned(genuine.replace(/^t=\d+,/, '')), 'ERR_SIGNATURE_MALFORMED'),
  refused(
    'capitals',
    deliverySigned(genuine.replace(/v3=.*/, (text) => text.toUpperCase())),
    'ERR_SIGNATURE_MALFORMED',
  ),
  refused('a digest cut short', deliverySigned(genuine.slice(0, -1)), 'ERR_SIGNATURE_MALFORMED'),
  refused('a letter beyond ASCII', deliverySigned(`${genuine},\u00e9=1`), 'ERR_SIGNATURE_MALFORMED'),
  refused('17 elements', deliverySigned(`${genuine}${',x=1'.repeat(15)}`), 'ERR_SIGNATURE_MALFORMED'),
  refused('two headers', deliverySigned(genuine, genuine), 'ERR_SIGNATURE_MALFORMED'),
  refused(
    'two headers, the genuine one last',
    deliverySigned(`t=1,v3=${digest}`, genuine),
    'ERR_SIGNATURE_MALFORMED',
  ),

  refused('a body encoded', delivery({ headers: { 'Content-Encoding': 'gzip' } }), 'ERR_BODY_ENCODED'),
  refused('a body read before', delivery(), 'ERR_BODY_CONSUMED', 'consumed'),
  refused('no JSON', deliveryOf('no JSON'), 'ERR_BODY_NOT_JSON'),
  refused('no UTF-8', deliveryOf(Buffer.from([0x22, 0xff, 0x22])), 'ERR_BODY_NOT_JSON'),
  refused('a body too deep', deliveryOf('['.repeat(100_000)), 'ERR_BODY_NOT_JSON'),

  {
    name: 'every 401 is the same to the last byte',
    takes: KEEPS_CONNECTION,
    codes: unauthorized.map(([, , code]) => code),
    async play(remote) {
      const texts = await textsOf401(remote)
      assert.equal(texts.size, 1, [...texts].join('\n'))
    },
  },
  {
    name: 'every 401 is the same, but for what becomes of the connection',
    codes: unauthorized.map(([, , code]) => code),
    async play(remote) {
      const texts = [...(await textsOf401(remote))].map((text) => text.replace(/^connection: .*\r\n/im, ''))
      assert.equal(new Set(texts).size, 1, texts.join('\n'))
    },
  },
  {
    name: 'a connection goes on behind a refusal',
    takes: KEEPS_CONNECTION,
    handled: 2,
    codes: ['ERR_SIGNATURE_MISSING', 'ERR_SIGNATURE_MISMATCH'],
    async play(remote) {
      const client = await remote.connect()
      assertRefusal(await remote.send(deliverySigned(), client), 'ERR_SIGNATURE_MISSING')
      assertHandled(await remote.send(delivery(), client))
      assertRefusal(await remote.send(unauthorized[4][1], client), 'ERR_SIGNATURE_MISMATCH')
      assertHandled(await remote.send(delivery({ framing: 'chunked' }), client))
    },
  },
  {
    name: 'explain says why',
    setup: 'explaining',
    codes: ['ERR_SIGNATURE_MISMATCH'],
    async play(remote) {
      const body = Buffer.concat([transaction, Buffer.from('\n')])
      assertRefusal(await remote.send(delivery({ body, signature: [genuine] })), 'ERR_SIGNATURE_MISMATCH')
      const { findings } = await remote.seen('findings')
      assert.deepEqual(findings, ['body-trailing-newline'])
    },
  },
]

/** @param {import('./case.js').Remote} remote */
async function textsOf401(remote) {
  /** @type {Set<string>} */
  const texts = new Set()
  for (const [, request, code] of unauthorized) {
    const answer = await remote.send(request)
    assertRefusal(answer, code)
    texts.add(answer.text)
  }
  return texts
}
