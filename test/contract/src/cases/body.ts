import { transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import type { Host } from '../host.js'
import { lacks } from '../support/ability.js'
import { delivery, deliveryOf, sign, transaction, type Request } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'
import { chunk, framed, LAST_CHUNK } from '../support/wire.js'

const framings = ['length', 'chunked'] as const

const notJson = [
  ['is empty', ''],
  ['has two byte order marks', '\ufeff\ufeff{}'],
  ['is text', 'type=intent.processed'],
  ['is two values', '{}{}'],
  ['breaks off', String(transaction).slice(0, -1)],
  ['is nested 513 levels deep', '['.repeat(513) + ']'.repeat(513)],
  ['is nested 100000 levels deep', '['.repeat(100_000) + ']'.repeat(100_000)],
] as const

const notText = [
  ['is not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
  ['ends inside a character', Buffer.from([0x22, 0xc3])],
] as const

export function bodies(host: Host): void {
  describe('the body', () => {
    it.each(notJson)('that %s is refused even with a valid signature', async (_what, body) => {
      const endpoint = await serve(host)
      await endpoint.refuses(deliveryOf(body), 'ERR_BODY_NOT_JSON')
    })

    it.skipIf(lacks(host, 'every byte')).each(notText)(
      'that %s is refused even with a valid signature',
      async (_what, body) => {
        const endpoint = await serve(host)
        await endpoint.refuses(deliveryOf(body), 'ERR_BODY_NOT_JSON')
      },
    )

    it.each([...notJson, ...notText])(
      'that %s is refused as a forgery if its signature does not match',
      async (_what, body) => {
        const endpoint = await serve(host)
        const forged: Request = { ...deliveryOf(body), signature: [sign(Buffer.from('another body'))] }
        await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      },
    )

    it('may begin with a byte order mark, which is signed like any other bytes', async () => {
      const endpoint = await serve(host)
      const body = Buffer.from(`\ufeff${String(transaction)}`)
      const { event, rawBody } = await endpoint.accepts(delivery({ body }))
      expect(event.payload).toEqual(transactionEvent())
      expect(Buffer.from(rawBody)).toEqual(body)
      await endpoint.refuses(delivery({ body, signature: [sign(transaction)] }), 'ERR_SIGNATURE_MISMATCH')
    })

    it('may be nested 512 levels deep', async () => {
      const endpoint = await serve(host)
      const { event } = await endpoint.accepts(deliveryOf('['.repeat(512) + ']'.repeat(512)))
      expect(event.shape).toBe('unrecognized')
    })

    it.each(framings)('that is empty is refused without waiting for more, framed by %s', async (framing) => {
      const endpoint = await serve(host)
      await endpoint.refuses(deliveryOf('', framing), 'ERR_BODY_NOT_JSON')
    })

    it.each(framings)('is accepted when framed by %s', async (framing) => {
      const endpoint = await serve(host)
      const { rawBody } = await endpoint.accepts(delivery({ framing }))
      expect(Buffer.from(rawBody)).toEqual(transaction)
    })

    it('may have a chunk extension and a trailer', async () => {
      const endpoint = await serve(host)
      const request = delivery({ framing: 'chunked' })
      const client = await endpoint.connect()
      await client.start(request)
      await client.write(Buffer.from(`${transaction.length.toString(16)};name=value\r\n`))
      await client.write(transaction)
      await client.write(Buffer.from('\r\n0\r\nService-Signature: garbage\r\n\r\n'))
      expect(endpoint.outcome(await client.answer(), request)).toMatchObject({ status: 200 })
    })

    it.each(framings)('may arrive byte by byte, framed by %s', async (framing) => {
      const endpoint = await serve(host)
      const request = delivery({ framing })
      const client = await endpoint.connect()
      await client.start(request)
      for (const byte of framed(request)) await client.write(Buffer.of(byte))
      expect(endpoint.outcome(await client.answer(), request)).toMatchObject({ status: 200 })
      expect(Buffer.from(endpoint.handled[0]!.rawBody)).toEqual(transaction)
    })

    it('may arrive in chunks of one byte', async () => {
      const endpoint = await serve(host)
      const request = delivery({ framing: 'chunked' })
      const client = await endpoint.connect()
      await client.start(request)
      await client.write(
        Buffer.concat([...Array.from(transaction, (byte) => chunk(Buffer.of(byte))), LAST_CHUNK]),
      )
      expect(endpoint.outcome(await client.answer(), request)).toMatchObject({ status: 200 })
      expect(Buffer.from(endpoint.handled[0]!.rawBody)).toEqual(transaction)
    })

    it.each(framings)('may be split inside a character, framed by %s', async (framing) => {
      const custom_message = 'A \u00e9 and a \u{1f600}'
      const body = Buffer.from(JSON.stringify(transactionEvent({ transaction: { custom_message } })))
      const endpoint = await serve(host)
      const request = deliveryOf(body, framing)
      const client = await endpoint.connect()
      await client.start(request)
      const cuts = [body.indexOf('\u00e9') + 1, body.indexOf('\u{1f600}') + 2, body.length]
      for (const [index, cut] of cuts.entries()) {
        const piece = body.subarray(cuts[index - 1] ?? 0, cut)
        await client.write(framing === 'length' ? piece : chunk(piece))
      }
      if (framing === 'chunked') await client.write(LAST_CHUNK)
      expect(endpoint.outcome(await client.answer(), request)).toMatchObject({ status: 200 })
      expect(endpoint.handled[0]!.event.payload).toMatchObject({ transaction: { custom_message } })
    })

    it.each(['gzip', 'br', 'GZIP', 'identity, gzip'])('encoded as %s is refused', async (encoding) => {
      const endpoint = await serve(host)
      await endpoint.refuses(delivery({ headers: { 'Content-Encoding': encoding } }), 'ERR_BODY_ENCODED')
    })

    it.each(['identity', 'Identity', ''])('encoded as %j is accepted', async (encoding) => {
      const endpoint = await serve(host)
      await endpoint.accepts(delivery({ headers: { 'Content-Encoding': encoding } }))
    })

    it('is requested by 100 Continue if the sender asks for it', async () => {
      const endpoint = await serve(host)
      const request = delivery({ headers: { Expect: '100-continue' } })
      const client = await endpoint.connect()
      await client.start(request)
      expect((await client.answer()).status).toBe(100)
      await client.write(transaction)
      expect(endpoint.outcome(await client.answer(), request)).toMatchObject({ status: 200 })
    })
  })
}
