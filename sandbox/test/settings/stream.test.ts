import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../server/index.js'
import { joined, type ChangeMessage } from '../../server/settings/stream.js'
import { ACCOUNTS, CARD_TOKENS, Service, startWithEndpoint, type Answer } from '../support/service.js'

/** Listens to the changes of a sandbox. `until` resolves to everything that was heard once a text came. */
async function listen(service: Service) {
  const sent = get(`${service.sandbox.url}/_sandbox/stream`, { agent: false })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  onTestFinished(() => {
    response.destroy()
  })
  let heard = ''
  response.setEncoding('utf8').on('data', (text: string) => (heard += text))
  const until = async (text: string) => {
    while (!heard.includes(text)) await once(response, 'data')
    return heard
  }
  return { response, until }
}

describe('GET /_sandbox/stream', () => {
  it('announces each change as it happens', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const { response, until } = await listen(service)
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    })
    expect(await until('\n\n')).toBe(': listening\n\n')

    const idOf = async (answer: Promise<Answer>) => (await answer).data.id
    const customer = await service.customer()
    const card = await service.savedCard(customer)
    const intent = await service.order(endpoint.url, { customer })
    await service.sandbox.drained()
    const [delivery] = await service.deliveries()
    await service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: card })
    const account = await idOf(service.post(ACCOUNTS, { name: 'A' }, service.sandbox.apiKeys.organization))
    const key = await idOf(service.post('/_sandbox/keys/', { type: 'organization' }))
    await service.faults({})
    await service.post('/_sandbox/secret/rotate/')
    service.sandbox.reset()

    const heard = await until('"kind":"reset"')
    const changes = heard
      .split('\n\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as { kind: string; id?: string; ids?: string[] })
      .flatMap(({ kind, id, ids = [id!] }) => ids.map((each) => `${kind} ${each}`))
    const organization = service.sandbox.organizationId
    const expected = { customer, intent, delivery: delivery!.id, card, account, key, organization }
    for (const [kind, id] of Object.entries(expected)) expect(changes).toContain(`${kind} ${id}`)
    expect(changes).toContain('faults faults')
  })

  it('has several listeners, any of which may leave, and ends with the sandbox', async () => {
    const service = await Service.start()
    const [leaving, staying] = [await listen(service), await listen(service)]
    const { socket } = leaving.response
    leaving.response.destroy()
    if (!socket.closed) await once(socket, 'close')
    await service.post('/_sandbox/secret/rotate/')
    expect(await staying.until('"organization"')).toContain('data: {"kind":"organization","id":"org_')
    const closed = new Promise((resolve) => {
      staying.response.once('close', resolve).once('error', () => undefined)
    })
    await service.sandbox.close()
    await closed
  })
})

it('a change is sent at once, those within 100 ms after it in one message for each kind, none after the end', () => {
  const clock = manualClock()
  const sent: (readonly ChangeMessage[])[] = []
  const changes = joined(clock.after, (messages) => sent.push(messages))
  for (let count = 0; count < 2; count++) {
    for (const id of ['a', 'b', 'c', 'b']) changes.add({ kind: 'delivery', id })
    changes.add({ kind: 'intent', id: 'i' })
    clock.advance(100)
  }
  clock.advance(100)
  changes.add({ kind: 'faults' })
  changes.add({ kind: 'settings' })
  const intent = { kind: 'intent', id: 'i' }
  expect(sent).toEqual([
    [{ kind: 'delivery', id: 'a' }],
    [{ kind: 'delivery', ids: ['b', 'c'] }, intent],
    [{ kind: 'delivery', ids: ['a', 'b', 'c'] }, intent],
    [{ kind: 'faults' }],
  ])
  changes.end()
  clock.advance(1000)
  expect(sent).toHaveLength(4)
})
