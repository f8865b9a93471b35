import { expect, it } from 'vitest'
import { manualClock } from '../../server/index.js'
import { Endpoint, status } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'
import { Service } from '../support/service.js'

interface Stored {
  readonly service: Service
  readonly intent: string
  readonly delivery: string
}

it.each<[string, (stored: Stored) => Promise<unknown>]>([
  ['a planned retry', ({ service }) => service.pass(1000)],
  ['a resend', ({ service, delivery }) => service.resend(delivery)],
  ['the payment of a stored intent', ({ service, intent }) => service.pay(intent)],
  ['a payment without a webhook_url', async ({ service }) => service.pay((await service.intent()).data.id)],
])('without allowRemote, a stored address elsewhere gets nothing by %s', async (_, send) => {
  const before = await Service.inFolder(temporaryFolder(), { allowRemote: true })
  const endpoint = await Endpoint.start()
  endpoint.replyWith(status(500))
  // It leads here, but counts as an address outside of this machine.
  const url = endpoint.url.replace('127.0.0.1', '0.0.0.0')
  await before.setDefaultEndpoint(url)
  const intent = (await before.intent({ webhook_url: url })).data.id
  const [delivery] = await before.compose({ url, template: 'purchase-successful' })
  await before.sandbox.idle()
  expect(endpoint.received).toHaveLength(1)
  const { dataFolder, close } = before.sandbox
  await close()

  const service = await Service.inFolder(dataFolder!, {}, manualClock(before.clock.now()))
  await send({ service, intent, delivery: delivery!.id })
  await service.sandbox.idle()
  const last = (await service.deliveries()).at(-1)!
  expect(last).toMatchObject({ cause: { cause: 'address' } })
  expect(last.attempts.at(-1)).toMatchObject({
    answer: null,
    error:
      'The address must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote',
  })
  expect(endpoint.received).toHaveLength(1)
})
