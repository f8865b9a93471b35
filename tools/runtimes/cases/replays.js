import assert from 'node:assert/strict'
import { delivery, deliverySigned, intent } from '../deliveries.js'
import { assertHandled, assertRefusal } from './case.js'

/** @type {readonly import('./case.js').Case[]} */
export const REPLAYS = [
  {
    name: 'a replay is acknowledged, and not handled',
    setup: 'remembering',
    handled: 2,
    async play(remote) {
      assertHandled(await remote.send(delivery()))
      const { status, body } = await remote.send(delivery({ framing: 'chunked' }))
      assert.deepEqual({ status, body }, { status: 200, body: '' })
      assertHandled(await remote.send(delivery({ body: intent })))
      assert.deepEqual((await remote.seen()).told, ['committed', 'committed'])
    },
  },
  {
    name: 'a forgery is not remembered',
    setup: 'remembering',
    handled: 1,
    codes: ['ERR_SIGNATURE_MISMATCH'],
    async play(remote) {
      const forged = deliverySigned(`t=1743090080,v3=${'a'.repeat(64)}`)
      assertRefusal(await remote.send(forged), 'ERR_SIGNATURE_MISMATCH')
      assertHandled(await remote.send(delivery()))
    },
  },
  ...[
    { setup: 'throwing', status: 500 },
    { setup: 'declining', status: 503 },
  ].map(({ setup, status }) => ({
    name: `a delivery that the handler failed with ${status} is handled when it comes again`,
    setup,
    handled: 2,
    async play(/** @type {import('./case.js').Remote} */ remote) {
      assert.equal((await remote.send(delivery())).status, status)
      assert.deepEqual((await remote.seen()).told, ['released'])
      assertHandled(await remote.send(delivery()))
      assert.deepEqual((await remote.seen()).told, ['released', 'committed'])
      assert.equal((await remote.send(delivery())).body, '')
    },
  })),
  {
    name: 'the same delivery is turned away while it is handled',
    setup: 'waiting',
    handled: 1,
    codes: ['ERR_DELIVERY_IN_PROGRESS'],
    async play(remote) {
      const client = await remote.connect()
      client.send(delivery())
      await remote.seen('handled')
      assertRefusal(await remote.send(delivery()), 'ERR_DELIVERY_IN_PROGRESS')
      await remote.finish()
      assertHandled(await client.answer())
    },
  },
  {
    name: 'a delivery whose sender left while it was handled is handled when it comes again',
    setup: 'waiting',
    takes: 'telling that the sender left',
    handled: 2,
    async play(remote) {
      const client = await remote.connect()
      client.send(delivery())
      await remote.seen('handled')
      await client.leave()
      assert.deepEqual((await remote.seen('told')).told, ['released'])
      await remote.finish()
      assertHandled(await remote.send(delivery()))
    },
  },
]
