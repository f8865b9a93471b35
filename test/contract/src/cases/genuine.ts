import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import type { Host } from '../host.js'
import {
  apiKey,
  delivery,
  deliveryOf,
  deliverySigned,
  intent,
  secret,
  sign,
  timestamp,
  transaction,
} from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'

export function genuineDeliveries(host: Host): void {
  describe('valid deliveries', () => {
    it.each([
      { shape: 'transaction', body: transaction, payload: transactionEvent() },
      { shape: 'intent', body: intent, payload: intentEvent() },
    ] as const)('of the shape $shape reach the handler, with the bytes as sent', async (sent) => {
      const endpoint = await serve(host)
      const webhook = await endpoint.accepts(delivery({ body: sent.body }))
      expect(webhook.event).toMatchObject({ shape: sent.shape, payload: sent.payload })
      expect(Buffer.from(webhook.rawBody)).toEqual(sent.body)
      expect(webhook).toMatchObject({
        timestamp,
        signedAt: new Date('2025-03-27T15:41:20Z'),
        versions: ['v3'],
        secretIndex: 0,
      })
    })

    it('of an unknown type reach the handler as unrecognized, and are acknowledged', async () => {
      const endpoint = await serve(host)
      const { event } = await endpoint.accepts(deliveryOf('{"type":"payout.sent","api_version":"9"}'))
      expect(event).toMatchObject({ shape: 'unrecognized', receivedType: 'payout.sent' })
    })

    it('with the known answer of public code are accepted', async () => {
      const endpoint = await serve(host)
      const digest = 'ca13480c8142f2f2b44822c764909027974e84b3e8c94457a314f129d8d60148'
      const signature = [`t=1743090080,v3=${digest}`]
      await endpoint.accepts(delivery({ body: Buffer.from('"webhook_payload"'), signature }))
    })

    it('with all three versions are accepted if all three are required', async () => {
      const versions = ['v1', 'v2', 'v3'] as const
      const endpoint = await serve(host, { options: { secret, apiKey, versions } })
      const webhook = await endpoint.accepts(deliverySigned(sign(transaction, { versions })))
      expect(webhook.versions).toEqual(versions)
    })

    it.each([
      ['versions that are not required', sign(transaction, { versions: ['v1', 'v2', 'v3'] })],
      ['elements of an unknown name', `${sign(transaction)},v4=later,x=`],
      ['spaces and tabs around the elements', sign(transaction).replace(',', ' ,\t ')],
      ['the elements in another order', sign(transaction).split(',').reverse().join()],
    ])('with %s in the header are accepted', async (_what, signature) => {
      const endpoint = await serve(host)
      await endpoint.accepts(deliverySigned(signature))
    })

    it.each(['service-signature', 'SERVICE-SIGNATURE', 'sErViCe-sIgNaTuRe'])(
      'with a header named %s are accepted',
      async (name) => {
        const endpoint = await serve(host)
        await endpoint.accepts(delivery({ signature: [], headers: { [name]: sign(transaction) } }))
      },
    )

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'garbage',
      '',
    ])('with the content type %j are accepted', async (type) => {
      const endpoint = await serve(host)
      const { event } = await endpoint.accepts(delivery({ headers: { 'Content-Type': type } }))
      expect(event.shape).toBe('transaction')
    })

    it('without a content type are accepted', async () => {
      const endpoint = await serve(host)
      await endpoint.accepts(delivery({ headers: {} }))
    })

    it('at both ends of the time window are accepted', async () => {
      const endpoint = await serve(host)
      await endpoint.accepts(deliverySigned(sign(transaction, { timestamp: timestamp - 300 })))
      await endpoint.accepts(deliverySigned(sign(transaction, { timestamp: timestamp + 60 })))
    })

    it('signed with either secret of a list are accepted, and report which one matched', async () => {
      const endpoint = await serve(host, { options: { secret: ['the_next_key', secret] } })
      const signed = deliverySigned(sign(transaction, { secret: 'the_next_key' }))
      expect(await endpoint.accepts(signed)).toMatchObject({ secretIndex: 0 })
      expect(await endpoint.accepts(delivery())).toMatchObject({ secretIndex: 1 })
    })

    it('that arrive at the same time each reach the handler with their own event', async () => {
      const endpoint = await serve(host)
      const ids = Array.from({ length: 20 }, (_, index) => `st_${index}`)
      const clients = await Promise.all(ids.map(() => endpoint.connect()))
      await Promise.all(
        ids.map(async (status_id, index) => {
          const body = JSON.stringify(transactionEvent({ status_id }))
          await clients[index]!.send(deliveryOf(body, index % 2 ? 'chunked' : 'length'))
          expect((await clients[index]!.answer()).status).toBe(200)
        }),
      )
      const handled = endpoint.handled.map(({ event }) => (event.payload as { status_id: string }).status_id)
      expect(handled.sort()).toEqual(ids.sort())
    })
  })
}
