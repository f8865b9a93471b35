import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { Service } from '../support/service.js'

describe('Accounts and keys', () => {
  it(
    'an organization contains accounts; organization and accounts have keys',
    holds('accounts'),
    async () => {
      const service = await Service.start()
      const { accountId, organizationId, apiKeys } = service.sandbox
      const state = await service.state()
      expect(state['organization']).toMatchObject({ id: organizationId })
      expect(state['accounts']).toMatchObject([{ id: accountId }])
      const shown = state['keys']!.map(({ type, account }) => [type, account])
      expect(shown).toEqual([
        ['account', accountId],
        ['organization', null],
      ])
      expect(new Set(Object.values(apiKeys)).size).toBe(3)
    },
  )
})
