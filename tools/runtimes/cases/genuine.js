import assert from 'node:assert/strict'
import {
  delivery,
  deliveryOf,
  deliverySigned,
  eventOf,
  intent,
  sign,
  timestamp,
  transaction,
} from '../deliveries.js'
import { accepted, assertHandled } from './case.js'

const genuine = sign(transaction)
const versions = /** @type {const} */ (['v1', 'v2', 'v3'])
const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** @type {readonly import('./case.js').Case[]} */
export const GENUINE = [
  accepted('a transaction', delivery()),
  accepted('a transaction, in chunks', delivery({ framing: 'chunked' })),
  accepted('an intent', delivery({ body: intent })),
  accepted('300 bytes of another event', deliveryOf(JSON.stringify({ type: 'new', text: 'x'.repeat(275) }))),
  accepted('64 KiB', deliveryOf(eventOf(64 * KIBIBYTE))),
  accepted('64 KiB, in chunks', deliveryOf(eventOf(64 * KIBIBYTE), 'chunked')),
  accepted('1 MiB, the last size', deliveryOf(eventOf(MEBIBYTE))),
  accepted('1 MiB, in chunks', deliveryOf(eventOf(MEBIBYTE), 'chunked')),
  accepted('letters beyond ASCII', deliveryOf('{"text":"\u00e9\u4e2d\ud83d\ude00"}')),
  accepted('a byte order mark', deliveryOf('\ufeff{"order":1}')),
  accepted('an escape of half a letter', deliveryOf('{"text":"\\ud800"}')),
  accepted('no content type', delivery({ headers: {} })),
  accepted('a form, it says', delivery({ headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })),
  accepted('no encoding, it says', delivery({ headers: { 'Content-Encoding': 'identity' } })),
  accepted('the header in capitals', delivery({ signatureName: 'SERVICE-SIGNATURE' })),
  accepted('spaces and a version to come', deliverySigned(genuine.replace(',', ' ,\tv4=x, '))),
  accepted('the oldest that is fresh', deliverySigned(sign(transaction, { t: timestamp - 300 }))),
  accepted('a clock ahead', deliverySigned(sign(transaction, { t: timestamp + 60 }))),
  accepted('the second of two secrets', delivery(), { setup: 'rotating' }),
  accepted('all versions', deliverySigned(sign(transaction, { versions })), { setup: 'all-versions' }),
  accepted('a handler that gives nothing', delivery(), { setup: 'silent', status: 204, body: '' }),
  accepted('a dispatcher', delivery(), { setup: 'dispatching', status: 204, body: '' }),
  {
    name: 'both shapes, typed',
    handled: 2,
    async play(remote) {
      assertHandled(await remote.send(delivery()))
      assertHandled(await remote.send(delivery({ body: intent })))
      const { handled } = await remote.seen()
      assert.deepEqual(
        handled.map(({ shape, type }) => [shape, type]),
        [
          ['transaction', 'transaction.purchase.successful'],
          ['intent', 'intent.processed'],
        ],
      )
    },
  },
  {
    name: 'one connection, one after the other',
    handled: 3,
    async play(remote) {
      const client = await remote.connect()
      for (const framing of /** @type {const} */ (['length', 'chunked', 'length'])) {
        assertHandled(await remote.send(delivery({ framing }), client))
      }
    },
  },
]
