import { describe, expect, it } from 'vitest'
import { manualClock } from '../server/index.js'
import { Endpoint, status } from './support/endpoint.js'
import { temporaryFolder } from './support/folder.js'
import { Service } from './support/service.js'

const REFUSED =
  'The address must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote'

/** A sandbox without `allowRemote` in a folder that one with it has used, and the endpoint that this one sent to. */
async function restarted() {
  const before = await Service.inFolder(temporaryFolder(), { allowRemote: true })
  const endpoint = await Endpoint.start()
  endpoint.replyWith(status(500))
  // It leads here, but counts as an address outside of this machine.
  const url = endpoint.url.replace('127.0.0.1', '0.0.0.0')
  await before.call('PUT', '/_sandbox/settings/', { body: { default_endpoint: url } })
  const intent = (await before.intent({ webhook_url: url })).data.id
  const composed = await before.post('/_sandbox/compose/', { url, template: 'purchase-successful' })
  const [delivery] = composed.data['deliveries'] as readonly { readonly id: string }[]
  await before.sandbox.idle()
  expect(endpoint.received).toHaveLength(1)
  const { dataFolder, close } = before.sandbox
  await close()
  const service = await Service.inFolder(dataFolder!, {}, manualClock(before.clock.now()))
  return { service, endpoint, intent, delivery: delivery!.id }
}

describe('A sandbox that was started without allowRemote sends nothing to a stored address elsewhere', () => {
  it('by a planned retry', async () => {
    const { service, endpoint } = await restarted()
    service.clock.advance(1000)
    await service.sandbox.idle()
    const [delivery] = await service.deliveries()
    expect(delivery!.attempts.map(({ error }) => error)).toEqual([null, REFUSED])
    expect(endpoint.received).toHaveLength(1)
  })

  it('by a resend', async () => {
    const { service, endpoint, delivery } = await restarted()
    const { data } = await service.post(`/_sandbox/deliveries/${delivery}/resend/`)
    expect(data.attempts.at(-1)).toMatchObject({ answer: null, error: REFUSED })
    expect(endpoint.received).toHaveLength(1)
  })

  it('by the payment of a stored intent', async () => {
    const { service, endpoint, intent } = await restarted()
    await service.pay(intent)
    await service.sandbox.idle()
    expect((await service.deliveries()).at(-1)!.attempts).toMatchObject([{ error: REFUSED }])
    expect(endpoint.received).toHaveLength(1)
  })

  it('by the payment of a new intent without a webhook_url', async () => {
    const { service, endpoint } = await restarted()
    await service.pay((await service.intent()).data.id)
    await service.sandbox.idle()
    expect((await service.deliveries()).at(-1)!.attempts).toMatchObject([{ error: REFUSED }])
    expect(endpoint.received).toHaveLength(1)
  })
})
