import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { manualClock, type Clock } from '../../server/index.js'
import { cut, never, ok, status, type Reply } from '../support/endpoint.js'
import { DECLINED, Service, SIGNATURE_KEY, startWithEndpoint } from '../support/service.js'

const SECOND = 1000
const HOUR = 3600 * SECOND
const WAITS = [1 * SECOND, 5 * SECOND, 25 * SECOND, 120 * SECOND, 600 * SECOND]

/** A payment that fails, and so sends one event: the id of its delivery. */
async function oneDelivery(service: Service, url: string): Promise<string> {
  await service.order(url, { card: DECLINED })
  return (await service.get('/_sandbox/newest/deliveries/')).list[0]!.id
}

describe('The schedule of retries', () => {
  it.each<[string, Reply]>([
    ['500', status(500)],
    ['a redirect, which it does not follow', status(307, { Location: '/webhooks' })],
    ['a connection that is cut', (response) => response.destroy()],
    ['an answer that is cut', cut],
  ])('after %s it is tried again at 1 s, 5 s, 25 s, 2 min, 10 min, and then it is dead', async (_, reply) => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(reply)
    const id = await oneDelivery(service, endpoint.url)
    for (const [retries, wait] of WAITS.entries()) {
      await service.sandbox.idle()
      const delivery = await service.delivery(id)
      expect(delivery).toMatchObject({ status: 'pending', attempt_count: retries + 1 })
      expect(Date.parse(delivery.next_attempt_at!)).toBe(service.clock.now() + wait)
      await service.pass(wait - 1)
      expect(endpoint.received).toHaveLength(retries + 1)
      service.clock.advance(1)
    }
    await service.sandbox.drained()
    await service.pass(HOUR)
    expect(endpoint.received).toHaveLength(6)
    expect(await service.delivery(id)).toMatchObject({ status: 'dead', next_attempt_at: null })
  })

  it.each([200, 299])('ends once an attempt is answered %d', async (code) => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(503), (response) => response.writeHead(code).end())
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    await service.pass(1 * SECOND)
    await service.pass(HOUR)
    expect(endpoint.received).toHaveLength(2)
    expect(await service.delivery(id)).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      schedule: [{ state: 'made' }, { state: 'made' }],
      attempts: [{ answer: { status: 503 } }, { answer: { status: code } }],
    })
  })

  it('has the attempts that were made and those that follow, timeScale times as fast', async () => {
    const { service, endpoint } = await startWithEndpoint({ timeScale: 10 })
    endpoint.replyWith(status(500))
    const start = service.clock.now()
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    await service.pass(100)
    const schedule = (await service.delivery(id))['schedule'] as readonly { at: string; state: string }[]
    expect(schedule.map(({ at, state }) => [Date.parse(at) - start, state])).toEqual([
      [0, 'made'],
      [100, 'made'],
      [600, 'planned'],
      [3100, 'planned'],
      [15_100, 'planned'],
      [75_100, 'planned'],
    ])
  })
})

describe('An attempt', () => {
  it.each<[string, Reply]>([
    ['an answer', never],
    ['the end of an answer', (response) => response.writeHead(200).write('It continues')],
  ])('waits 10 s for %s, whatever timeScale is', async (_, reply) => {
    const { service, endpoint } = await startWithEndpoint({ timeScale: 1000 })
    endpoint.replyWith(reply)
    const id = await oneDelivery(service, endpoint.url)
    await endpoint.until(1)
    service.clock.advance(10 * SECOND - 1)
    expect((await service.delivery(id)).attempts).toEqual([])
    await service.pass(1)
    expect(await service.delivery(id)).toMatchObject({
      status: 'pending',
      attempts: [{ answer: null, error: 'There was no answer within 10 s', duration_ms: 10_000 }],
    })
  })

  it('is stored with its bytes, its headers, and the first 4 KiB of the answer', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith((response) => response.writeHead(418, { 'X-Kind': 'teapot' }).end('x'.repeat(200_000)))
    const id = await oneDelivery(service, endpoint.url)
    await service.sandbox.idle()
    const [received] = endpoint.received
    const body = received!.bytes.toString()
    const signature = received!.headers['service-signature']
    const headers = { 'Content-Type': 'application/json', 'Service-Signature': signature }
    const answer = { status: 418, headers: { 'x-kind': 'teapot' }, body: 'x'.repeat(4096) }
    expect(await service.delivery(id)).toMatchObject({
      type: 'transaction.purchase.failed',
      url: endpoint.url,
      body,
      attempts: [{ body, headers, faults: [], answer, error: null }],
    })
    expect(service.lines).toContain(`delivery ${id} transaction.purchase.failed pending: 418`)
  })
})

it('the intent event is sent after the first attempt of the transaction event, even if that failed', async () => {
  const { service, endpoint } = await startWithEndpoint()
  endpoint.replyWith(never, ok)
  await service.order(endpoint.url)
  await endpoint.until(1)
  expect(endpoint.types).toEqual(['transaction.purchase.successful'])
  await service.pass(10 * SECOND)
  await service.pass(1 * SECOND)
  expect(endpoint.types.slice(1)).toEqual(['intent.processed', 'transaction.purchase.successful'])
})

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

describe('The end of the schedule', () => {
  it('close ends every waiting call', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(never)
    await oneDelivery(service, endpoint.url)
    await endpoint.until(1)
    const waiting = [service.sandbox.idle(), service.sandbox.drained()]
    await service.sandbox.close()
    await Promise.all(waiting)
    await service.sandbox.close()
    await expect(fetch(service.sandbox.url)).rejects.toThrow('fetch failed')
  })

  it.each([
    ['a retry', {}, status(500)],
    ['an attempt that is under way', {}, never],
    ['the second of two attempts', { duplicate: true }, never],
    ['an attempt that is delayed', { delayMs: 1000 }, ok],
  ])('a reset cancels %s, and leaves no alarm', async (_, deliveries, reply) => {
    const clock = countingClock()
    const { service, endpoint } = await startWithEndpoint({ clock })
    endpoint.replyWith(reply)
    await service.faults({ deliveries })
    await oneDelivery(service, endpoint.url)
    if (reply === never) await endpoint.until(1)
    else await service.sandbox.idle()
    expect(clock.alarms.size).toBe(1)
    const before = endpoint.received.length
    const { idle, drained, reset } = service.sandbox
    const ended = [idle(), drained()]
    reset()
    await Promise.all(ended)
    expect(clock.alarms.size).toBe(0)
    expect(endpoint.received).toHaveLength(before)
    expect(await service.deliveries()).toEqual([])
  })

  it('leaves no alarm of a slow answer whose caller has gone', async () => {
    const clock = countingClock()
    const service = await Service.start({ clock })
    await service.faults({ secretEndpoint: { mode: 'slow' } })
    const caller = connect(Number(new URL(service.sandbox.url).port), '127.0.0.1')
    await once(caller, 'connect')
    const key = service.sandbox.apiKeys.account
    caller.write(`GET ${SIGNATURE_KEY} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n\r\n`)
    while (clock.alarms.size === 0) await service.state()
    caller.destroy()
    while (clock.alarms.size > 0) await service.state()
  })
})
