import assert from 'node:assert/strict'
import { delivery, deliverySigned, intent } from '../deliveries.js'
import { assertHandled, assertRefusal } from './case.js'

/**
 * A secret that is fetched from the payment service.
 *
 * @type {readonly import('./case.js').Case[]}
 */
export const SECRETS = [
  {
    name: 'the secret is fetched once, when it is needed, and kept',
    setup: 'fetching',
    handled: 2,
    codes: ['ERR_SIGNATURE_MISSING'],
    async play(remote) {
      assertRefusal(await remote.send(deliverySigned()), 'ERR_SIGNATURE_MISSING')
      assert.equal(remote.account.calls, 0)
      assertHandled(await remote.send(delivery()))
      assertHandled(await remote.send(delivery({ body: intent })))
      assert.equal(remote.account.calls, 1)
    },
  },
  {
    name: 'a secret that is not to be had is not the fault of the sender',
    setup: 'fetching',
    account: 'unknown',
    codes: ['ERR_SECRET_UNAVAILABLE'],
    async play(remote) {
      assertRefusal(await remote.send(delivery()), 'ERR_SECRET_UNAVAILABLE')
    },
  },
  {
    name: 'two deliveries at once wait for one secret',
    setup: 'fetching',
    account: 'held',
    handled: 2,
    async play(remote) {
      const [first, second] = await twoThatWait(remote)
      remote.account.release()
      assertHandled(await first.answer())
      assertHandled(await second.answer())
      assert.equal(remote.account.calls, 1)
    },
  },
  {
    name: 'a sender that leaves while the secret is fetched takes it from nobody',
    setup: 'fetching',
    account: 'held',
    // What the one that left had sent is whole: a runtime may handle it or not.
    handled: 'any',
    async play(remote) {
      const [first, second] = await twoThatWait(remote)
      await first.leave()
      remote.account.release()
      assertHandled(await second.answer())
      assertHandled(await remote.send(delivery({ body: intent })))
    },
  },
]

/** @param {import('./case.js').Remote} remote */
async function twoThatWait(remote) {
  const first = await remote.connect()
  first.send(delivery())
  await remote.askedForSecret(1)
  const second = await remote.connect()
  second.send(delivery({ body: intent }))
  await remote.seen('arrived', 2)
  return /** @type {const} */ ([first, second])
}
