import { describe, expect, it } from 'vitest'
import type { Host } from '../host.js'
import { lacks } from '../support/ability.js'
import { deliverySigned, delivery, sign, timestamp, transaction } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'

const digest = 'a'.repeat(64)
const genuine = sign(transaction)

const malformed = [
  ['is empty', ['']],
  ['is not a list of elements', ['garbage']],
  ['has no time', [genuine.replace(/^t=\d+,/, '')]],
  ['has a time that is not a number', [genuine.replace(/t=\d+/, 't=now')]],
  ['has the time twice', [`t=${timestamp},${genuine}`]],
  ['has the required version twice', [`${genuine},v3=${digest}`]],
  ['has a digest in capitals', [genuine.replace(/v3=.*/, (text) => text.toUpperCase())]],
  ['has a digest that is cut short', [genuine.slice(0, -1)]],
  ['has a malformed version that is not required', [`${genuine},v1=${digest.slice(1)}`]],
  ['has an empty element', [`${genuine},`]],
  ['has a letter beyond ASCII', [`${genuine},\u00e9=1`]],
  ['has more than 16 elements', [`${genuine}${',x=1'.repeat(15)}`]],
  ['is longer than 1024 characters', [`${genuine},x=${'1'.repeat(1024 - genuine.length - 2)}`]],
  ['was joined by a proxy', [`${genuine}, ${genuine}`]],
] as const

const repeated = [
  ['is sent twice', [genuine, genuine]],
  ['is sent twice, the valid one last', [`t=${timestamp},v3=${digest}`, genuine]],
] as const

const refused = [
  { what: 'has no signature', signature: [], code: 'ERR_SIGNATURE_MISSING' },
  {
    what: 'lacks the required version',
    signature: [`t=${timestamp}`],
    code: 'ERR_SIGNATURE_VERSION_MISSING',
  },
  {
    what: 'offers v1 where v3 is required',
    signature: [sign(transaction, { versions: ['v1'] })],
    code: 'ERR_SIGNATURE_VERSION_MISSING',
  },
  {
    what: 'offers v1 and v2 where v3 is required',
    signature: [sign(transaction, { versions: ['v1', 'v2'] })],
    code: 'ERR_SIGNATURE_VERSION_MISSING',
  },
  {
    what: 'was signed too long ago',
    signature: [sign(transaction, { timestamp: timestamp - 301 })],
    code: 'ERR_TIMESTAMP_TOO_OLD',
  },
  {
    what: 'was signed in the future',
    signature: [sign(transaction, { timestamp: timestamp + 61 })],
    code: 'ERR_TIMESTAMP_IN_FUTURE',
  },
] as const

export function headers(host: Host): void {
  describe('the header', () => {
    it.each(malformed)('is malformed when it %s', async (_what, signature) => {
      const endpoint = await serve(host)
      await endpoint.refuses(delivery({ signature }), 'ERR_SIGNATURE_MALFORMED')
    })

    it.skipIf(lacks(host, 'every header line')).each(repeated)(
      'is malformed when it %s',
      async (_what, signature) => {
        const endpoint = await serve(host)
        await endpoint.refuses(delivery({ signature }), 'ERR_SIGNATURE_MALFORMED')
      },
    )

    it('may have 16 elements and 1024 characters', async () => {
      const endpoint = await serve(host)
      await endpoint.accepts(deliverySigned(`${genuine}${',x=1'.repeat(14)}`))
      await endpoint.accepts(deliverySigned(`${genuine},x=${'1'.repeat(1024 - genuine.length - 3)}`))
    })

    it.each(refused)('of a delivery is refused if it $what: $code', async ({ signature, code }) => {
      const endpoint = await serve(host)
      await endpoint.refuses(delivery({ signature }), code)
    })

    it('is checked against the configured time window', async () => {
      const options = { toleranceSeconds: 10, futureToleranceSeconds: 0 }
      const endpoint = await serve(host, { options })
      await endpoint.accepts(deliverySigned(sign(transaction, { timestamp: timestamp - 10 })))
      for (const [ahead, code] of [
        [-11, 'ERR_TIMESTAMP_TOO_OLD'],
        [1, 'ERR_TIMESTAMP_IN_FUTURE'],
      ] as const) {
        await endpoint.refuses(deliverySigned(sign(transaction, { timestamp: timestamp + ahead })), code)
      }
    })

    it.skipIf(lacks(host, 'streaming'))(
      'is checked before the body arrives, so the sender need not send it',
      async () => {
        const endpoint = await serve(host)
        const request = deliverySigned()
        const client = await endpoint.connect()
        await client.start(request)
        const outcome = endpoint.outcome(await client.answer(), request)
        expect(outcome.code).toBe('ERR_SIGNATURE_MISSING')
        expect(await client.ended()).toBe('closed')
      },
    )
  })
}
