import { describe, expect, it, vi } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import { INTENTS, Service } from '../support/service.js'

const cit = {
  merchant_initiated: false,
  payment_type: 'UNSCHEDULED',
  recurring_data: { agreement_id: 'agr-1' },
}
const mit = { ...cit, merchant_initiated: true }

async function startWithCard(options: { readonly type?: string; readonly provider?: string } = {}) {
  const service = await Service.start()
  const customer = await service.customer()
  const card_token = await service.savedCard(customer, options)
  const charge = async (fields: object) => (await service.intent({ customer, card_token, ...fields })).data
  const providersOf = ({ transactions }: Awaited<ReturnType<typeof charge>>) =>
    transactions.map(({ provider, status }) => `${provider} ${status}`)
  return { service, customer, card_token, charge, providersOf }
}

describe('Customers and saved cards', () => {
  it('only providers that support agreement mapping can hold coverage', holds('mapping'), async () => {
    const { service, charge } = await startWithCard()
    for (const provider of ['north', 'south', 'east']) {
      const recurring_data = { agreement_id: `agr-${provider}` }
      expect((await charge({ ...cit, recurring_data, provider })).status).toBe('PROCESSED')
    }
    const { list } = await service.get('/api/v1.4/providers/')
    expect(list).toMatchObject([
      { id: 'north', maps_agreements: true, agreements: ['agr-north'] },
      { id: 'south', maps_agreements: true, agreements: ['agr-south'] },
      { id: 'east', maps_agreements: false, agreements: [] },
    ])
  })

  it(
    'Smart Recurring Setup aims each CIT at a provider that is not covered yet',
    holds('smart-setup'),
    async () => {
      const { charge, providersOf } = await startWithCard()
      const setup = { ...cit, routing_action: 'SMART_RECURRING_SETUP' }
      expect(providersOf(await charge(setup))).toEqual(['north SUCCESSFUL'])
      expect(providersOf(await charge(setup))).toEqual(['south SUCCESSFUL'])
    },
  )

  it(
    'Smart Recurring Processing sends an MIT to a provider with coverage',
    holds('smart-processing'),
    async () => {
      const { charge, providersOf } = await startWithCard()
      await charge({ ...cit, provider: 'south' })
      const processing = { ...mit, routing_action: 'SMART_RECURRING_PROCESSING' }
      expect(providersOf(await charge(processing))).toEqual(['south SUCCESSFUL'])
    },
  )

  it(
    'Smart Recurring Recovery retries a failed recurring charge on another covered provider',
    holds('smart-recovery'),
    async () => {
      const { service, charge, providersOf } = await startWithCard()
      await charge({ ...cit, provider: 'north' })
      await charge({ ...cit, provider: 'south' })
      await service.faults({ providers: { north: 'rejects-stolen' } })
      const failed = await charge({ ...mit, routing_action: 'SMART_RECURRING_PROCESSING' })
      expect(failed.failure).toBe('The card is reported as stolen')
      expect(providersOf(failed)).toEqual(['north FAILED'])
      const recovered = await charge({ ...mit, routing_action: 'SMART_RECURRING_RECOVERY' })
      expect(providersOf(recovered)).toEqual(['south SUCCESSFUL'])
    },
  )

  it('a charge of a UNIVERSAL token succeeds although a provider is down', holds('fail-over'), async () => {
    const { service, charge } = await startWithCard()
    await service.faults({ providers: { north: 'down' } })
    expect((await charge({})).status).toBe('PROCESSED')
  })

  it('our choice: a charge fails over in the order north, south, east; each try is a transaction of the intent', async () => {
    const { service, charge, providersOf } = await startWithCard()
    const endpoint = await Endpoint.start()
    await service.faults({ providers: { north: 'down', south: 'down' } })
    const data = await charge({ webhook_url: endpoint.url })
    expect(data.status).toBe('PROCESSED')
    expect(providersOf(data)).toEqual(['north FAILED', 'south FAILED', 'east SUCCESSFUL'])
    await service.sandbox.idle()
    expect(endpoint.types).toEqual([
      'transaction.purchase.failed',
      'transaction.purchase.failed',
      'transaction.purchase.successful',
      'intent.processed',
    ])
    const { intent } = (
      endpoint.events[3] as unknown as { data: { intent: { transactions_history: object[] } } }
    ).data
    expect(intent.transactions_history).toMatchObject([
      {
        status: 'FAILED',
        provider_transaction_fields: { ExtendedDescription: 'The provider north could not be reached' },
      },
      { status: 'FAILED' },
      { status: 'SUCCESSFUL', provider_transaction_fields: { clearingInstituteName: 'east' } },
    ])
  })

  it(
    'a PROVIDER token can be charged only at its provider: it does not fail over',
    holds('provider-token'),
    async () => {
      const { service, charge, providersOf } = await startWithCard({ type: 'PROVIDER', provider: 'north' })
      await service.faults({ providers: { north: 'down' } })
      const data = await charge({})
      expect(data.failure).toBe('The provider north could not be reached')
      expect(providersOf(data)).toEqual(['north FAILED'])
    },
  )

  it('our choice: a BOTH token fails over as a UNIVERSAL one does', async () => {
    const { service, charge, providersOf } = await startWithCard({ type: 'BOTH', provider: 'north' })
    await service.faults({ providers: { north: 'down' } })
    expect(providersOf(await charge({}))).toEqual(['north FAILED', 'south SUCCESSFUL'])
  })

  it('our choice: an MIT fails over only to providers that cover its agreement', async () => {
    const { service, charge, providersOf } = await startWithCard()
    await charge({ ...cit, provider: 'north' })
    await service.faults({ providers: { north: 'down' } })
    expect(providersOf(await charge(mit))).toEqual(['north FAILED'])
    await charge({ ...cit, provider: 'south' })
    expect(providersOf(await charge(mit))).toEqual(['north FAILED', 'south SUCCESSFUL'])
  })

  it('our choice: a charge that names its provider does not fail over', async () => {
    const { service, charge, providersOf } = await startWithCard()
    await service.faults({ providers: { south: 'down' } })
    expect(providersOf(await charge({ provider: 'south' }))).toEqual(['south FAILED'])
  })

  it('our choice: a typed card fails over too; with every provider down, the payment fails', async () => {
    const service = await Service.start()
    await service.faults({ providers: { north: 'down' } })
    const { id } = (await service.intent()).data
    expect((await service.pay(id)).data.transactions).toMatchObject([
      { provider: 'north', status: 'FAILED' },
      { provider: 'south', status: 'SUCCESSFUL' },
    ])
    await service.faults({ providers: { north: 'down', south: 'down', east: 'down' } })
    const second = (await service.intent()).data
    const { data } = await service.pay(second.id)
    expect(data).toMatchObject({ status: 'FAILED', failure: 'The provider east could not be reached' })
    expect(data.transactions).toHaveLength(3)
  })

  it('our choice: a decline is final, so it does not fail over', async () => {
    const { service, charge, providersOf } = await startWithCard()
    await service.faults({ providers: { north: 'declines' } })
    const data = await charge({})
    expect(data.failure).toBe('The provider north declined the charge')
    expect(providersOf(data)).toEqual(['north FAILED'])
  })

  it('our choice: the answer of a charge waits 5 s for a slow provider, its events do not', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.faults({ providers: { north: 'slow' } })
    let isAnswered = false
    const answer = service.pay(id).then((answered) => {
      isAnswered = true
      return answered
    })
    await endpoint.until(2)
    service.clock.advance(4999)
    expect((await service.get(`${INTENTS}${id}/`)).data.status).toBe('PROCESSED')
    expect(isAnswered).toBe(false)
    service.clock.advance(1)
    expect((await answer).data.status).toBe('PROCESSED')
  })

  it('our choice: a reset ends the wait for a slow provider', async () => {
    const service = await Service.start()
    await service.faults({ providers: { north: 'slow' } })
    const { id } = (await service.intent()).data
    const answer = service.pay(id)
    await vi.waitUntil(async () => (await service.get(`${INTENTS}${id}/`)).data.status === 'PROCESSED')
    service.sandbox.reset()
    expect((await answer).data.status).toBe('PROCESSED')
  })

  it.each([{ west: 'down' }, { north: 'dead' }, { north: true }, 'down'])(
    'our choice: refuses unknown faults of providers: %j',
    async (providers) => {
      const service = await Service.start()
      expect((await service.call('PUT', '/_sandbox/faults/', { body: { providers } })).code).toBe(400)
    },
  )
})
