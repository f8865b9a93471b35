import { describe, expect, it } from 'vitest'
import { ACCOUNTS, CUSTOMERS, Service, SIGNATURE_KEY } from '../support/service.js'

describe('Accounts', () => {
  // Specification: accounts
  it('an organization contains accounts; organization and accounts have keys', async () => {
    const service = await Service.start()
    const { accountId, organizationId, apiKeys } = service.sandbox
    const state = await service.state()
    expect(state['organization']).toMatchObject({ id: organizationId })
    expect(state['accounts']).toMatchObject([{ id: accountId }])
    expect(state['keys']!.map(({ type, account }) => [type, account])).toEqual([
      ['account', accountId],
      ['organization', null],
    ])
    expect(new Set(Object.values(apiKeys)).size).toBe(3)
  })

  // Specification: organization-key
  it('accounts are created and listed with the organization key', async () => {
    const service = await Service.start()
    const { organization } = service.sandbox.apiKeys
    const { code, data } = await service.post(ACCOUNTS, { name: 'Berlin' }, organization)
    expect([code, data.name]).toEqual([200, 'Berlin'])
    const { list, count } = await service.get(ACCOUNTS, organization)
    expect(count).toBe(2)
    expect(list.map(({ id }) => id)).toEqual([service.sandbox.accountId, data.id])
    // Its keys work, and reach nothing of the first account.
    const customer = await service.customer()
    expect((await service.get(CUSTOMERS, data.api_key)).list).toEqual([])
    expect((await service.get(`${CUSTOMERS}${customer}/`, data.api_key)).code).toBe(400)
  })
})

describe('The signing secret', () => {
  // Specification: secret-response
  it('is in the documented envelope', async () => {
    const service = await Service.start()
    const { code, text } = await service.get(SIGNATURE_KEY)
    expect(code).toBe(200)
    expect(JSON.parse(text)).toEqual({
      status: { code: 200, message: 'OK', errors: [] },
      data: { webhook_signature_secret: service.sandbox.secret },
      count: 1,
      next: null,
      previous: null,
    })
  })

  // Specification: secret-constant, secret-organization-key
  it('does not change: an account key and a joined organization key get the same, in both modes', async () => {
    const service = await Service.start()
    for (const key of [service.sandbox.apiKeys.account, service.composite(false), service.composite(true)]) {
      const { data } = await service.get(SIGNATURE_KEY, key)
      expect(data.webhook_signature_secret).toBe(service.sandbox.secret)
    }
  })
})
