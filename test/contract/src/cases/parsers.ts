import { transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { OTHER, type Host, type Parser } from '../host.js'
import { delivery, deliverySigned, sign, transaction } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'

const TYPES: Readonly<Record<Parser, string>> = {
  json: 'application/json',
  text: 'text/plain',
  raw: 'application/json',
  kept: 'application/json',
  skipped: 'application/octet-stream',
  elsewhere: 'application/json',
  after: 'application/json',
  twice: 'application/json',
}

export function parsers(host: Host): void {
  const having = (...kinds: readonly Parser[]) => kinds.filter((kind) => host.parsers?.includes(kind))

  describe.each(having('json', 'text'))('after a parser that consumes the bytes (%s)', (parser) => {
    const headers = { 'Content-Type': TYPES[parser] }

    it('a valid delivery is refused, and the error says how to fix it', async () => {
      const endpoint = await serve(host, { parser })
      await endpoint.refuses(delivery({ headers }), 'ERR_BODY_CONSUMED')
      expect(endpoint.rejected[0]!.message).toContain(host.name.split(' ')[0])
    })

    it('a forged header is refused as such', async () => {
      const endpoint = await serve(host, { parser })
      await endpoint.refuses(delivery({ headers, signature: [] }), 'ERR_SIGNATURE_MISSING')
    })
  })

  describe.each(having('twice'))('mounted for all routes and again for this one', (parser) => {
    it('refuses a valid delivery and names its own second mount, not a parser', async () => {
      const endpoint = await serve(host, { parser })
      await endpoint.refuses(delivery(), 'ERR_BODY_CONSUMED')
      const { message } = endpoint.rejected[0]!
      expect(message).toContain('serviceSignature() is mounted twice for this route')
      expect(message).not.toContain('parser')
    })
  })

  describe.each(having('raw', 'kept', 'skipped'))('after a parser that keeps the bytes (%s)', (parser) => {
    const headers = { 'Content-Type': TYPES[parser] }

    it('a valid delivery is accepted, with the bytes as sent', async () => {
      const endpoint = await serve(host, { parser })
      const webhook = await endpoint.accepts(delivery({ headers }))
      expect(Buffer.from(webhook.rawBody)).toEqual(transaction)
      expect(webhook.event.payload).toEqual(transactionEvent())
    })

    it('a forged delivery is refused', async () => {
      const endpoint = await serve(host, { parser })
      const signature = [sign(transaction, { secret: 'another_key' })]
      await endpoint.refuses(delivery({ headers, signature }), 'ERR_SIGNATURE_MISMATCH')
      await endpoint.refuses(delivery({ headers, signature: [] }), 'ERR_SIGNATURE_MISSING')
    })

    it('a body above the limit is refused', async () => {
      const endpoint = await serve(host, { parser, options: { bodyLimit: transaction.length - 1 } })
      await endpoint.refuses(delivery({ headers }), 'ERR_BODY_TOO_LARGE')
    })
  })

  describe.each(having('after'))('before a parser', (parser) => {
    it('a valid delivery is accepted', async () => {
      const endpoint = await serve(host, { parser })
      await endpoint.accepts(delivery({ headers: { 'Content-Type': TYPES[parser] } }))
    })
  })

  describe.each(having('elsewhere'))('next to a parser of another route', (parser) => {
    it('both routes work', async () => {
      const endpoint = await serve(host, { parser })
      const client = await endpoint.connect()
      await endpoint.accepts(delivery(), client)
      await client.send({ ...deliverySigned(), path: OTHER })
      const other = await client.answer()
      expect(other.status).toBe(200)
      expect(JSON.parse(other.body)).toEqual(transactionEvent())
      await endpoint.accepts(delivery(), client)
    })
  })
}
