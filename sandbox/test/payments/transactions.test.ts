import { describe, expect, it } from 'vitest'
import { DECLINED, Service } from '../support/service.js'

const TRANSACTIONS = '/api/v1.4/transactions/'

describe('The API', () => {
  // Specification: account-key
  it('lists the transactions of an account and mode, and reads one', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    await service.pay(id, { card: DECLINED })
    await service.pay(id)
    const { list } = await service.get(TRANSACTIONS)
    const shown = { intent: id, amount: 10, amount_currency: 'EUR', is_live: false, provider: 'north' }
    expect(list).toMatchObject([
      { ...shown, status: 'FAILED', failure: 'The card was declined' },
      { ...shown, status: 'SUCCESSFUL', failure: null },
    ])
    const path = `${TRANSACTIONS}${list[0]!.id}/`
    expect((await service.get(path)).data).toEqual(list[0])
    for (const query of ['status=FAILED', `intent=${id}&limit=1`, 'provider=north&limit=1'])
      expect((await service.get(`${TRANSACTIONS}?${query}`)).list).toEqual([list[0]])
    expect((await service.get(`${TRANSACTIONS}?provider=south`)).list).toEqual([])
    const live = service.composite(true)
    expect((await service.get(TRANSACTIONS, live)).list).toEqual([])
    expect((await service.refuses(() => service.get(path, live), 404)).status.message).toBe(
      'Transaction not found. Check the id, and that it is from the same account and mode.',
    )
  })
})
