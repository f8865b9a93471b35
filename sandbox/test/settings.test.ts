import { describe, expect, it } from 'vitest'
import { startSandbox } from '../server/index.js'
import { Endpoint } from './support/endpoint.js'
import { CARD_TOKENS, DECLINED, Service } from './support/service.js'

const SETTINGS = '/_sandbox/settings/'

function put(service: Service, default_endpoint: unknown) {
  return service.call('PUT', SETTINGS, { body: { default_endpoint } })
}

describe('The default endpoint', () => {
  it('gets the events of intents without a webhook_url, and no others', async () => {
    const fallback = await Endpoint.start()
    const own = await Endpoint.start()
    const service = await Service.start({ defaultEndpoint: fallback.url, cardTokenEvents: true })
    const pay = async (fields: object) => {
      const { id } = (await service.intent(fields)).data
      await service.pay(id, { card: DECLINED })
      await service.sandbox.drained()
    }
    await pay({})
    await pay({ webhook_url: own.url })
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    await service.pay(id)
    await service.sandbox.drained()
    expect(fallback.types).toEqual(['transaction.purchase.failed', 'card_token.created'])
    expect(own.types).toEqual(['transaction.purchase.failed'])
    expect((await service.get('/_sandbox/overview/')).data['default_endpoint']).toBe(fallback.url)
  })

  it('is the one that is set when the event is sent', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent()).data
    expect((await put(service, endpoint.url)).data).toEqual({ default_endpoint: endpoint.url })
    await service.pay(id)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(2)
    const intent = await service.get(`/api/v1.4/payments/intent/${id}/`)
    expect(intent.data['webhook_url']).toBeNull()
    expect((await put(service, null)).data).toEqual({ default_endpoint: null })
    await service.pay((await service.intent()).data.id)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(2)
  })

  it('is that of the options again after a reset', async () => {
    const endpoint = await Endpoint.start()
    const service = await Service.start({ defaultEndpoint: endpoint.url })
    await put(service, null)
    expect((await service.get(SETTINGS)).data).toEqual({ default_endpoint: null })
    service.sandbox.reset()
    expect((await service.get(SETTINGS)).data).toEqual({ default_endpoint: endpoint.url })
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
    const { code, status } = await put(service, url)
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ default_endpoint: problem }])
    expect((await service.get(SETTINGS)).data).toEqual({ default_endpoint: null })
  })

  it.each([
    ['nowhere', '"defaultEndpoint" must be an address with http: or https:'],
    [
      'http://192.0.2.1/',
      '"defaultEndpoint" must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote',
    ],
    ['', '"defaultEndpoint" must be an address with http: or https:, got ""'],
  ])('cannot be started with %j', async (defaultEndpoint, message) => {
    await expect(startSandbox({ defaultEndpoint })).rejects.toThrow(new TypeError(message))
  })
})

describe('GET /_sandbox/overview/', () => {
  it('says which version it is, and where its data is', async () => {
    const service = await Service.start()
    const { version } = (await import('../package.json', { with: { type: 'json' } })).default
    expect((await service.get('/_sandbox/overview/')).data).toMatchObject({
      default_endpoint: null,
      version,
      is_persistent: false,
      data_folder: null,
    })
  })
})
