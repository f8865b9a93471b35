import { verify } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Endpoint, type Received } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import { Service } from '../support/service.js'
import { digestsOf, partsOf } from '../support/signature.js'

interface Paid {
  readonly service: Service
  readonly endpoint: Endpoint
  readonly intentId: string
  readonly received: readonly Received[]
}

/** A payment of a customer with a name, and what the endpoint got of it. */
async function paid(options: { readonly fields?: object; readonly card?: string } = {}): Promise<Paid> {
  const { fields = {}, card } = options
  const service = await Service.start()
  const endpoint = await Endpoint.start()
  const customer = await service.customer({ first_name: 'Jane', last_name: 'Doe of Tallinn' })
  const { id } = (await service.intent({ customer, webhook_url: endpoint.url, ...fields })).data
  await service.pay(id, card === undefined ? undefined : { card })
  await service.sandbox.idle()
  return { service, endpoint, intentId: id, received: endpoint.received }
}

describe('Header', () => {
  it(
    'the header is t, v1, v2, v3, in this order, with all three versions',
    holds('header-value', 'all-versions'),
    async () => {
      const { service, received } = await paid()
      for (const { headers } of received) {
        const hex = '[0-9a-f]{64}'
        expect(headers['service-signature']).toMatch(new RegExp(`^t=\\d{10},v1=${hex},v2=${hex},v3=${hex}$`))
        expect(partsOf({ headers }).t).toBe(String(Math.floor(service.clock.now() / 1000)))
      }
    },
  )

  it('our choice: t is new on each attempt, and so are the signatures', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith((response) => response.writeHead(500).end())
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.idle()
    service.clock.advance(1000)
    await service.sandbox.idle()
    const [first, , second] = endpoint.received
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
    expect(Number(partsOf(second!).t)).toBe(Number(partsOf(first!).t) + 1)
    expect(partsOf(second!)).toMatchObject(
      digestsOf(second!.bytes, partsOf(second!).t, service.sandbox.secret, service.sandbox.apiKeys.account),
    )
  })
})

describe.each([
  ['Signature v3', 'v3'],
  ['Signature v2', 'v2'],
  ['Signature v1', 'v1'],
] as const)('%s', (_, version) => {
  const fields = { amount: 10.5, custom_fields: { note: 'two words\nand a line', umlaut: 'fu\u00df' } }

  it('the digest is the result of the documented steps over the bytes', holds(version), async () => {
    const { service, received } = await paid({ fields })
    expect(received).toHaveLength(2)
    for (const delivery of received) {
      const parts = partsOf(delivery)
      const { secret, apiKeys } = service.sandbox
      expect(parts[version]).toBe(digestsOf(delivery.bytes, parts.t, secret, apiKeys.account)[version])
    }
  })

  it('the library verifies it with the documented key', holds(version), async () => {
    const { service, received } = await paid({ fields })
    expect(received).toHaveLength(2)
    for (const { bytes, headers } of received) {
      const { versions } = await verify(bytes, headers['service-signature'], {
        secret: service.sandbox.secret,
        apiKey: service.sandbox.apiKeys.account,
        versions: [version],
        now: () => service.clock.now(),
      })
      expect(versions).toEqual([version])
    }
  })
})

describe('Signature v1', () => {
  async function v1Of(
    service: Service,
    key: string,
    change?: (id: string) => Promise<unknown>,
  ): Promise<Received> {
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url }, key)).data
    await change?.(id)
    await service.pay(id)
    await service.sandbox.idle()
    return endpoint.received[0]!
  }

  function expectKey(service: Service, received: Received, key: string): void {
    const { t, v1 } = partsOf(received)
    expect(v1).toBe(digestsOf(received.bytes, t, service.sandbox.secret, key).v1)
  }

  it('our choice: v1 is signed with the key that the intent was made with', async () => {
    const service = await Service.start()
    const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
    expectKey(service, await v1Of(service, data.api_key), data.api_key)
  })

  it('our choice: v1 of an intent under an organization key is signed with the first key of the account', async () => {
    const service = await Service.start()
    const { data } = await service.post(
      '/api/v1.4/accounts/',
      { name: 'Other' },
      service.sandbox.apiKeys.organization,
    )
    await service.post('/_sandbox/keys/', { type: 'account', account: data.id })
    expectKey(service, await v1Of(service, service.composite(false, data.id)), data.api_key)
  })

  it('our choice: v1 is signed with another key of the account once its key is revoked, if there is one', async () => {
    const service = await Service.start()
    const first = (await service.state())['keys']![0]!
    const { account } = service.sandbox.apiKeys
    const revoke = () => service.post(`/_sandbox/keys/${first.id}/revoke/`)
    const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
    expectKey(service, await v1Of(service, account, revoke), data.api_key)
    expectKey(service, await v1Of(service, service.composite(false)), data.api_key)
  })
})
