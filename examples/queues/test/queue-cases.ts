import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECRET, send, sign, start, valid, type Delivery } from '../../test/support.js'

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
    const program = start(`queues/${folder}/endpoint.js`, {
      ...engine.env,
      PAYMENT_ACCOUNT: ACCOUNT,
      PAYMENT_MODE: 'test',
    })
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

  it('makes one job and one booking of a payment whose events are sent four times at once', async () => {
    const { purchase, intent } = deliveries('once')
    const sendUntilDone = async (delivery: Delivery) => {
      let status: number
      // At most two may wait for the one that is being handled: a 409 is sent again.
      do status = await endpoint.send(delivery)
      while (status === 409)
      return status
    }
    for (const delivery of [purchase, intent]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => sendUntilDone(delivery)))
      expect(answers).toEqual([204, 204, 204, 204])
    }
    await worker.prints(new RegExp(`^done ${keyOf(purchase)}$`, 'm'))
    const booking = await bookkeeping.next('once')
    expect(booking).toMatchObject({
      key: 'intent:once:PROCESSED',
      body: { intent: 'once', amount: 50.5, currency: 'EUR' },
    })
    expect(await engine.openJobs()).toEqual([keyOf(intent)])
    booking.answer(204)
    await worker.prints(new RegExp(`^done ${keyOf(intent)}$`, 'm'))

    // The finished jobs are still known, so the next job is of another payment.
    for (const delivery of [purchase, intent]) expect(await endpoint.send(delivery)).toBe(204)
    const other = deliveries('another')
    expect(await endpoint.send(other.intent)).toBe(204)
    ;(await bookkeeping.next('another')).answer(204)
    await expect.poll(engine.openJobs).toEqual([])
    expect(bookkeeping.requestsFor('once')).toBe(1)
  })

  it('books no intent that is not paid', async () => {
    const unpaid = ['FAILED', 'REFUNDED'].map((status) =>
      intentDelivery({ id: `not_paid_${status}`, status }),
    )
    for (const delivery of unpaid) {
      expect(await endpoint.send(delivery)).toBe(204)
      await worker.prints(new RegExp(`^done ${keyOf(delivery)}$`, 'm'))
    }
    for (const status of ['FAILED', 'REFUNDED']) expect(bookkeeping.requestsFor(`not_paid_${status}`)).toBe(0)
  })

  it('refuses events of another account and of the other mode', async () => {
    expect(await endpoint.send(intentDelivery({ id: 'of_another', account: 'acc_of_another' }))).toBe(403)
    expect(await endpoint.send(intentDelivery({ id: 'live', is_live: true }))).toBe(403)
    expect(await engine.openJobs()).toEqual([])
  })

  it('retries a job that fails twice until it is done', async () => {
    const { intent } = deliveries('fails_twice')
    expect(await endpoint.send(intent)).toBe(204)
    for (const status of [500, 503]) {
      const booking = await bookkeeping.next('fails_twice')
      booking.answer(status)
      await expect.poll(() => engine.makeDue({ isLastAttempt: false })).toBe(1)
    }
    ;(await bookkeeping.next('fails_twice')).answer(204)
    await worker.prints(new RegExp(`^done ${keyOf(intent)}$`, 'm'))
    await expect.poll(engine.openJobs).toEqual([])
    expect(await engine.deadLetters()).toEqual([])
  })

  it('keeps a job that always fails with the dead letters, where it can be retried', async () => {
    const { intent } = deliveries('always_fails')
    expect(await endpoint.send(intent)).toBe(204)
    for (const isLastAttempt of [true, false]) {
      const booking = await bookkeeping.next('always_fails')
      booking.answer(500)
      if (isLastAttempt) await expect.poll(() => engine.makeDue({ isLastAttempt })).toBe(1)
    }
    await expect.poll(engine.deadLetters).toEqual([keyOf(intent)])
    await engine.retryDeadLetters()
    ;(await bookkeeping.next('always_fails')).answer(204)
    await worker.prints(new RegExp(`^done ${keyOf(intent)}$`, 'm'))
    expect(await engine.deadLetters()).toEqual([])
  })

  it('reports an event that has no handler', async () => {
    const { unknown } = deliveries('unknown')
    expect(await endpoint.send(unknown)).toBe(204)
    await worker.prints(/no handler for intent\.created/)
  })

  it('runs the job of a worker that was killed again, with the same key', async () => {
    const { intent } = deliveries('killed')
    expect(await endpoint.send(intent)).toBe(204)
    const first = await bookkeeping.next('killed')
    expect(first.key).toBe('intent:killed:PROCESSED')
    await worker.end('SIGKILL')
    // The bookkeeping has booked it, and the worker does not learn about it.
    first.answer(204)
    await engine.releaseJobs()
    worker = startWorker()
    const second = await bookkeeping.next('killed')
    expect({ key: second.key, body: second.body }).toEqual({ key: first.key, body: first.body })
    second.answer(204)
    await worker.prints(new RegExp(`^done ${keyOf(intent)}$`, 'm'))
  })

  it('finishes the job of a worker that is stopped', async () => {
    const { intent } = deliveries('stopped')
    expect(await endpoint.send(intent)).toBe(204)
    const booking = await bookkeeping.next('stopped')
    const stopped = worker.end('SIGTERM')
    booking.answer(204)
    expect((await stopped).stdout).toContain(`done ${keyOf(intent)}`)
    expect(await engine.openJobs()).not.toContain(keyOf(intent))
    worker = startWorker()
  })

  it(`answers ${outage} while its server is down, and works again afterwards`, async () => {
    const { intent } = deliveries('down')
    await worker.end()
    await engine.server.kill()
    expect(await endpoint.send(intent)).toBe(outage)
    await engine.server.restart()
    await expect.poll(() => endpoint.send(intent)).toBe(204)
    worker = startWorker()
    ;(await bookkeeping.next('down')).answer(204)
  })

  return {
    engine: () => engine,
    endpoint: () => endpoint,
    startEndpoint,
    nextBooking: (id: string) => bookkeeping.next(id),
  }
}

