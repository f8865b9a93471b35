import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { Service } from '../support/service.js'

describe('Agreements', () => {
  it(
    'an agreement is one id of the merchant, under which each provider stores its own reference',
    holds('agreement-reference'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      const cit = { customer, card_token, merchant_initiated: false, payment_type: 'UNSCHEDULED' }
      await service.intent({ ...cit, recurring_data: { agreement_id: 'agr-1' } })
      const { accountId } = service.sandbox
      expect((await service.state())['agreements']).toMatchObject([
        { agreement_id: 'agr-1', account: accountId, is_live: false, customer, card_token },
      ])
      expect((await service.provider('north'))['coverage']).toMatchObject([
        {
          agreement_id: 'agr-1',
          account: accountId,
          is_live: false,
          reference: expect.stringMatching(/^ref_/) as string,
        },
      ])
    },
  )

  it(
    'a provider that does not support agreement mapping never holds coverage',
    holds('mapping', 'not-covered'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      const charge = { customer, card_token, provider: 'east', recurring_data: { agreement_id: 'agr-1' } }
      expect((await service.intent({ ...charge, merchant_initiated: false })).data.status).toBe('PROCESSED')
      expect(await service.provider('east')).toMatchObject({ maps_agreements: false, coverage: [] })
      const declined = await service.intent({ ...charge, merchant_initiated: true })
      expect(declined.data).toMatchObject({
        status: 'FAILED',
        failure: 'The provider east has no coverage of this agreement',
      })
    },
  )
})
