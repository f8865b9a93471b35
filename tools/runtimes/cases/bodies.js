import { delivery, deliveryOf, deliverySigned, eventOf, transaction } from '../deliveries.js'
import { chunk, framed } from '../wire.js'
import { assertHandled, assertRefusal } from './case.js'

const MEBIBYTE = 1024 * 1024
const FRAMINGS = /** @type {const} */ (['length', 'chunked'])

/**
 * Bodies that do not come as they should.
 *
 * @type {readonly import('./case.js').Case[]}
 */
export const BODIES = [
  {
    name: 'a body said to be too large is refused, though nothing of it comes',
    setup: 'small',
    codes: ['ERR_BODY_TOO_LARGE'],
    async play(remote) {
      const client = await remote.connect()
      client.start(deliveryOf(eventOf(4096)))
      assertRefusal(await client.answer(), 'ERR_BODY_TOO_LARGE')
    },
  },
  {
    name: 'a body that turns out to be too large is refused before its end',
    setup: 'small',
    codes: ['ERR_BODY_TOO_LARGE'],
    async play(remote) {
      const client = await remote.connect()
      client.start(delivery({ framing: 'chunked' }))
      client.write(chunk(Buffer.from(eventOf(4096))))
      assertRefusal(await client.answer(), 'ERR_BODY_TOO_LARGE')
    },
  },
  ...FRAMINGS.map((framing) => ({
    name: `a body over 1 MiB is refused, and its sender is told, by ${framing}`,
    takes: 'answering a sender that is still sending',
    codes: ['ERR_BODY_TOO_LARGE'],
    async play(/** @type {import('./case.js').Remote} */ remote) {
      assertRefusal(await remote.send(deliveryOf(eventOf(MEBIBYTE + 1), framing)), 'ERR_BODY_TOO_LARGE')
    },
  })),
  ...FRAMINGS.map((framing) => ({
    name: `a body over 1 MiB is refused, though its sender may not hear it, by ${framing}`,
    codes: ['ERR_BODY_TOO_LARGE'],
    async play(/** @type {import('./case.js').Remote} */ remote) {
      const client = await remote.connect()
      client.send(deliveryOf(eventOf(MEBIBYTE + 1), framing))
      await remote.seen('codes')
    },
  })),
  {
    name: 'an unsigned delivery is refused, though nothing of its body comes',
    codes: ['ERR_SIGNATURE_MISSING'],
    async play(remote) {
      const client = await remote.connect()
      client.start(deliverySigned())
      assertRefusal(await client.answer(), 'ERR_SIGNATURE_MISSING')
    },
  },
  ...[0, 100].map((bytes) => ({
    name: `a body that stalls behind ${bytes} bytes is given up`,
    setup: 'hasty',
    codes: ['ERR_BODY_TIMEOUT'],
    async play(/** @type {import('./case.js').Remote} */ remote) {
      const client = await remote.connect()
      client.start(delivery())
      client.write(transaction.subarray(0, bytes))
      assertRefusal(await client.answer(), 'ERR_BODY_TIMEOUT')
    },
  })),
  {
    name: 'a body that stalls between two chunks is given up',
    setup: 'hasty',
    codes: ['ERR_BODY_TIMEOUT'],
    async play(remote) {
      const client = await remote.connect()
      client.start(delivery({ framing: 'chunked' }))
      client.write(chunk(transaction))
      assertRefusal(await client.answer(), 'ERR_BODY_TIMEOUT')
    },
  },
  ...FRAMINGS.map((framing) => ({
    name: `a sender that leaves in the middle of its body delivers nothing, by ${framing}`,
    takes: 'telling that a body broke off',
    handled: 1,
    codes: ['ERR_BODY_INCOMPLETE'],
    async play(/** @type {import('./case.js').Remote} */ remote) {
      const client = await begin(remote, delivery({ framing }))
      await client.leave()
      await remote.seen('codes')
      assertHandled(await remote.send(delivery()))
    },
  })),
  ...FRAMINGS.map((framing) => ({
    name: `a sender that ends in the middle of its body delivers nothing, by ${framing}`,
    takes: 'telling that a body broke off',
    handled: 1,
    codes: ['ERR_BODY_INCOMPLETE'],
    async play(/** @type {import('./case.js').Remote} */ remote) {
      const client = await begin(remote, delivery({ framing }))
      client.finishWriting()
      await client.ended()
      await remote.seen('codes')
      assertHandled(await remote.send(delivery()))
    },
  })),
]

/**
 * The head, and half of the body, with which the endpoint is at work.
 *
 * @param {import('./case.js').Remote} remote
 * @param {import('./case.js').Delivery} request
 */
async function begin(remote, request) {
  const client = await remote.connect()
  const body = framed(request)
  client.start(request)
  client.write(body.subarray(0, body.length >> 1))
  await remote.seen('arrived')
  return client
}
