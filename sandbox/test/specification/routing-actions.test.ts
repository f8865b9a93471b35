import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { Service } from '../support/service.js'

const cit = {
  merchant_initiated: false,
  payment_type: 'UNSCHEDULED',
  recurring_data: { agreement_id: 'agr-1' },
}
const mit = { ...cit, merchant_initiated: true }

describe('Agreements', () => {
  it(
    'SMART_RECURRING_SETUP aims a CIT at a provider that is not covered yet',
    holds('smart-setup'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      const charge = { customer, card_token, ...cit, routing_action: 'SMART_RECURRING_SETUP' }
      const { data } = await service.intent(charge)
      expect(data).toMatchObject({ status: 'PROCESSED', transactions: [{ provider: 'north' }] })
      expect((await service.provider('north'))['coverage']).toHaveLength(1)
    },
  )

  it('our choice: once every provider that can be covered is, SMART_RECURRING_SETUP routes as without an action', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'PROVIDER', provider: 'east' })
    const both = await service.savedCard(customer)
    await service.intent({ customer, card_token: both, ...cit })
    await service.intent({ customer, card_token: both, ...cit, provider: 'south' })
    const charge = { customer, card_token, ...cit, routing_action: 'SMART_RECURRING_SETUP' }
    expect((await service.intent(charge)).data.transactions).toMatchObject([{ provider: 'east' }])
  })

  it(
    'SMART_RECURRING_PROCESSING sends an MIT to the provider that is covered',
    holds('smart-processing'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      await service.intent({ customer, card_token, ...cit })
      const charge = { customer, card_token, ...mit, routing_action: 'SMART_RECURRING_PROCESSING' }
      const { data } = await service.intent(charge)
      expect(data).toMatchObject({ status: 'PROCESSED', transactions: [{ provider: 'north' }] })
    },
  )

  it(
    'SMART_RECURRING_RECOVERY retries on another provider that is covered',
    holds('smart-recovery'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      await service.intent({ customer, card_token, ...cit })
      const failed = await service.intent({ customer, card_token, ...mit, provider: 'east' })
      expect(failed.data.status).toBe('FAILED')
      const charge = { customer, card_token, ...mit, routing_action: 'SMART_RECURRING_RECOVERY' }
      const { data } = await service.intent(charge)
      expect(data).toMatchObject({ status: 'PROCESSED', transactions: [{ provider: 'north' }] })
    },
  )

  it('our choice: SMART_RECURRING_RECOVERY fails if there is no other covered provider', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.intent({ customer, card_token, ...cit })
    await service.faults({ vault: 'down' })
    expect((await service.intent({ customer, card_token, ...mit })).data).toMatchObject({
      status: 'FAILED',
      transactions: [{ provider: 'north' }],
    })
    await service.faults({})
    const charge = { customer, card_token, ...mit, routing_action: 'SMART_RECURRING_RECOVERY' }
    const { data } = await service.intent(charge)
    expect(data).toMatchObject({
      status: 'FAILED',
      failure: 'There is no other provider that covers this agreement',
    })
  })

  it.each([
    ['no charge', []],
    ['a CIT', [cit]],
    ['a CIT and an MIT that succeeded', [cit, mit]],
  ])(
    'SMART_RECURRING_RECOVERY retries a failed charge: after %s it is refused',
    holds('smart-recovery'),
    async (_, before) => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      for (const fields of before) await service.intent({ customer, card_token, ...fields })
      const charge = { customer, card_token, ...mit, routing_action: 'SMART_RECURRING_RECOVERY' }
      const { code, status } = await service.intent(charge)
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ routing_action: 'needs an agreement whose last charge has failed' }])
      expect((await service.state())['intents']).toHaveLength(before.length)
    },
  )

  it.each([
    ['SMART_RECURRING_SETUP', 'south', []],
    ['SMART_RECURRING_SETUP', 'south', [cit]],
    ['SMART_RECURRING_SETUP', 'east', []],
  ])(
    '%s sends a PROVIDER token only to its own provider, %s: after %j',
    holds('provider-token', 'smart-setup'),
    async (routing_action, provider, before) => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer, { type: 'PROVIDER', provider })
      for (const fields of before) await service.intent({ customer, card_token, ...fields })
      const { data } = await service.intent({ customer, card_token, ...cit, routing_action })
      expect(data).toMatchObject({ status: 'PROCESSED', transactions: [{ provider }] })
    },
  )

  it('our choice: SMART_RECURRING_RECOVERY does not look at the failures of other agreements, accounts or modes', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.intent({ customer, card_token, ...cit })
    const live = service.composite(true)
    const liveCustomer = await service.customer({}, live)
    const liveCard = await service.savedCard(liveCustomer, { key: live })
    await service.intent({ customer: liveCustomer, card_token: liveCard, ...mit }, live)
    await service.intent({ customer, card_token, ...mit, recurring_data: { agreement_id: 'other' } })
    const charge = { customer, card_token, ...mit, routing_action: 'SMART_RECURRING_RECOVERY' }
    expect((await service.intent(charge)).code).toBe(400)
  })

  it.each([
    ['routing_action', { ...mit, routing_action: 'SMART_RECURRING_SETUP' }, 'is not for an MIT'],
    ['routing_action', { ...cit, routing_action: 'SMART_RECURRING_PROCESSING' }, 'is not for a CIT'],
    ['routing_action', { ...cit, routing_action: 'SMART_RECURRING_RECOVERY' }, 'is not for a CIT'],
    [
      'recurring_data',
      { routing_action: 'SMART_RECURRING_SETUP' },
      'is needed where routing_action is given',
    ],
    [
      'provider',
      { ...cit, provider: 'north', routing_action: 'SMART_RECURRING_SETUP' },
      'cannot be given together with routing_action',
    ],
  ])(
    'our choice: refuses fields that do not fit a routing action: %s of %j',
    async (field, fields, problem) => {
      const service = await Service.start()
      const customer = await service.customer()
      const card_token = await service.savedCard(customer)
      const { code, status } = await service.intent({ customer, card_token, ...fields })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ [field]: problem }])
      expect((await service.state())['intents']).toEqual([])
    },
  )
})
