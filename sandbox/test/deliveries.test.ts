import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { manualClock, type Clock } from '../server/index.js'
import { Endpoint, never, ok, status } from './support/endpoint.js'
import { DECLINED, Service } from './support/service.js'
import { partsOf } from './support/signature.js'

const SECOND = 1000
const WAITS = [1 * SECOND, 5 * SECOND, 25 * SECOND, 120 * SECOND, 600 * SECOND]

/** A payment that fails, and so sends one event. */
async function oneDelivery(service: Service, url: string): Promise<string> {
  const { id } = (await service.intent({ webhook_url: url })).data
  await service.pay(id, { card: DECLINED })
  return (await service.get('/_sandbox/newest/deliveries/')).list[0]!.id
}

async function deliveryOf(service: Service, id: string) {
  return (await service.get(`/_sandbox/deliveries/${id}/`)).data
}

describe('The schedule of retries', () => {
  it.each([
    ['500', status(500)],
    ['404', status(404)],
    ['409', status(409)],
    ['304', status(304)],
    ['a connection that is cut', (response) => response.destroy()],
    [
      'an answer that is cut',
      (response) => {
        response.writeHead(200, { 'Content-Length': '10' })
        response.write('half', () => response.destroy())
      },
    ],
  ])('after %s it is tried again at 1 s, 5 s, 25 s, 2 min, 10 min, and then it is dead', async (_, reply) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(reply)
    const id = await oneDelivery(service, endpoint.url)
    for (const [retries, wait] of WAITS.entries()) {
      await service.sandbox.idle()
      expect(endpoint.received).toHaveLength(retries + 1)
      const delivery = await deliveryOf(service, id)
      expect(delivery).toMatchObject({ status: 'pending', attempt_count: retries + 1 })
      expect(Date.parse(delivery.next_attempt_at!)).toBe(service.clock.now() + wait)
      service.clock.advance(wait - 1)
      await service.sandbox.idle()
      expect(endpoint.received).toHaveLength(retries + 1)
      service.clock.advance(1)
    }
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(6)
    expect(await deliveryOf(service, id)).toMatchObject({ status: 'dead', next_attempt_at: null })
    service.clock.advance(3600 * SECOND)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(6)
  })

  it.each([200, 201, 204, 299])('%d is taken for yes', async (code) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith((response) => response.writeHead(code).end())
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.drained()
    expect(await deliveryOf(service, id)).toMatchObject({ status: 'delivered', attempt_count: 1 })
  })

  it('is over once an attempt is accepted', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(503), status(503), ok)
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    service.clock.advance(1 * SECOND)
    await service.sandbox.idle()
    service.clock.advance(5 * SECOND)
    await service.sandbox.drained()
    service.clock.advance(3600 * SECOND)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(3)
    expect(await deliveryOf(service, id)).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ answer: { status: 503 } }, { answer: { status: 503 } }, { answer: { status: 204 } }],
    })
  })

  it('is retried when no server listens', async () => {
    const service = await Service.start()
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await once(server.close(), 'close')
    const id = await oneDelivery(service, `http://127.0.0.1:${port}/`)
    await service.sandbox.idle()
    const delivery = await deliveryOf(service, id)
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ answer: null }] })
    expect(delivery.attempts[0]!.error).toContain('ECONNREFUSED')
  })

  it('waits 10 s for an answer, and no longer', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    const id = await oneDelivery(service, endpoint.url)
    await endpoint.until(1)
    service.clock.advance(10 * SECOND - 1)
    expect((await deliveryOf(service, id)).attempts).toEqual([])
    service.clock.advance(1)
    await service.sandbox.idle()
    expect(await deliveryOf(service, id)).toMatchObject({
      status: 'pending',
      attempts: [{ answer: null, error: 'There was no answer within 10 s', duration_ms: 10_000 }],
    })
  })

  it('waits no longer for an answer that does not end', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const begun = new Promise<void>((resolve) => {
      endpoint.replyWith((response) => {
        response.writeHead(200)
        response.write('It goes on', () => {
          resolve()
        })
      })
    })
    const id = await oneDelivery(service, endpoint.url)
    await begun
    service.clock.advance(10 * SECOND)
    await service.sandbox.idle()
    expect(await deliveryOf(service, id)).toMatchObject({
      status: 'pending',
      attempts: [{ error: 'There was no answer within 10 s' }],
    })
  })

  it('timeScale makes the schedule faster, and leaves the 10 s alone', async () => {
    const service = await Service.start({ timeScale: 1000 })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), never)
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    const { next_attempt_at } = await deliveryOf(service, id)
    expect(Date.parse(next_attempt_at!)).toBe(service.clock.now() + 1)
    service.clock.advance(1)
    await endpoint.until(2)
    service.clock.advance(9999)
    expect((await deliveryOf(service, id)).attempt_count).toBe(1)
    service.clock.advance(1)
    await service.sandbox.idle()
    expect((await deliveryOf(service, id)).attempt_count).toBe(2)
  })

  it('runs on the time of this machine, too', async () => {
    const service = await Service.start({ timeScale: 100_000 }, 'real time')
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500))
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(6)
    expect((await deliveryOf(service, id)).status).toBe('dead')
  })
})

