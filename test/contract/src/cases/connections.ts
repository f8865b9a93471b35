import { describe, expect, it } from 'vitest'
import type { Host } from '../host.js'
import { lacks } from '../support/ability.js'
import { delivery, deliveryOf, deliverySigned, sign, transaction } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'
import { framed, headOf } from '../support/wire.js'

const forged = deliverySigned(sign(transaction, { secret: 'another_key' }))

const small = [
  ['without a signature', deliverySigned(), 'ERR_SIGNATURE_MISSING'],
  ['with a malformed signature', deliverySigned('garbage'), 'ERR_SIGNATURE_MALFORMED'],
  ['with a forged signature', forged, 'ERR_SIGNATURE_MISMATCH'],
  ['with a forged signature, in chunks', { ...forged, framing: 'chunked' }, 'ERR_SIGNATURE_MISMATCH'],
  ['that is encoded', delivery({ headers: { 'Content-Encoding': 'gzip' } }), 'ERR_BODY_ENCODED'],
  ['that is not JSON', deliveryOf('no JSON'), 'ERR_BODY_NOT_JSON'],
] as const

export function connections(host: Host): void {
  describe('a connection', () => {
    it('carries several deliveries, one after another', async () => {
      const endpoint = await serve(host)
      const client = await endpoint.connect()
      for (const framing of ['length', 'chunked', 'length'] as const) {
        await endpoint.accepts(delivery({ framing }), client)
      }
    })

    it.each(small)('stays usable after a delivery %s', async (_what, refused, code) => {
      const endpoint = await serve(host)
      const client = await endpoint.connect()
      await endpoint.refuses(refused, code, client)
      await endpoint.accepts(delivery(), client)
      await endpoint.refuses(refused, code, client)
    })

    it.each(small)('accepts a valid delivery sent immediately after one %s', async (_what, refused, code) => {
      const endpoint = await serve(host)
      const client = await endpoint.connect()
      client.together(() => {
        void client.send(refused)
        void client.send(delivery())
      })
      expect((await client.answer()).status).toBeGreaterThanOrEqual(400)
      expect(await client.answer()).toMatchObject({ status: 200, body: 'handled' })
      expect(endpoint.codes).toEqual([code])
      expect(endpoint.handled).toHaveLength(1)
    })

    it('accepts two pipelined deliveries, and answers them in order', async () => {
      const endpoint = await serve(host)
      const client = await endpoint.connect()
      client.together(() => {
        void client.send(deliveryOf('{"order":1}'))
        void client.send(deliveryOf('{"order":2}', 'chunked'))
      })
      for (let count = 0; count < 2; count++) {
        expect(await client.answer()).toMatchObject({ status: 200, body: 'handled' })
      }
      const payloads = endpoint.handled.map(({ event }) => event.payload)
      expect(payloads).toEqual(expect.arrayContaining([{ order: 1 }, { order: 2 }]))
    })

    it('is closed after the answer if the sender asks for that', async () => {
      const endpoint = await serve(host)
      for (const request of [delivery(), forged, deliverySigned()]) {
        const client = await endpoint.connect()
        await endpoint.send({ ...request, headers: { Connection: 'close' } }, client)
        expect(await client.ended()).toBe('closed')
      }
      expect(endpoint.codes).toEqual(['ERR_SIGNATURE_MISMATCH', 'ERR_SIGNATURE_MISSING'])
    })

    it.skipIf(lacks(host, 'streaming') || lacks(host, 'cutting off')).each(['length', 'chunked'] as const)(
      'that was closed because of a too large body carries no further delivery, framed by %s',
      async (framing) => {
        const endpoint = await serve(host, { options: { bodyLimit: 2048 } })
        const client = await endpoint.connect()
        client.together(() => {
          void client.send(deliveryOf('x'.repeat(300_000), framing))
          // Not counted as a delivery: "close" tells the sender that later requests were not handled (RFC 9112, 9.6).
          void client.write(Buffer.concat([headOf(delivery()), framed(delivery())]))
        })
        const answer = await client.answer()
        expect(answer.status).toBe(413)
        expect(answer.headers['connection']).toBe('close')
        expect(await client.ended()).toBe('closed')
        client.finishWriting()
        await endpoint.accepts(delivery())
        expect(endpoint.handled).toHaveLength(1)
      },
    )

    it('of another sender is still served when a sender hangs up while its delivery is handled', async () => {
      let finish = (): void => undefined
      const finished = new Promise<void>((resolve) => (finish = resolve))
      const endpoint = await serve(host, { handler: () => finished })
      const client = await endpoint.connect()
      await client.send(delivery())
      await endpoint.until(1, 'handled')
      await client.leave()
      finish()
      await endpoint.accepts(delivery())
      expect(endpoint.handled).toHaveLength(2)
    })
  })
}