interface Endpoint {
  readonly send: (delivery: Delivery) => Promise<number>
  readonly kill: () => Promise<unknown>
}

const ACCOUNT = transactionEvent().account.id

/** An id for each case, so that it has its own deliveries: both events of a payment, and one for which there is no handler. */
export function deliveries(id: string) {
  const [purchase, intent] = valid(SECRET, id)
  const unknown = sign(
    intentEvent({ type: 'intent.created', data: { intent_id: id, intent: { id } } }),
    SECRET,
  )
  return { purchase: purchase!, intent: intent!, unknown }
}

function intentDelivery(intent: {
  id: string
  status?: string
  account?: string
  is_live?: boolean
}): Delivery {
  return sign(intentEvent({ data: { intent_id: intent.id, intent } }), SECRET)
}

/** The key of a delivery that is recognized: the SHA-256 of the secret, the version, no reason, and the body. */
export function keyOf({ body }: Delivery): string {
  return sha256(`${sha256(SECRET)}\nv3\n\n${body}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

interface Booking {
  readonly key: string
  readonly body: { readonly intent: string }
  readonly answer: (status: number) => void
}

/** The service that the workers call. It answers when the test tells it to. */
async function startBookkeeping() {
  const requests: Booking[] = []
  const counts = new Map<string, number>()
  const news = new EventEmitter()
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const key = String(request.headers['idempotency-key'])
    const body = (await json(request)) as Booking['body']
    counts.set(body.intent, (counts.get(body.intent) ?? 0) + 1)
    requests.push({ key, body, answer: (status) => response.writeHead(status).end() })
    news.emit('request')
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next request for this intent. */
    async next(id: string): Promise<Booking> {
      for (;;) {
        const index = requests.findIndex(({ body }) => body.intent === id)
        if (index >= 0) return requests.splice(index, 1)[0]!
        await once(news, 'request')
      }
    },
    requestsFor: (id: string) => counts.get(id) ?? 0,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