describe('Sending', () => {
  it('follows no redirect', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const elsewhere = await Endpoint.start()
    endpoint.replyWith(status(307, { Location: elsewhere.url }))
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    expect(elsewhere.received).toEqual([])
    expect(await deliveryOf(service, id)).toMatchObject({
      status: 'pending',
      attempts: [{ answer: { status: 307, headers: { location: elsewhere.url } } }],
    })
  })

  it('sends shape B after the first attempt of shape A, whatever became of that', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never, ok)
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await endpoint.until(1)
    expect(endpoint.types).toEqual(['transaction.purchase.successful'])
    service.clock.advance(10 * SECOND)
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    service.clock.advance(1 * SECOND)
    await service.sandbox.drained()
    expect(endpoint.types.at(-1)).toBe('transaction.purchase.successful')
  })

  it('keeps the bytes, the headers and the answer of each attempt', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith((response) => response.writeHead(418, { 'X-Kind': 'teapot' }).end('x'.repeat(200_000)))
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    const delivery = await deliveryOf(service, id)
    const [received] = endpoint.received
    expect(delivery).toMatchObject({ type: 'transaction.purchase.failed', url: endpoint.url })
    expect(delivery.body).toBe(received!.bytes.toString())
    expect(delivery.attempts).toMatchObject([
      {
        body: received!.bytes.toString(),
        headers: {
          'Content-Type': 'application/json',
          'Service-Signature': received!.headers['service-signature'],
        },
        faults: [],
        answer: { status: 418, headers: { 'x-kind': 'teapot' }, body: 'x'.repeat(4096) },
        error: null,
      },
    ])
    expect(service.lines).toContain(`delivery ${id} transaction.purchase.failed pending: 418`)
  })

  it('lists deliveries in pages', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const ids = []
    for (let i = 0; i < 3; i++) ids.push(await oneDelivery(service, endpoint.url))
    const { list, count, next } = await service.get('/_sandbox/newest/deliveries/?limit=2')
    expect(list.map(({ id }) => id)).toEqual(ids.slice(1).reverse())
    expect(count).toBe(3)
    expect(next).toBe(`${service.sandbox.url}/_sandbox/newest/deliveries/?limit=2&offset=2`)
  })

  it('does not know a delivery that is not there', async () => {
    const service = await Service.start()
    expect((await service.get('/_sandbox/deliveries/dlv_none/')).code).toBe(404)
    expect((await service.post('/_sandbox/deliveries/dlv_none/resend/')).code).toBe(404)
  })
})

describe('Resending', () => {
  it('makes one attempt more, with a fresh t, and waits for the answer', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.drained()
    service.clock.advance(60 * SECOND)
    const { code, data } = await service.post(`/_sandbox/deliveries/${id}/resend/`)
    expect(code).toBe(200)
    expect(data).toMatchObject({ status: 'delivered', attempt_count: 2 })
    const [first, second] = endpoint.received
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
    expect(Number(partsOf(second!).t) - Number(partsOf(first!).t)).toBe(60)
  })

  it('takes a pending delivery off the schedule, if it is accepted', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), ok)
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    const { data } = await service.post(`/_sandbox/deliveries/${id}/resend/`, {})
    expect(data).toMatchObject({ status: 'delivered', next_attempt_at: null })
    service.clock.advance(3600 * SECOND)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
  })

  it('that is accepted is not undone by an attempt that fails later', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never, ok)
    const id = await oneDelivery(service, endpoint.url)
    await endpoint.until(1)
    expect((await service.post(`/_sandbox/deliveries/${id}/resend/`)).data.status).toBe('delivered')
    service.clock.advance(10 * SECOND)
    await service.sandbox.drained()
    expect(await deliveryOf(service, id)).toMatchObject({
      status: 'delivered',
      attempt_count: 2,
      next_attempt_at: null,
    })
    service.clock.advance(3600 * SECOND)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
  })

  it('leaves the schedule alone, if it is not', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), status(500), ok)
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    const { data } = await service.post(`/_sandbox/deliveries/${id}/resend/`)
    expect(data.status).toBe('pending')
    expect(Date.parse(data.next_attempt_at!)).toBe(service.clock.now() + 1 * SECOND)
    service.clock.advance(1 * SECOND)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(3)
  })

  it('revives a dead delivery, if it is accepted', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(...WAITS.map(() => status(500)), status(500), status(500), ok)
    const id = await oneDelivery(service, endpoint.url)
    for (const wait of WAITS) {
      await service.sandbox.idle()
      service.clock.advance(wait)
    }
    await service.sandbox.drained()
    expect((await service.post(`/_sandbox/deliveries/${id}/resend/`)).data.status).toBe('dead')
    expect((await service.post(`/_sandbox/deliveries/${id}/resend/`)).data.status).toBe('delivered')
  })

  it.each([{ tamper: true }, { stale: true }])(
    '%j that is accepted does not count as delivered, and the next retry is made',
    async (body) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      endpoint.replyWith(status(500), ok)
      const id = await oneDelivery(service, endpoint.url)
      await service.sandbox.idle()
      const { data } = await service.post(`/_sandbox/deliveries/${id}/resend/`, body)
      expect(data).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) as string })
      service.clock.advance(1 * SECOND)
      await service.sandbox.drained()
      expect(endpoint.received).toHaveLength(3)
    },
  )

  it('takes nothing but what it knows', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.drained()
    for (const body of [{ tampered: true }, { tamper: 'yes' }, [], null]) {
      expect((await service.post(`/_sandbox/deliveries/${id}/resend/`, body)).code).toBe(400)
    }
    expect(endpoint.received).toHaveLength(1)
  })
})

