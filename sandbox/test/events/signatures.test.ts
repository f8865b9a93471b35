import { verify } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Endpoint, type Received, status } from '../support/endpoint.js'
import { startPaid } from '../support/paid.js'
import { ACCOUNTS, type Data, Service, startWithEndpoint } from '../support/service.js'
import { digestsOf, partsOf } from '../support/signature.js'

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
    service.clock.advance(1000)
    await service.sandbox.idle()
    const [first, , second] = endpoint.received
    const { secret, apiKeys } = service.sandbox
    const { t, ...digests } = partsOf(second!)
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
    expect(Number(t)).toBe(Number(partsOf(first!).t) + 1)
    expect(digests).toEqual(digestsOf(second!.bytes, t, secret, apiKeys.account))
  })

  // Specification: v3, v2, v1
  it.each(['v3', 'v2', 'v1'] as const)(
    'has in %s the result of the documented steps, and the library verifies it',
    async (version) => {
      const { service, received } = await startPaid({
        amount: 10.5,
        custom_fields: { note: 'two words\nand a line', umlaut: 'fu\u00df' },
      })
      const { secret, apiKeys } = service.sandbox
      expect(received).toHaveLength(2)
      for (const { headers, bytes } of received) {
        const parts = partsOf({ headers })
        expect(parts[version]).toBe(digestsOf(bytes, parts.t, secret, apiKeys.account)[version])
        const { versions } = await verify(bytes, headers['service-signature'], {
          secret,
          apiKey: apiKeys.account,
          versions: [version],
          now: () => service.clock.now(),
        })
        expect(versions).toEqual([version])
      }
    },
  )
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
    for (const { headers, bytes } of received) {
      const { t, v1 } = partsOf({ headers })
      expect(v1).toBe(digestsOf(bytes, t, service.sandbox.secret, key).v1)
    }
  }

  async function accountKeys(service: Service): Promise<readonly Data[]> {
    const { keys } = (await service.post(`${KEYS}reveal/`)).data as unknown as { keys: Data[] }
    return keys.filter((key) => key['type'] === 'account')
  }

  // Specification: v1
  it.each([false, true])('is that which the intent was made with; live: %s', async (isLive) => {
    const service = await Service.start()
    const { api_key } = (await service.post(KEYS, { type: 'account', is_live: isLive })).data
    expectKey(service, await paidWith(service, api_key), api_key)
  })

  it('our choice: under an organization key it is the first of the account and the mode', async () => {
    const service = await Service.start()
    const { account, organization } = service.sandbox.apiKeys
    const live = (await service.post(KEYS, { type: 'account', is_live: true })).data.api_key
    const { id, api_key } = (await service.post(ACCOUNTS, { name: 'Other' }, organization)).data
    await service.post(KEYS, { type: 'account', account: id })
    for (const [key, expected] of [
      [service.composite(false), account],
      [service.composite(true), live],
      [service.composite(false, id), api_key],
    ] as const)
      expectKey(service, await paidWith(service, key), expected)
  })

  it('our choice: once it is revoked, it is another of the account', async () => {
    const service = await Service.start()
    const [first] = (await accountKeys(service)) as [Data]
    const { api_key } = (await service.post(KEYS, { type: 'account' })).data
    const revoke = () => service.post(`${KEYS}${first.id}/revoke/`)
    expectKey(service, await paidWith(service, first.api_key, revoke), api_key)
    expectKey(service, await paidWith(service, service.composite(false)), api_key)
  })

  it.each(['before the payment', 'before the retry'])(
    'our choice: it is never a revoked one: if the only one is revoked %s, one is made',
    async (when) => {
      const { service, endpoint } = await startWithEndpoint()
      endpoint.replyWith(status(500))
      const [only] = await accountKeys(service)
      const revoke = () => service.post(`${KEYS}${only!.id}/revoke/`)
      const isRevokedFirst = when === 'before the payment'
      if (isRevokedFirst) await revoke()
      const { id } = (await service.intent({ webhook_url: endpoint.url }, service.composite(false))).data
      await service.pay(id)
      await service.sandbox.idle()
      if (!isRevokedFirst) {
        await revoke()
        const [{ id: delivery }] = (await service.get('/_sandbox/newest/deliveries/')).list as [Data]
        const { data } = await service.get(`/_sandbox/deliveries/${delivery}/explain/`)
        expect(data).toMatchObject({ report: { ok: true } })
        expect(await accountKeys(service)).toHaveLength(1)
      }
      endpoint.received.length = 0
      service.clock.advance(1000)
      await service.sandbox.idle()
      const made = (await accountKeys(service)).filter((key) => !key.is_revoked)
      expect(made).toHaveLength(1)
      expect(endpoint.received).toHaveLength(2)
      expectKey(service, endpoint.received, made[0]!.api_key)
    },
  )
})
