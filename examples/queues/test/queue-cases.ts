import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECRET, send, start, valid, type Delivery } from '../../test/support.js'

/** The server of an engine, and access to its jobs. */
export interface Engine {
  /** The environment variables of the examples. */
  readonly env: Record<string, string>
  readonly server: {
    readonly kill: () => Promise<void>
    readonly restart: () => Promise<void>
    readonly stop: () => Promise<void>
  }
  /** The keys of all jobs that are not done, in any state. */
  readonly openJobs: () => Promise<string[]>
  /** Makes the jobs that wait for another attempt due now. Resolves to how many there are. */
  readonly makeDue: (options: { readonly isLastAttempt: boolean }) => Promise<number>
  /** The keys of the jobs that failed for the last time. */
  readonly deadLetters: () => Promise<string[]>
  readonly retryDeadLetters: () => Promise<void>
  /** Lets the time pass after which the jobs of a worker that died are given to another. */
  readonly releaseJobs: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * The cases that every engine passes, with the endpoint and the worker of its example.
 *
 * @param folder in examples/queues
 * @param outage the status that the endpoint answers while its server is down
 * @returns the engine, within the tests
 */
export function queueCases(folder: string, startEngine: () => Promise<Engine>, outage: number) {
  let engine: Engine
  let bookkeeping: Awaited<ReturnType<typeof startBookkeeping>>
  let endpoint: Endpoint
  let worker: ReturnType<typeof start>

  async function startEndpoint(): Promise<Endpoint> {
    const program = start(`queues/${folder}/endpoint.js`, engine.env)
    const url = `http://localhost:${await program.port()}/webhooks`
    return { send: (delivery) => send(url, delivery), kill: () => program.end() }
  }
  const startWorker = () =>
    start(`queues/${folder}/worker.js`, { ...engine.env, BOOKKEEPING_URL: bookkeeping.url })

  beforeAll(async () => {
    engine = await startEngine()
    bookkeeping = await startBookkeeping()
    endpoint = await startEndpoint()
    worker = startWorker()
  })
  afterAll(async () => {
    await worker.end()
    await endpoint.kill()
    bookkeeping.close()
    await engine.close()
    await engine.server.stop()
  })

  it('makes one job and one booking of a delivery that is sent four times at once', async () => {
    const { purchase, intent } = deliveries('once')
    const sendUntilDone = async () => {
      let status: number
      // At most two may wait for the one that is being handled: a 409 is sent again.
      do status = await endpoint.send(purchase)
      while (status === 409)
      return status
    }
    expect(await Promise.all(Array.from({ length: 4 }, sendUntilDone))).toEqual([204, 204, 204, 204])
    const first = await bookkeeping.next(purchase)
    expect(first).toMatchObject({
      key: keyOf(purchase),
      body: { type: 'transaction.purchase.successful', intent: 'once', amount: 50.5, currency: 'EUR' },
    })
    expect(await engine.openJobs()).toEqual([keyOf(purchase)])
    first.answer(204)
    await worker.prints(new RegExp(`^booked ${keyOf(purchase)}$`, 'm'))

    // The finished job is still known, so the next booking is of another delivery.
    expect(await endpoint.send(purchase)).toBe(204)
    expect(await endpoint.send(intent)).toBe(204)
    const next = await bookkeeping.next(intent)
    expect(next.body).toMatchObject({ type: 'intent.processed', amount: 50.5, currency: 'EUR' })
    next.answer(204)
    await expect.poll(engine.openJobs).toEqual([])
    expect(bookkeeping.bookedFor('once')).toHaveLength(1)
  })

  it('retries a job that fails twice until it is done', async () => {
    const { purchase } = deliveries('fails_twice')
    expect(await endpoint.send(purchase)).toBe(204)
    for (const status of [500, 503]) {
      const booking = await bookkeeping.next(purchase)
      booking.answer(status)
      await expect.poll(() => engine.makeDue({ isLastAttempt: false })).toBe(1)
    }
    ;(await bookkeeping.next(purchase)).answer(204)
    await worker.prints(new RegExp(`^booked ${keyOf(purchase)}$`, 'm'))
    await expect.poll(engine.openJobs).toEqual([])
    expect(await engine.deadLetters()).toEqual([])
  })

  it('keeps a job that always fails with the dead letters, where it can be retried', async () => {
    const { purchase } = deliveries('always_fails')
    expect(await endpoint.send(purchase)).toBe(204)
    for (const isLastAttempt of [true, false]) {
      const booking = await bookkeeping.next(purchase)
      booking.answer(500)
      if (isLastAttempt) await expect.poll(() => engine.makeDue({ isLastAttempt })).toBe(1)
    }
    await expect.poll(engine.deadLetters).toEqual([keyOf(purchase)])
    await engine.retryDeadLetters()
    ;(await bookkeeping.next(purchase)).answer(204)
    await worker.prints(new RegExp(`^booked ${keyOf(purchase)}$`, 'm'))
    expect(await engine.deadLetters()).toEqual([])
  })

  it('reports an event that has no handler', async () => {
    const { unknown } = deliveries('unknown')
    expect(await endpoint.send(unknown)).toBe(204)
    await worker.prints(/no handler for something\.new \(unknown-type\)/)
  })

  it('runs the job of a worker that was killed again, with the same key', async () => {
    const { purchase } = deliveries('killed')
    expect(await endpoint.send(purchase)).toBe(204)
    const first = await bookkeeping.next(purchase)
    expect(first.key).toBe(keyOf(purchase))
    await worker.end('SIGKILL')
    // The bookkeeping has booked it, and the worker does not learn about it.
    first.answer(204)
    await engine.releaseJobs()
    worker = startWorker()
    const second = await bookkeeping.next(purchase)
    expect({ key: second.key, body: second.body }).toEqual({ key: first.key, body: first.body })
    second.answer(204)
    await worker.prints(new RegExp(`^booked ${keyOf(purchase)}$`, 'm'))
    expect(bookkeeping.bookedFor('killed')).toHaveLength(1)
  })

  it('finishes the job of a worker that is stopped', async () => {
    const { purchase } = deliveries('stopped')
    expect(await endpoint.send(purchase)).toBe(204)
    const booking = await bookkeeping.next(purchase)
    const stopped = worker.end('SIGTERM')
    booking.answer(204)
    expect((await stopped).stdout).toContain(`booked ${keyOf(purchase)}`)
    expect(await engine.openJobs()).not.toContain(keyOf(purchase))
    worker = startWorker()
  })

  it(`answers ${outage} while its server is down, and works again afterwards`, async () => {
    const { purchase } = deliveries('down')
    await worker.end()
    await engine.server.kill()
    expect(await endpoint.send(purchase)).toBe(outage)
    await engine.server.restart()
    await expect.poll(() => endpoint.send(purchase)).toBe(204)
    worker = startWorker()
    ;(await bookkeeping.next(purchase)).answer(204)
  })

  return {
    engine: () => engine,
    endpoint: () => endpoint,
    startEndpoint,
    nextBooking: (delivery: Delivery) => bookkeeping.next(delivery),
  }
}

interface Endpoint {
  readonly send: (delivery: Delivery) => Promise<number>
  readonly kill: () => Promise<unknown>
}

/** An id for each case, so that it has its own deliveries. */
export function deliveries(id: string) {
  const [purchase, intent, unknown] = valid(SECRET, id)
  return { purchase: purchase!, intent: intent!, unknown: unknown! }
}

/** The key of a delivery: the fingerprint of the secret, the version, why it is not recognized, if so, and the body. */
export function keyOf({ body }: Delivery): string {
  const reason = body.includes('something.new') ? 'unknown-type' : ''
  return sha256(`sha256:${sha256(SECRET).slice(0, 8)}\nv3\n${reason}\n${body}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

interface Booking {
  readonly key: string
  readonly body: { readonly intent: string }
  readonly answer: (status: number) => void
}

/** The service that the workers call. It answers when the test tells it to, and books each acknowledged key once. */
async function startBookkeeping() {
  const requests: Booking[] = []
  const booked = new Map<string, Booking>()
  const news = new EventEmitter()
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const key = String(request.headers['idempotency-key'])
    const body = (await json(request)) as Booking['body']
    const answer = (status: number) => {
      if (status < 300 && !booked.has(key)) booked.set(key, { key, body, answer })
      response.writeHead(status).end()
    }
    requests.push({ key, body, answer })
    news.emit('request')
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next request for this delivery. */
    async next(delivery: Delivery): Promise<Booking> {
      for (;;) {
        const index = requests.findIndex(({ key }) => key === keyOf(delivery))
        if (index >= 0) return requests.splice(index, 1)[0]!
        await once(news, 'request')
      }
    },
    bookedFor: (intent: string) => [...booked.values()].filter(({ body }) => body.intent === intent),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
