import { expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { CARD_TOKENS, Service } from './support/service.js'

it('an event is sent to the webhook_url of a card token by default', async () => {
  const service = await Service.start()
  const endpoint = await Endpoint.start()
  const customer = await service.customer()
  const { id } = (await service.post(CARD_TOKENS, { customer, webhook_url: endpoint.url })).data
  await service.sandbox.idle()
  expect(endpoint.received).toEqual([])
  await service.pay(id)
  await service.sandbox.idle()
  expect(endpoint.types).toEqual(['card_token.created'])
})
