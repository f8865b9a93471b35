import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { CARD_TOKENS, DECLINED, Service, startWithEndpoint } from '../support/service.js'

async function defaultEndpointOf(service: Service): Promise<unknown> {
  return (await service.get('/_sandbox/overview/')).data['default_endpoint']
}

describe('The default endpoint', () => {
  it('gets the events of intents without a webhook_url, and no others', async () => {
    const fallback = await Endpoint.start()
    const options = { defaultEndpoint: fallback.url, cardTokenEvents: true }
    const { service, endpoint: own } = await startWithEndpoint(options)
    await service.pay((await service.intent()).data.id, { card: DECLINED })
    await service.sent(own.url, { card: DECLINED })
    const { id } = (await service.post(CARD_TOKENS, { customer: await service.customer() })).data
    await service.pay(id)
    await service.sandbox.drained()
    expect(fallback.types).toEqual(['transaction.purchase.failed', 'card_token.created'])
    expect(own.types).toEqual(['transaction.purchase.failed'])
  })

  it('is the one that is set when the event is sent, and not one of the intent', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const { id } = (await service.intent()).data
    expect((await service.setDefaultEndpoint(endpoint.url)).data).toMatchObject({
      default_endpoint: endpoint.url,
    })
    await service.pay(id)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(2)
    const intent = await service.get(`/api/v1.4/payments/intent/${id}/`)
    expect(intent.data['webhook_url']).toBeNull()
    await service.setDefaultEndpoint(null)
    await service.pay((await service.intent()).data.id)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(2)
  })

  it('is that of the options again after a reset', async () => {
    const defaultEndpoint = 'http://127.0.0.1:1/'
    const service = await Service.start({ defaultEndpoint })
    await service.setDefaultEndpoint(null)
    expect(await defaultEndpointOf(service)).toBeNull()
    service.sandbox.reset()
    expect(await defaultEndpointOf(service)).toBe(defaultEndpoint)
  })

  it.each([
    ['nowhere', 'must be an address with http: or https:'],
    [
      'http://192.0.2.1/',
      'must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote',
    ],
    [7, 'must be a string,null'],
  ])('cannot be %j', async (url, problem) => {
    const service = await Service.start()
    const { code, status } = await service.setDefaultEndpoint(url)
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ default_endpoint: problem }])
    expect(await defaultEndpointOf(service)).toBeNull()
  })
})
