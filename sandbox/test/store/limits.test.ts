import { describe, expect, it } from 'vitest'
import { COLLECTED_CARDS, type CollectedCard } from '../../server/cards/cards.js'
import { Store } from '../../server/store/store.js'
import { ok, status } from '../support/endpoint.js'
import { ACCOUNTS, DECLINED, INTENTS, Service, startWithEndpoint } from '../support/service.js'
import { expectSigned } from '../support/signature.js'

describe('A sandbox stores', () => {
  it('the newest intents and deliveries', async () => {
    const { service, endpoint } = await startWithEndpoint({ keep: 5 })
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      ids.push(await service.order(endpoint.url))
      await service.sandbox.drained()
    }
    expect(endpoint.received).toHaveLength(10)
    const deliveries = await service.deliveries()
    expect(deliveries.map(({ intent }) => intent)).toEqual([ids[2], ids[3], ids[3], ids[4], ids[4]])
    await service.intent()
    expect((await service.get(`${INTENTS}${ids[0]!}/`)).code).toBe(404)
    expect((await service.get(`${INTENTS}${ids[1]!}/`)).code).toBe(200)
  })

  it('a delivery only until a newer one needs its place: it is not retried', async () => {
    const { service, endpoint } = await startWithEndpoint({ keep: 2 })
    endpoint.replyWith(status(500), status(500), ok)
    await service.sent(endpoint.url)
    await service.sent(endpoint.url)
    await service.pass(1000)
    expect(endpoint.received).toHaveLength(4)
  })

  it('nothing of the attempt of a delivery that a newer one has replaced meanwhile', async () => {
    const { service, endpoint } = await startWithEndpoint({ keep: 1 })
    let answer = () => undefined as unknown
    endpoint.replyWith((response) => {
      answer = () => response.writeHead(500).end()
    }, ok)
    for (const count of [1, 2]) {
      await service.compose({ url: endpoint.url, payload: { type: 'dispute.opened' } })
      await endpoint.until(count)
    }
    answer()
    await service.sandbox.drained()
    await service.pass(1000)
    expect(endpoint.received).toHaveLength(2)
    expect(await service.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 1 }])
  })

  it('with a delivery what signs and explains it when its intent is gone', async () => {
    const { service, endpoint } = await startWithEndpoint({ keep: 1 })
    endpoint.replyWith(status(500), ok)
    const [sent] = await service.sent(endpoint.url, { card: DECLINED })
    const intent = `${INTENTS}${String(sent!['intent'])}/`
    expect((await service.get(intent)).code).toBe(200)
    await service.intent()
    expect((await service.get(intent)).code).toBe(404)
    await service.pass(1000)
    expectSigned(service, endpoint.received[1]!)
    const [delivery] = await service.deliveries()
    const { data } = await service.get(`/_sandbox/deliveries/${delivery!.id}/explain/`)
    expect(data['report']).toMatchObject({ ok: true })
  })

  it('a card and an agreement as a whole: vault and providers forget one that is gone', async () => {
    const service = await Service.start({ keep: 1 })
    const customer = await service.customer()
    const agree = (card_token: string, agreement_id: string) =>
      service.intent({ card_token, customer, payment_type: 'UNSCHEDULED', recurring_data: { agreement_id } })
    await agree(await service.savedCard(customer, { type: 'BOTH' }), 'first')
    expect(await service.coveredBy('north')).toEqual(['first'])
    const other = await service.savedCard(customer)
    await agree(other, 'second')
    expect((await service.state())['card_tokens']).toMatchObject([{ id: other }])
    expect(await service.coveredBy('north')).toEqual(['second'])
  })

  it('no name of a customer who is gone, so that events leave it out', async () => {
    const { service, endpoint } = await startWithEndpoint({ keep: 1 })
    const customer = await service.customer({ first_name: 'Jane' })
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    await service.customer({ first_name: 'John' })
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(1)
    expect(JSON.stringify(endpoint.events)).not.toContain('Jane')
  })

  it('at most 1,000 cards that the SDK has collected', () => {
    const store = new Store({ kinds: [COLLECTED_CARDS], keep: 1 })
    for (let id = 0; id <= 1000; id++) store.insert(COLLECTED_CARDS, { id: `${id}` } as CollectedCard)
    const ids = store.list(COLLECTED_CARDS).map(({ id }) => id)
    expect([ids.length, ids[0]]).toEqual([1000, '1'])
  })

  it('at most 100 accounts and 300 keys, because these are never forgotten', async () => {
    const service = await Service.start()
    const key = service.sandbox.apiKeys.organization
    const makeAll = async (path: string, body: object) => {
      let code = 200
      while (code === 200) ({ code } = await service.post(path, body, key))
      expect(code).toBe(409)
    }
    await makeAll(ACCOUNTS, { name: 'A' })
    await makeAll('/_sandbox/keys/', { type: 'organization' })
    expect((await service.state())['accounts']).toHaveLength(100)
    expect((await service.post('/_sandbox/keys/reveal/')).data['keys']).toHaveLength(300)
    expect((await service.post(ACCOUNTS, { name: 'A'.repeat(256) }, key)).code).toBe(400)
  })
})
