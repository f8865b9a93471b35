import { parseArgs } from 'node:util'
import { expect, it } from 'vitest'
import { SANDBOX_ARGUMENTS, sandboxOptions } from '../src/command.js'
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

it.each([
  [[], true],
  [['--no-card-token-events'], false],
])('the command with %j has cardTokenEvents %s', (args, cardTokenEvents) => {
  const { values } = parseArgs({ args, options: SANDBOX_ARGUMENTS })
  expect(sandboxOptions(values)).toMatchObject({ cardTokenEvents })
})
