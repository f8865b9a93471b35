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
    const nowhere = 'http://127.0.0.1:1/'
    expect(await endpoints(service)).toEqual([])
    const sendLater = (url: string, fields?: object) => {
      service.clock.advance(1)
      return send(service, url, fields)
    }
    first.replyWith(ok, status(500), status(401), (response) => response.destroy())
    await sendLater(first.url)
    await sendLater(first.url)
    await sendLater(second.url, { tamper: true })
    await sendLater(first.url, { no_signature: true })
    const cut = await sendLater(first.url, { retries: true })
    // Nothing was sent there yet.
    await sendLater(nowhere, { sequence: 'delayed' })
    expect(await endpoints(service)).toMatchObject([
      { url: nowhere, deliveries: 1, pending: 1, success_rate: null, last: null },
      { url: first.url, deliveries: 4, pending: 1, success_rate: 1 / 3, last: { id: cut } },
      { url: second.url, deliveries: 1, success_rate: null, last: { url: second.url } },
    ])
    expect((await endpoints(service)).map((each) => each['forgeries_accepted'])).toEqual([0, 0, 1])
  })

  it('has the delivery of the last attempt, with the answer, the verdict and the cause', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const older = await send(service, endpoint.url)
    service.clock.advance(1000)
    await send(service, endpoint.url)
    service.clock.advance(1000)
    endpoint.replyWith(status(500))
    await service.resend(older)
    const last = { number: 2, status: 500, verdict: 'refused' }
    const cause = { title: 'Its handler, or a body parser?' }
    expect(await endpoints(service)).toMatchObject([{ last: { id: older, last, cause } }])
  })
})