describe('The end', () => {
  it('reset breaks off what is under way, and forgets what was to come', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), never)
    await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await endpoint.until(2)
    const { drained } = service.sandbox
    const before = drained()
    service.sandbox.reset()
    await before
    service.clock.advance(3600 * SECOND)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    expect(await service.deliveries()).toEqual([])
  })

  it('close ends every waiting call', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    await oneDelivery(service, endpoint.url)
    await endpoint.until(1)
    const waiting = [service.sandbox.idle(), service.sandbox.drained()]
    await service.sandbox.close()
    await Promise.all(waiting)
    await service.sandbox.close()
    await expect(fetch(service.sandbox.url)).rejects.toThrow('fetch failed')
  })

  it('a resend that comes too late is not sent', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    await service.faults({ deliveries: { duplicate: true } })
    await oneDelivery(service, endpoint.url)
    await endpoint.until(1)
    const idle = service.sandbox.idle()
    service.sandbox.reset()
    await idle
    expect(endpoint.received).toHaveLength(1)
  })
})

describe('Alarms', () => {
  /** A clock that knows how many alarms are set. */
  function countingClock() {
    const clock = manualClock()
    const alarms = new Set<object>()
    const after: Clock['after'] = (milliseconds, callback) => {
      const alarm = {}
      alarms.add(alarm)
      const cancel = clock.after(milliseconds, () => {
        alarms.delete(alarm)
        callback()
      })
      return () => {
        alarms.delete(alarm)
        cancel()
      }
    }
    return { ...clock, after, alarms }
  }

  it('none is left once a delivery is over', async () => {
    const clock = countingClock()
    const service = await Service.start({ clock })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), ok)
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    expect(clock.alarms.size).toBe(1)
    await service.post(`/_sandbox/deliveries/${id}/resend/`)
    expect(clock.alarms.size).toBe(0)
  })

  it.each([
    ['a retry', {}, status(500)],
    ['an attempt that is under way', {}, never],
    ['an attempt that is held back', { delayMs: 1000 }, ok],
  ])('none is left of %s after a reset', async (_, deliveries, reply) => {
    const clock = countingClock()
    const service = await Service.start({ clock })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(reply)
    await service.faults({ deliveries })
    await oneDelivery(service, endpoint.url)
    if (reply === never) await endpoint.until(1)
    else await service.sandbox.idle()
    expect(clock.alarms.size).toBe(1)
    const { idle } = service.sandbox
    const ended = idle()
    service.sandbox.reset()
    await ended
    expect(clock.alarms.size).toBe(0)
  })

  it('none is left of a slow answer whose caller has gone', async () => {
    const clock = countingClock()
    const service = await Service.start({ clock })
    await service.faults({ secretEndpoint: { mode: 'slow' } })
    const { port } = new URL(service.sandbox.url)
    const caller = connect(Number(port), '127.0.0.1')
    caller.write(
      'GET /api/v1/organizations/get-webhook-signature-key/ HTTP/1.1\r\nHost: localhost\r\n' +
        `X-Api-Key: ${service.sandbox.apiKeys.account}\r\n\r\n`,
    )
    while (clock.alarms.size === 0) await service.state()
    caller.destroy()
    while (clock.alarms.size > 0) await service.state()
  })
})
