import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from '../support/endpoint.js'
import { Service, startWithEndpoint, type Data } from '../support/service.js'

async function endpoints(service: Service): Promise<readonly Data[]> {
  return (await service.get('/_sandbox/endpoints/')).data as unknown as readonly Data[]
}

async function send(service: Service, url: string, fields: object = {}): Promise<string> {
  const [delivery] = await service.compose({ url, payload: { type: 'a.b' }, retries: false, ...fields })
  await service.sandbox.idle()
  return delivery!.id
}

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000Z')

describe('The list of endpoints', () => {
  it('adds up what happened at each address, the last used one first', async () => {
    const { service, endpoint: first } = await startWithEndpoint()
    const second = await Endpoint.start()
    expect(await endpoints(service)).toEqual([])
    await send(service, first.url)
    first.replyWith(status(500))
    service.clock.advance(1000)
    const failed = await send(service, first.url)
    const failedAt = timeOf(service.clock.now())
    service.clock.advance(1000)
    const forgedAt = timeOf(service.clock.now())
    await send(service, second.url, { tamper: true })
    first.replyWith(status(401))
    service.clock.advance(1000)
    await send(service, first.url, { no_signature: true })
    first.replyWith((response) => response.destroy())
    const cut = await send(service, first.url, { retries: true })
    const now = timeOf(service.clock.now())
    const error = { type: 'a.b', attempts: 1, status: null, error: null }
    expect(await endpoints(service)).toMatchObject([
      {
        url: first.url,
        deliveries: 4,
        pending: 1,
        dead: 2,
        lost: 0,
        attempts: 4,
        accepted: 1,
        success_rate: 1 / 3,
        median_ms: 0,
        p95_ms: 0,
        last_at: now,
        last_errors: [
          { ...error, at: now, delivery: cut, error: 'socket hang up' },
          { ...error, at: failedAt, delivery: failed, status: 500 },
        ],
        forgeries_accepted: 0,
        last: expect.objectContaining({ id: cut }) as unknown,
      },
      {
        url: second.url,
        deliveries: 1,
        accepted: 0,
        success_rate: null,
        last_at: forgedAt,
        last_errors: [],
        forgeries_accepted: 1,
        last: expect.objectContaining({ url: second.url }) as unknown,
      },
    ])
  })

  it('has the delivery of the last attempt, with the answer, the verdict and the cause', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const older = await send(service, endpoint.url)
    service.clock.advance(1000)
    await send(service, endpoint.url)
    service.clock.advance(1000)
    endpoint.replyWith(status(500))
    await service.post(`/_sandbox/deliveries/${older}/resend/`)
    expect(await endpoints(service)).toMatchObject([
      {
        last: {
          id: older,
          last: { number: 2, status: 500, verdict: 'refused' },
          cause: { title: 'Its handler, or a body parser?' },
        },
      },
    ])
  })

  it('has the forgery that was accepted last, until another one is refused', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const last = async () => ((await endpoints(service))[0]!['last'] as Data).id
    const forged = await send(service, endpoint.url, { tamper: true })
    service.clock.advance(1000)
    const valid = await send(service, endpoint.url)
    expect(await last()).toBe(forged)
    service.clock.advance(1000)
    endpoint.replyWith(status(401))
    await service.post(`/_sandbox/deliveries/${forged}/resend/`, { tamper: true })
    service.clock.advance(1000)
    endpoint.replyWith(ok)
    await service.post(`/_sandbox/deliveries/${valid}/resend/`)
    expect(await last()).toBe(valid)
  })

  it('shows an address that nothing was sent to yet', async () => {
    const { service, endpoint } = await startWithEndpoint()
    await send(service, endpoint.url)
    service.clock.advance(1)
    await send(service, 'http://127.0.0.1:1/', { sequence: 'delayed' })
    const nothing = { attempts: 0, success_rate: null, median_ms: null, p95_ms: null, last_at: null }
    expect(await endpoints(service)).toMatchObject([
      { deliveries: 1, pending: 1, ...nothing, last: null },
      { url: endpoint.url },
    ])
  })

  it('shows how long answers take, and the newest error of the last 5 deliveries with one', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const ids: string[] = []
    for (const duration of [50, 10, 40, 20, 30, 60, 70, 80, 90, 100]) {
      endpoint.replyWith((response) => {
        service.clock.advance(duration)
        status(503)(response)
      })
      ids.push(await send(service, endpoint.url))
    }
    // An older delivery has the newest error.
    service.clock.advance(1)
    endpoint.replyWith(status(404))
    await service.resend(ids[0]!)
    const newest = { delivery: ids[0], attempts: 2, status: 404 }
    const others = ids.slice(-4).map((delivery) => ({ delivery, attempts: 1, status: 503 }))
    expect(await endpoints(service)).toMatchObject([
      { median_ms: 50, p95_ms: 100, last_errors: [newest, ...others.reverse()] },
    ])
  })
})
