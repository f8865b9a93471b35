import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { CARD_TOKENS, CUSTOMERS, DECLINED, Service, startWithEndpoint } from '../support/service.js'

it('the overview shows what there is, with keys and secret masked', async () => {
  const service = await Service.start()
  await service.faults({ vault: 'down' })
  const { data, text } = await service.get('/_sandbox/overview/')
  const { url, secret, apiKeys, accountId, organizationId } = service.sandbox
  for (const key of [secret, ...Object.values(apiKeys)]) expect(text).not.toContain(key)
  const masked = (key: string) => key.replace(/[^_]+(?=.{4}$)/, '...')
  const { version } = (await import('../../package.json', { with: { type: 'json' } })).default
  expect(data).toMatchObject({
    url,
    version,
    organization: { id: organizationId, webhook_signature_secret: masked(secret) },
    accounts: [{ id: accountId, name: 'First account' }],
    keys: [
      { api_key: masked(apiKeys.account), public_api_key: masked(apiKeys.public) },
      { api_key: masked(apiKeys.organization), public_api_key: null },
    ],
    faults: { vault: 'down' },
    default_endpoint: null,
    data_folder: null,
    keep: 10_000,
  })
})

it('a reset returns to the state of the start, after which everything comes as it came first', async () => {
  const service = await Service.start()
  const atStart = await service.state()
  const { data: overview } = await service.get('/_sandbox/overview/')
  const { secret, apiKeys } = service.sandbox
  const first = await service.customer()
  const card = await service.savedCard(first)
  await service.faults({ vault: 'down' })
  await service.post('/_sandbox/secret/rotate/')
  await service.post('/_sandbox/keys/', { type: 'account' })
  await service.post(`/_sandbox/keys/${atStart['keys']![0]!.id}/revoke/`)
  // An empty body may have a Content-Type.
  expect((await service.call('POST', '/_sandbox/reset', { body: '' })).data).toEqual(overview)
  expect(await service.state()).toEqual(atStart)
  expect(service.sandbox).toMatchObject({ secret, apiKeys })
  expect((await service.get(`${CUSTOMERS}${first}/`)).code).toBe(400)
  expect((await service.get(`${CARD_TOKENS}${card}/`)).code).toBe(404)
  expect(await service.customer()).toBe(first)
})

it('revealed keys and the revealed secret are in the answer in full, and not in the log', async () => {
  const service = await Service.start()
  await service.post('/_sandbox/secret/rotate/')
  const { data } = await service.post('/_sandbox/keys/reveal/')
  const { secret, apiKeys } = service.sandbox
  expect(data).toMatchObject({
    webhook_signature_secret: secret,
    keys: [
      { api_key: apiKeys.account, public_api_key: apiKeys.public },
      { api_key: apiKeys.organization, public_api_key: null },
    ],
  })
  for (const key of [secret, ...Object.values(apiKeys)]) expect(service.lines.join()).not.toContain(key)
})

it.each([
  [{}, 'type'],
  [{ type: 'account', account: 'acc_none' }, 'account'],
  [{ type: 'organization', account: 'acc' }, 'account'],
])('a new key is refused with %j', async (body, field) => {
  const service = await Service.start()
  const { status } = await service.refuses(() => service.post('/_sandbox/keys/', body), 400)
  expect(Object.keys(status.errors[0]!)).toEqual([field])
})

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

  it('must be an address on this machine', async () => {
    const service = await Service.start()
    for (const url of ['nowhere', 'http://192.0.2.1/', 7]) {
      const { code, status } = await service.setDefaultEndpoint(url)
      expect([code, Object.keys(status.errors[0]!)]).toEqual([400, ['default_endpoint']])
    }
    expect(await defaultEndpointOf(service)).toBeNull()
  })
})
