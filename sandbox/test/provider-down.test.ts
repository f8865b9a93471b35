import { describe, expect, it } from 'vitest'
import { CARD_TOKENS, Service } from './support/service.js'

describe('A card token while its provider is down', () => {
  it.each(['PROVIDER', 'BOTH'])('is not made as %s, and can be made later', async (card_token_type) => {
    const service = await Service.start()
    const customer = await service.customer()
    const body = { customer, card_token_type, provider: 'south' }
    const { id } = (await service.post(CARD_TOKENS, body)).data
    await service.faults({ providers: { south: 'down' } })
    const { data } = await service.pay(id)
    expect(data).toMatchObject({ status: 'FAILED', failure: 'The provider south could not be reached' })
    expect(data).not.toHaveProperty('card_token')
    expect((await service.state())['card_tokens']).toEqual([])
    await service.faults({})
    expect((await service.pay(id)).data).toMatchObject({ status: 'PROCESSED' })
  })

  it('is made as UNIVERSAL, which no provider holds', async () => {
    const service = await Service.start()
    await service.faults({ providers: { north: 'down', south: 'down', east: 'down' } })
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    expect((await service.pay(id)).data).toMatchObject({ status: 'PROCESSED' })
  })
})
