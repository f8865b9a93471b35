import { describe, expect, it } from 'vitest'
import { CARD, CARD_TOKENS, Service } from '../support/service.js'

describe('Client SDK calls', () => {
  it('saveCard true needs allow_tokenize_card on the intent', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const plain = (await service.intent({ customer })).data
    expect((await service.pay(plain.id, { card: CARD, saveCard: true })).code).toBe(400)
    const { data } = await service.intent({ customer, allow_tokenize_card: true })
    const paid = await service.pay(data.id, { card: CARD, saveCard: true })
    expect(paid.data.card_token).toMatch(/^tok_/)
  })

  it('with allow_tokenize_card the card is saved only if saveCard says so', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { data } = await service.intent({ customer, allow_tokenize_card: true })
    expect((await service.pay(data.id)).data).not.toHaveProperty('card_token')
  })

  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])(
    'a card intent of the type %s yields such a token',
    async (type) => {
      const service = await Service.start()
      const customer = await service.customer()
      const { data } = await service.post(CARD_TOKENS, { customer, card_token_type: type })
      const { card_token } = (await service.pay(data.id)).data
      expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data.card_token_type).toBe(type)
    },
  )
})
