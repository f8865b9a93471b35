import { describe, expect, it } from 'vitest'
import { Endpoint, fieldOf } from '../support/endpoint.js'
import { CIT, MIT, startWithCard, triesOf } from '../support/saved-card.js'
import { INTENTS, Service, type Answer } from '../support/service.js'

const DOWN = { north: 'down' }
const DECLINING = { providers: { north: 'declines' } }

describe('The provider of a charge', () => {
  // Specification: universal-token, provider-token, both-token, fail-over
  it.each<[type: string, faults: object, fields: object, expected: string, failure?: string]>([
    ['UNIVERSAL', {}, { provider: 'south' }, 'south SUCCESSFUL'],
    ['UNIVERSAL', {}, { provider: 'east' }, 'east SUCCESSFUL'],
    ['PROVIDER', {}, { provider: 'south' }, 'south SUCCESSFUL'],
    ['PROVIDER', {}, { provider: 'north' }, 'north FAILED', 'The token is scoped to another provider'],
    ['BOTH', {}, { provider: 'south' }, 'south SUCCESSFUL'],
    ['BOTH', {}, { provider: 'north' }, 'north SUCCESSFUL'],
    ['UNIVERSAL', {}, {}, 'north SUCCESSFUL'],
    ['UNIVERSAL', { providers: DOWN }, {}, 'north FAILED, south SUCCESSFUL'],
    ['UNIVERSAL', { vault: 'down' }, {}, 'north FAILED', 'The vault could not be reached'],
    ['UNIVERSAL', DECLINING, {}, 'north FAILED', 'The provider north declined the charge'],
    ['UNIVERSAL', { providers: DOWN }, { provider: 'north' }, 'north FAILED'],
    ['PROVIDER', {}, {}, 'south SUCCESSFUL'],
    ['PROVIDER', { vault: 'down' }, {}, 'south SUCCESSFUL'],
    ['PROVIDER', { providers: { south: 'down' } }, {}, 'south FAILED'],
    ['BOTH', {}, {}, 'north SUCCESSFUL'],
    ['BOTH', { providers: DOWN }, {}, 'north FAILED, south SUCCESSFUL'],
    ['BOTH', { vault: 'down' }, {}, 'south SUCCESSFUL'],
    ['BOTH', { vault: 'down', providers: DOWN }, {}, 'south SUCCESSFUL'],
    ['BOTH', { vault: 'down', providers: { south: 'down' } }, {}, 'south FAILED'],
    ['BOTH', { vault: 'down' }, { provider: 'north' }, 'north FAILED'],
  ])(
    'a %s token made at south, with the faults %j and the fields %j: %s',
    async (type, faults, fields, expected, failure) => {
      const { service, endpoint, charge } = await startWithCard({ type, provider: 'south' })
      await service.faults(faults)
      const answer = await charge(fields)
      expect(answer.code).toBe(200)
      expect(triesOf(answer).join(', ')).toBe(expected)
      expect(answer.data.status).toBe(expected.endsWith('FAILED') ? 'FAILED' : 'PROCESSED')
      if (failure !== undefined) expect(answer.data.failure).toBe(failure)
      await service.sandbox.idle()
      const first = expected.split(/[ ,]/)[1]!.toLowerCase()
      expect(endpoint.types[0]).toBe(`transaction.purchase.${first}`)
    },
  )

  it('our choice: a charge fails over in the order north, south, east; each try is a transaction of the intent', async () => {
    const { service, endpoint, charge } = await startWithCard()
    await service.faults({ providers: { north: 'down', south: 'down' } })
    expect(triesOf(await charge())).toEqual(['north FAILED', 'south FAILED', 'east SUCCESSFUL'])
    await service.sandbox.idle()
    const refused = 'transaction.purchase.failed'
    const paid = ['transaction.purchase.successful', 'intent.processed']
    expect(endpoint.types).toEqual([refused, refused, ...paid])
    const said = (ExtendedDescription: string) => ({ provider_transaction_fields: { ExtendedDescription } })
    expect(fieldOf(endpoint.events[3], 'data.intent.transactions_history')).toMatchObject([
      { status: 'FAILED', ...said('The provider north could not be reached') },
      { status: 'FAILED', ...said('The provider south could not be reached') },
      { status: 'SUCCESSFUL', provider_transaction_fields: { clearingInstituteName: 'east' } },
    ])
  })

  it('our choice: a typed card and the dedicated charge fail over, too; with every provider down, the payment fails', async () => {
    const { service, chargeDirectly } = await startWithCard()
    await service.faults({ providers: DOWN })
    expect(triesOf(await chargeDirectly())).toEqual(['north FAILED', 'south SUCCESSFUL'])
    const pay = async () => service.pay((await service.intent()).data.id)
    expect(triesOf(await pay())).toEqual(['north FAILED', 'south SUCCESSFUL'])
    await service.faults({ providers: { north: 'down', south: 'down', east: 'down' } })
    const answer = await pay()
    expect(answer.data.failure).toBe('The provider east could not be reached')
    expect(triesOf(answer)).toHaveLength(3)
  })

  it('our choice: an MIT fails over only to providers that cover its agreement', async () => {
    const { service, charge } = await startWithCard()
    await charge({ ...CIT, provider: 'north' })
    await service.faults({ providers: DOWN })
    expect(triesOf(await charge(MIT))).toEqual(['north FAILED'])
    await charge({ ...CIT, provider: 'south' })
    expect(triesOf(await charge(MIT))).toEqual(['north FAILED', 'south SUCCESSFUL'])
  })

  it('our choice: the answer of a charge waits 5 s for a slow provider, its events do not', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.faults({ providers: { north: 'slow' } })
    let answer: Answer | undefined
    const answering = service.pay(id).then((answered) => (answer = answered))
    await endpoint.until(2)
    service.clock.advance(4999)
    expect((await service.get(`${INTENTS}${id}/`)).data.status).toBe('PROCESSED')
    expect(answer).toBeUndefined()
    service.clock.advance(1)
    expect((await answering).data.status).toBe('PROCESSED')
  })

  it('our choice: a reset ends the wait for a slow provider', async () => {
    const service = await Service.start()
    await service.faults({ providers: { north: 'slow' } })
    const { id } = (await service.intent()).data
    const answer = service.pay(id)
    const status = async () => (await service.get(`${INTENTS}${id}/`)).data.status
    await expect.poll(status).toBe('PROCESSED')
    service.sandbox.reset()
    expect((await answer).data.status).toBe('PROCESSED')
  })
})
