import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Child } from '../support/child.js'
import { letTimePass, useRedis } from '../support/redis.js'
import { SECRET, send } from '../support/sender.js'

// The example that the README shows.
const EXAMPLE = new URL('../../../../examples/redis/bullmq/', import.meta.url).href
// How long BullMQ takes a worker for alive that says nothing.
const LOCK = 30

describe('the example with BullMQ', () => {
  const { server, data } = useRedis({ isDurable: true })

  async function startEndpoint(): Promise<[Child, number]> {
    const endpoint = new Child('endpoint.js', EXAMPLE, {
      ...{ HOST: '127.0.0.1', PORT: '0', REDIS_URL: server().url, WEBHOOK_SECRET: SECRET },
    })
    const line = String(await endpoint.told('printed'))
    return [endpoint, Number(/^listening on port (\d+)$/.exec(line)![1])]
  }

  function startWorker(url: string): Child {
    return new Child('worker.js', EXAMPLE, {
      ...{ BOOKKEEPING_URL: url, REDIS_URL: server().url, STALLED_INTERVAL_MS: '100' },
    })
  }

  it('makes one job of a delivery that comes often, and finishes it though all processes die', async () => {
    const bookkeeping = await startBookkeeping()
    const [endpoint, port] = await startEndpoint()
    const worker = startWorker(bookkeeping.url)
    const [body, other] = [bodyOf('paid'), bodyOf('paid too')]
    expect(await Promise.all([send(port, body), send(port, body), send(port, body)])).toEqual([204, 204, 204])

    const first = await bookkeeping.next()
    expect(first).toMatchObject({
      key: keyOf(body),
      body: { type: 'intent.processed', intent: 'paid', amount: 50.5, currency: 'EUR' },
    })
    await worker.kill()
    await endpoint.kill()
    const [, newPort] = await startEndpoint()
    expect(await send(newPort, body)).toBe(204)
    expect(await send(newPort, other)).toBe(204)

    await letTimePass(data(), LOCK)
    const newWorker = startWorker(bookkeeping.url)
    const [one, two] = [await bookkeeping.next(), await bookkeeping.next()]
    expect([one.key, two.key].sort()).toEqual([first.key, keyOf(other)].sort())
    for (const { answer } of [one, two]) answer(204)
    const printed = [await newWorker.told('printed'), await newWorker.told('printed')]
    expect(printed.sort()).toEqual([`booked ${keyOf(body)}`, `booked ${keyOf(other)}`].sort())

    // Done, it is still known.
    expect(await send(newPort, body)).toBe(204)
    expect(await send(newPort, bodyOf('paid last'))).toBe(204)
    const last = await bookkeeping.next()
    expect(last.key).toBe(keyOf(bodyOf('paid last')))
    last.answer(204)
  }, 60_000)

  it('hands each type of event to its handler, and keeps an event without a handler as a failed job', async () => {
    const bookkeeping = await startBookkeeping()
    const [, port] = await startEndpoint()
    const worker = startWorker(bookkeeping.url)
    const unknown = JSON.stringify({ type: 'something.new' })
    const purchase = JSON.stringify(transactionEvent({ intent: { id: 'bought', amount: { value: 7.1 } } }))
    for (const body of [unknown, purchase]) expect(await send(port, body)).toBe(204)

    const booking = await bookkeeping.next()
    expect(booking).toMatchObject({
      key: keyOf(purchase),
      body: { type: 'transaction.purchase.successful', intent: 'bought', amount: 7.1, currency: 'EUR' },
    })
    booking.answer(204)
    expect(await worker.told('printed')).toBe(`booked ${keyOf(purchase)}`)
    await expect
      .poll(() => data().hget(`bull:payment-events:${keyOf(unknown)}`, 'failedReason'))
      .toBe('no handler for something.new (unknown-type)')
  }, 60_000)

  it('acknowledges nothing while its Redis is down', async () => {
    const [, port] = await startEndpoint()
    await server().kill()
    expect(await send(port, bodyOf('paid meanwhile'))).toBe(500)
    await server().restart()
    let status = 500
    while (status === 500) status = await send(port, bodyOf('paid meanwhile'))
    expect(status).toBe(204)
    expect(await data().exists(`bull:payment-events:${keyOf(bodyOf('paid meanwhile'))}`)).toBe(1)
  }, 60_000)
})

/** A body of which a retry, too, has the same bytes. */
function bodyOf(id: string): string {
  return JSON.stringify(intentEvent({ data: { intent_id: id, intent: { id } } }))
}

/** The key of a delivery: of the fingerprint of the secret, of the version and of the body. */
function keyOf(body: string): string {
  return sha256(`sha256:${sha256(SECRET).slice(0, 8)}\nv3\n\n${body}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

interface Booking {
  readonly key: unknown
  readonly body: unknown
  readonly answer: (status: number) => void
}

/** What the worker calls. It answers when it is told to. */
async function startBookkeeping() {
  const bookings: Booking[] = []
  const news = new EventEmitter()
  let taken = 0
  const book = async (key: unknown, body: Promise<string>, response: ServerResponse) => {
    const answer = (status: number) => response.writeHead(status).end()
    bookings.push({ key, answer, body: JSON.parse(await body) as unknown })
    news.emit('booking')
  }
  const server = createServer((request, response) => {
    void book(request.headers['idempotency-key'], text(request), response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async next(): Promise<Booking> {
      const index = taken++
      while (bookings.length <= index) await once(news, 'booking')
      return bookings[index]!
    },
  }
}
