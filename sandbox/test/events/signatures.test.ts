import { verify } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Endpoint, type Received, status } from '../support/endpoint.js'
import { startPaid } from '../support/paid.js'
import { ACCOUNTS, type Data, DECLINED, Service, startWithEndpoint } from '../support/service.js'
import { expectSigned, partsOf } from '../support/signature.js'

const KEYS = '/_sandbox/keys/'

describe('The Service-Signature header', () => {
  // Specification: header-name, header-value, all-versions
  it('is spelled like this, once, and has t, v1, v2 and v3, in this order', async () => {
    const { service, received } = await startPaid()
    const hex = '[0-9a-f]{64}'
    for (const { rawHeaders, headers } of received) {
      const names = rawHeaders.filter((name, i) => i % 2 === 0 && /^service-signature$/i.test(name))
      expect(names).toEqual(['Service-Signature'])
      expect(headers['service-signature']).toMatch(new RegExp(`^t=\\d{10},v1=${hex},v2=${hex},v3=${hex}$`))
      expect(partsOf({ headers }).t).toBe(String(Math.floor(service.clock.now() / 1000)))
    }
  })

  it('our choice: t is new on each attempt, and so are the signatures; the body is the same', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(500))
    await service.sent(endpoint.url)
    await service.pass(1000)
    const [first, , second] = endpoint.received
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
    expect(expectSigned(service, second!)).toBe(expectSigned(service, first!) + 1)
  })

  // Specification: v3, v2, v1
  it('has the results of the documented steps, and the library verifies each of them', async () => {
    const custom_fields = { note: 'two words\nand a line', umlaut: 'fu\u00df' }
    const { service, received } = await startPaid({ amount: 10.5, custom_fields })
    const { secret, apiKeys } = service.sandbox
    const versions = ['v1', 'v2', 'v3'] as const
    expect(received).toHaveLength(2)
    for (const each of received) {
      expectSigned(service, each)
      const options = { secret, apiKey: apiKeys.account, versions, now: service.clock.now }
      const verified = await verify(each.bytes, each.headers['service-signature'], options)
      expect(verified.versions).toEqual(versions)
    }
  })
})

describe('The key of v1', () => {
  /** What the endpoint gets of a payment that was made with this key. */
  async function paidWith(service: Service, key: string, before?: () => Promise<unknown>) {
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url }, key)).data
    await before?.()
    await service.pay(id)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    return endpoint.received
  }

  function expectKey(service: Service, received: readonly Received[], key: string): void {
    for (const each of received) expectSigned(service, each, { apiKey: key })
  }

  /** The account keys that are not revoked. */
  async function activeKeys(service: Service): Promise<readonly Data[]> {
    const { keys } = (await service.post(`${KEYS}reveal/`)).data as unknown as { keys: Data[] }
    return keys.filter((key) => key['type'] === 'account' && !key.is_revoked)
  }

  const revoke = (service: Service, { id }: Data) => service.post(`${KEYS}${id}/revoke/`)

  // Specification: v1
  it('is that which the intent was made with; our choice: else the first of the account and the mode', async () => {
    const service = await Service.start()
    const { account, organization } = service.sandbox.apiKeys
    const make = async (fields: object) =>
      (await service.post(KEYS, { type: 'account', ...fields })).data.api_key
    const [live, second] = [await make({ is_live: true }), await make({ is_live: true })]
    const { id, api_key } = (await service.post(ACCOUNTS, { name: 'Other' }, organization)).data
    const other = await make({ account: id })
    for (const [key, expected] of [
      [second, second],
      [other, other],
      [service.composite(false), account],
      [service.composite(true), live],
      [service.composite(false, id), api_key],
    ] as const)
      expectKey(service, await paidWith(service, key), expected)
  })

  it('our choice: once it is revoked, it is another of the account, or one that is made', async () => {
    const service = await Service.start()
    const [first] = (await activeKeys(service)) as [Data]
    const second = (await service.post(KEYS, { type: 'account' })).data
    const received = await paidWith(service, first.api_key, () => revoke(service, first))
    expectKey(service, received, second.api_key)
    expectKey(service, await paidWith(service, service.composite(false)), second.api_key)
    await revoke(service, second)
    const others = await paidWith(service, service.composite(false))
    const made = await activeKeys(service)
    expect(made).toHaveLength(1)
    expectKey(service, others, made[0]!.api_key)
  })

  it('our choice: if it is revoked before a retry, that has another; the first attempt is explained as before', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(500))
    const [delivery] = await service.sent(endpoint.url, { card: DECLINED })
    for (const key of await activeKeys(service)) await revoke(service, key)
    const { data } = await service.get(`/_sandbox/deliveries/${delivery!.id}/explain/`)
    expect(data).toMatchObject({ report: { ok: true } })
    expect(await activeKeys(service)).toEqual([])
    await service.pass(1000)
    const [made] = (await activeKeys(service)) as [Data]
    expectSigned(service, endpoint.received[1]!, { apiKey: made.api_key })
  })
})
