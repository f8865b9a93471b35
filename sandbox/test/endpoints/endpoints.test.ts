import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from '../support/endpoint.js'
import { type Data, Service, startWithEndpoint } from '../support/service.js'

async function endpoints(service: Service): Promise<readonly Data[]> {
  return (await service.get('/_sandbox/endpoints/')).data as unknown as readonly Data[]
}

async function send(service: Service, url: string, fields: object = {}): Promise<string> {
  const [delivery] = await service.compose({ url, payload: { type: 'a.b' }, retries: false, ...fields })
  await service.sandbox.idle()
  return delivery!.id
}

describe('The list of endpoints', () => {
  it('adds up what happened at each address, the last used one first', async () => {
    const { service, endpoint: first } = await startWithEndpoint()
    const second = await Endpoint.start()
    expect(await endpoints(service)).toEqual([])
    await send(service, first.url)
    first.replyWith(status(500))
    service.clock.advance(1000)
    await send(service, first.url)
    service.clock.advance(1000)
    await send(service, second.url, { tamper: true })
    first.replyWith(status(401))
    service.clock.advance(1000)
    await send(service, first.url, { no_signature: true })
    first.replyWith((response) => response.destroy())
    const cut = await send(service, first.url, { retries: true })
    expect(await endpoints(service)).toMatchObject([
      {
        url: first.url,
        deliveries: 4,
        pending: 1,
        success_rate: 1 / 3,
        forgeries_accepted: 0,
        last: expect.objectContaining({ id: cut }) as unknown,
      },
      {
        url: second.url,
        deliveries: 1,
        success_rate: null,
        forgeries_accepted: 1,
        last: expect.objectContaining({ url: second.url }) as unknown,
      },
    ])
  })

  it('has the delivery of the last attempt, with the answer, the verdict and the cause', async () => {
    const { service, endpoint } = await startWithEndpoint()
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

  it('accepts forgeries from the first that it accepts until it refuses one', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const verdict = async () => {
      service.clock.advance(1000)
      await send(service, endpoint.url)
      const [{ last }] = (await endpoints(service)) as [Data]
      const { cause, last: attempt } = last as { cause: { title: string } | null; last: { verdict: string } }
      return [attempt.verdict, cause?.title]
    }
    expect(await verdict()).toEqual(['accepted', undefined])
    const forged = await send(service, endpoint.url, { tamper: true })
    expect(await verdict()).toEqual(['accepts-forgeries', 'Your endpoint accepts forgeries'])
    service.clock.advance(1000)
    endpoint.replyWith(status(401), ok)
    await service.post(`/_sandbox/deliveries/${forged}/resend/`, { tamper: true })
    expect(await verdict()).toEqual(['accepted', undefined])
  })

  it('shows an address that nothing was sent to yet', async () => {
    const { service, endpoint } = await startWithEndpoint()
    await send(service, endpoint.url)
    service.clock.advance(1)
    await send(service, 'http://127.0.0.1:1/', { sequence: 'delayed' })
    expect(await endpoints(service)).toMatchObject([
      { deliveries: 1, pending: 1, success_rate: null, last: null },
      { url: endpoint.url },
    ])
  })
})
