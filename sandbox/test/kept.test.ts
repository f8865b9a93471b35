import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from './support/endpoint.js'
import { ACCOUNTS, DECLINED, INTENTS, Service } from './support/service.js'
import { digestsOf, partsOf } from './support/signature.js'

const KIBIBYTE = 1024

function fieldsOf(kibibytes: number) {
  return { custom_fields: { text: 'x'.repeat(kibibytes * KIBIBYTE) } }
}

/** Makes so many intents, whose ids it returns. */
async function intentsOf(service: Service, count: number, fields: object = {}): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await service.intent(fields)).data.id)
  return ids
}

describe('What a sandbox keeps', () => {
  it('is the newest intents and deliveries', async () => {
    const service = await Service.start({ keep: 5 })
    const endpoint = await Endpoint.start()
    const ids = await intentsOf(service, 5, { webhook_url: endpoint.url })
    for (const id of ids) {
      await service.pay(id)
      await service.sandbox.drained()
    }
    expect(endpoint.received).toHaveLength(10)
    const deliveries = await service.deliveries()
    expect(deliveries.map(({ intent }) => intent)).toEqual([ids[2], ids[3], ids[3], ids[4], ids[4]])
    await service.intent()
    expect((await service.get(`${INTENTS}${ids[0]!}/`)).code).toBe(404)
    expect((await service.get(`${INTENTS}${ids[1]!}/`)).code).toBe(200)
  })

  it('is the first 16 KiB of the bodies of a call', async () => {
    const service = await Service.start()
    await service.intent(fieldsOf(100))
    const [call] = (await service.get('/_sandbox/requests/')).list
    const { data } = await service.get(`/_sandbox/requests/${call!.id}/`)
    expect(data['request_body']).toHaveLength(16 * KIBIBYTE)
  })

  it('leaves out a pending delivery that made room for a newer one, which is not retried', async () => {
    const service = await Service.start({ keep: 2 })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500))
    const [first, second] = await intentsOf(service, 2, { webhook_url: endpoint.url })
    await service.pay(first!)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    endpoint.replyWith(ok)
    await service.pay(second!)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(4)
    service.clock.advance(1000)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(4)
  })

  it('leaves out a delivery that made room for a newer one while it was sent', async () => {
    const service = await Service.start({ keep: 1 })
    const endpoint = await Endpoint.start()
    let answer = () => undefined as unknown
    endpoint.replyWith((response) => {
      answer = () => response.writeHead(500).end()
    }, ok)
    const body = { url: endpoint.url, payload: { type: 'dispute.opened' } }
    await service.post('/_sandbox/compose/', body)
    await endpoint.until(1)
    await service.post('/_sandbox/compose/', body)
    await endpoint.until(2)
    answer()
    await service.sandbox.drained()
    service.clock.advance(1000)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    expect(await service.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 1 }])
  })

  it('is enough to sign and explain a delivery whose intent is gone', async () => {
    const service = await Service.start({ keep: 1 })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), ok)
    const [id] = await intentsOf(service, 1, { webhook_url: endpoint.url })
    await service.pay(id!, { card: DECLINED })
    await service.sandbox.idle()
    await service.intent()
    expect((await service.get(`${INTENTS}${id!}/`)).code).toBe(404)
    service.clock.advance(1000)
    await service.sandbox.drained()
    const retry = endpoint.received[1]!
    const { t, ...digests } = partsOf(retry)
    const { secret, apiKeys } = service.sandbox
    expect(digests).toEqual(digestsOf(retry.bytes, t, secret, apiKeys.account))
    const [delivery] = await service.deliveries()
    const { data } = await service.get(`/_sandbox/deliveries/${delivery!.id}/explain/`)
    expect(data['report']).toMatchObject({ ok: true })
  })

  it('is a card and an agreement as a whole: no vault and no provider has anything of one that is gone', async () => {
    const service = await Service.start({ keep: 1 })
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'BOTH' })
    const agreement = (id: string) => ({
      customer,
      payment_type: 'UNSCHEDULED',
      recurring_data: { agreement_id: id },
    })
    await service.intent({ card_token, ...agreement('first') })
    expect((await service.provider('north'))['coverage']).toMatchObject([{ agreement_id: 'first' }])
    const other = await service.savedCard(customer)
    await service.intent({ card_token: other, ...agreement('second') })
    expect((await service.state())['card_tokens']).toMatchObject([{ id: other }])
    expect(await service.provider('north')).toMatchObject({
      counts: { card_tokens: 0 },
      coverage: [{ agreement_id: 'second' }],
    })
  })

  it('leaves the names out of an event whose customer is gone', async () => {
    const service = await Service.start({ keep: 1 })
    const endpoint = await Endpoint.start()
    const customer = await service.customer({ first_name: 'Jane' })
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    await service.customer({ first_name: 'John' })
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    expect(JSON.stringify(endpoint.events)).not.toContain('Jane')
    expect(endpoint.received).toHaveLength(1)
  })

  it('accounts are limited in number, since they are never forgotten', async () => {
    const service = await Service.start()
    const key = service.sandbox.apiKeys.organization
    for (let count = 1; count < 100; count++) await service.post(ACCOUNTS, { name: 'A' }, key)
    expect((await service.post(ACCOUNTS, { name: 'A' }, key)).code).toBe(409)
    expect((await service.post(ACCOUNTS, { name: 'A'.repeat(256) }, key)).code).toBe(400)
  })

  it('keys are limited in number, since they are never forgotten', async () => {
    const service = await Service.start()
    const codes = new Set<number>()
    for (let count = 0; count < 300; count++) {
      const { code } = await service.post('/_sandbox/keys/', { type: 'organization' })
      codes.add(code)
      if (code !== 200) break
    }
    expect([...codes]).toEqual([200, 409])
  })
})
