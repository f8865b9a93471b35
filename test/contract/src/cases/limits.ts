import { printBody, transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it, vi } from 'vitest'
import type { Host } from '../host.js'
import {
  delivery,
  deliveryOf,
  deliverySigned,
  now,
  secret,
  sign,
  transaction,
  type Request,
} from '../support/deliveries.js'
import { lacks } from '../support/ability.js'
import type { Client } from '../support/client.js'
import { serve } from '../support/endpoint.js'
import { chunk, framed } from '../support/wire.js'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE
const framings = ['length', 'chunked'] as const

const tooMuch = [
  ['of unknown length', 'chunked', 'ERR_BODY_TOO_LARGE', 413],
  ['of a known length', 'length', 'ERR_BODY_TOO_LARGE', 413],
  ['of unknown length and unsigned', 'chunked', 'ERR_SIGNATURE_MISSING', 401],
  ['of a known length and unsigned', 'length', 'ERR_SIGNATURE_MISSING', 401],
] as const

export function limits(host: Host): void {
  const isWhole = lacks(host, 'streaming')
  /** The server has ended the connection after its answer. */
  const expectCutOff = async (client: Client) => {
    if (!lacks(host, 'cutting off')) expect(await client.ended()).toBe('closed')
  }

  describe('the limit', () => {
    it.each(framings)('itself is an accepted size, framed by %s', async (framing) => {
      const endpoint = await serve(host, { options: { bodyLimit: transaction.length } })
      await endpoint.accepts(delivery({ framing }))
      await endpoint.refuses(deliveryOf(`${String(transaction)} `, framing), 'ERR_BODY_TOO_LARGE')
    })

    it.each(framings)('is 1 MiB by default, framed by %s', async (framing) => {
      const endpoint = await serve(host)
      await endpoint.accepts(deliveryOf(eventOf(MEBIBYTE), framing))
      await endpoint.refuses(deliveryOf(eventOf(MEBIBYTE + 1), framing), 'ERR_BODY_TOO_LARGE')
    })

    it.each(framings)('is 64 KiB by default if v2 is required, framed by %s', async (framing) => {
      const endpoint = await serve(host, { options: { versions: ['v2'] } })
      const sent = (length: number) => {
        const body = Buffer.from(eventOf(length))
        return delivery({ body, framing, signature: [sign(body, { versions: ['v2'] })] })
      }
      await endpoint.accepts(sent(64 * KIBIBYTE))
      await endpoint.refuses(sent(64 * KIBIBYTE + 1), 'ERR_BODY_TOO_LARGE')
    })

    it.each(framings)("may exceed the host's own, framed by %s", async (framing) => {
      const endpoint = await serve(host, { options: { bodyLimit: 4 * MEBIBYTE } })
      const { rawBody } = await endpoint.accepts(deliveryOf(eventOf(3 * MEBIBYTE), framing))
      expect(rawBody).toHaveLength(3 * MEBIBYTE)
    })

    it.skipIf(isWhole)('applies to the declared length, even if nothing is sent', async () => {
      const endpoint = await serve(host, { options: { bodyLimit: KIBIBYTE } })
      const request = deliveryOf(eventOf(2 * KIBIBYTE))
      const client = await endpoint.connect()
      await client.start(request)
      expect(endpoint.outcome(await client.answer(), request).code).toBe('ERR_BODY_TOO_LARGE')
      await expectCutOff(client)
    })

    it.skipIf(isWhole).each(tooMuch)('rejects 64 MiB %s, and answers while they arrive', async (...sent) => {
      const [, framing, code, status] = sent
      const endpoint = await serve(host, { options: { bodyLimit: 64 * KIBIBYTE } })
      const client = await endpoint.connect()
      // The signature of another body: the adapter must not hash 64 MiB to see that they are too many.
      const signature = status === 401 ? [] : [sign(transaction)]
      await client.start(delivery({ framing, signature, body: Buffer.alloc(64 * MEBIBYTE) }))
      const piece = Buffer.alloc(64 * KIBIBYTE, 'x')
      const poured = await pourUntilAnswered(client, framing === 'length' ? piece : chunk(piece))
      expect(endpoint.codes).toEqual([code])
      expect(poured.status).toBe(status)
      expect(poured.bytes).toBeLessThan(16 * MEBIBYTE)
      await expectCutOff(client)
    })
  })

  describe.skipIf(isWhole)('a sender', () => {
    it.skipIf(lacks(host, 'cutting off')).each(tooMuch)(
      'that does not read before it has sent 16 MiB %s receives the answer',
      async (...sent) => {
        const [, framing, code, status] = sent
        const endpoint = await serve(host)
        const client = await endpoint.connect()
        const signature = status === 401 ? [] : [sign(transaction)]
        const request = delivery({ framing, signature, body: Buffer.alloc(16 * MEBIBYTE) })
        await client.withoutReading(() => client.send(request))
        expect(await client.answer()).toMatchObject({ status })
        expect(endpoint.codes).toEqual([code])
        await expectCutOff(client)
      },
    )

    it.each([
      ['before its body', 0],
      ['in the middle of its body', 100],
    ])('that stalls %s gets 408, and the connection is closed', async (_when, bytes) => {
      const endpoint = await serve(host, { options: { bodyTimeoutSeconds: 0.05 } })
      const request = delivery()
      const client = await endpoint.connect()
      await client.start(request)
      await client.write(transaction.subarray(0, bytes))
      const outcome = endpoint.outcome(await client.answer(), request)
      expect(outcome.code).toBe('ERR_BODY_TIMEOUT')
      expect(outcome.headers['connection']).toBe('close')
      await expectCutOff(client)
    })

    it('that stalls between two chunks gets 408', async () => {
      const endpoint = await serve(host, { options: { bodyTimeoutSeconds: 0.05 } })
      const request = delivery({ framing: 'chunked' })
      const client = await endpoint.connect()
      await client.start(request)
      await client.write(chunk(transaction))
      expect(endpoint.outcome(await client.answer(), request).code).toBe('ERR_BODY_TIMEOUT')
      await expectCutOff(client)
    })

    it.each([
      ['its signature is missing', [], 'ERR_SIGNATURE_MISSING'],
      ['its signature is malformed', ['garbage'], 'ERR_SIGNATURE_MALFORMED'],
    ] as const)('that stalls is refused at once when %s', async (_why, signature, code) => {
      const endpoint = await serve(host)
      const request = delivery({ signature, framing: 'chunked' })
      const client = await endpoint.connect()
      await client.start(request)
      await client.write(chunk(Buffer.from('{')))
      expect(endpoint.outcome(await client.answer(), request).code).toBe(code)
      await expectCutOff(client)
    })

    it('that delays its body until its delivery is too old is refused without a call for the secret', async () => {
      let seconds = 0
      let begun!: () => void
      const hasBegun = new Promise<void>((resolve) => (begun = resolve))
      const source = vi.fn(() => secret)
      const clock = () => {
        begun()
        return now() + seconds * 1000
      }
      const endpoint = await serve(host, { options: { secret: source, now: clock } })
      const request = delivery()
      const client = await endpoint.connect()
      await client.start(request)
      await hasBegun
      seconds = 301
      await client.write(framed(request))
      expect(endpoint.outcome(await client.answer(), request).code).toBe('ERR_TIMESTAMP_TOO_OLD')
      expect(source).not.toHaveBeenCalled()
    })

    it.each(framings)(
      'that hangs up in the middle of its body does not reach the handler, framed by %s',
      async (framing) => {
        const endpoint = await serve(host)
        const client = await endpoint.connect()
        await begin(client, delivery({ framing }))
        await client.leave()
        await endpoint.until(1, 'rejected')
        expect(endpoint.codes).toEqual(['ERR_BODY_INCOMPLETE'])
        await endpoint.accepts(delivery())
      },
    )

    it('that hangs up without a signature is refused once', async () => {
      const endpoint = await serve(host)
      const client = await endpoint.connect()
      await begin(client, deliverySigned())
      await client.leave()
      await endpoint.until(1, 'rejected')
      expect(endpoint.codes).toEqual(['ERR_SIGNATURE_MISSING'])
      await endpoint.accepts(delivery())
    })

    it.each(framings)(
      'that ends before its body is complete does not reach the handler, framed by %s',
      async (framing) => {
        const endpoint = await serve(host)
        const client = await endpoint.connect()
        await begin(client, delivery({ framing }))
        client.finishWriting()
        await client.ended()
        await endpoint.until(1, 'rejected')
        expect(endpoint.codes).toEqual(['ERR_BODY_INCOMPLETE'])
      },
    )
  })
}

const events = new Map<number, string>()

/** A transaction event with this number of bytes, printed once for all hosts. */
function eventOf(size: number): string {
  const textWith = (custom_message: string) =>
    printBody(transactionEvent({ transaction: { custom_message } }))
  const event = events.get(size) ?? textWith('x'.repeat(size - textWith('').length))
  events.set(size, event)
  return event
}

/** Sends without end, as fast as the server reads. Returns how much it sent. */
async function pourUntilAnswered(
  client: Client,
  piece: Uint8Array,
): Promise<{ readonly status: number; readonly bytes: number }> {
  let status: number | undefined
  const answered = client.answer().then((answer) => (status = answer.status))
  let bytes = 0
  while (status === undefined && bytes < 64 * MEBIBYTE) {
    await Promise.race([client.write(piece), answered])
    bytes += piece.length
  }
  return { status: await answered, bytes }
}

/** The head and half of the body. */
async function begin(client: Client, request: Request): Promise<void> {
  const body = framed(request)
  await client.start(request)
  await client.write(body.subarray(0, body.length >> 1))
}
