import { expect, it } from 'vitest'
import { status } from '../support/endpoint.js'
import { CARD_TOKENS, CUSTOMERS, Service, startWithEndpoint } from '../support/service.js'

it('the overview shows what there is, with keys and secret masked', async () => {
  const { service, endpoint } = await startWithEndpoint()
  endpoint.replyWith((response) => response.writeHead(204).end(), status(500))
  const customer = await service.customer()
  const card_token = await service.savedCard(customer)
  await service.intent({ customer, card_token, webhook_url: endpoint.url })
  await service.intent()
  await service.sandbox.idle()
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
  [{ type: 'public' }, 'type'],
  [{ type: 'account', account: 'acc_none' }, 'account'],
  [{ type: 'organization', account: 'acc' }, 'account'],
  [{ type: 'account', acount: 'acc' }, 'acount'],
])('a new key is refused with %j', async (body, field) => {
  const service = await Service.start()
  const { code, status } = await service.post('/_sandbox/keys/', body)
  expect(code).toBe(400)
  expect(Object.keys(status.errors[0]!)).toEqual([field])
  expect((await service.state())['keys']).toHaveLength(2)
})

it('a key may be revoked twice, and is not shown by that; one that does not exist is not found', async () => {
  const service = await Service.start()
  expect((await service.post('/_sandbox/keys/key_none/revoke/')).code).toBe(404)
  const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
  for (let i = 0; i < 2; i++) {
    const revoked = await service.post(`/_sandbox/keys/${data.id}/revoke/`)
    expect(revoked.data).toMatchObject({ is_revoked: true })
    expect(revoked.text).not.toContain(data.api_key)
  }
})
