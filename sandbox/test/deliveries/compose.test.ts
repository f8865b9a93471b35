import { describe, expect, it } from 'vitest'
import { ok, status } from '../support/endpoint.js'
import { CARD_TOKENS, Service, startWithEndpoint, type Data } from '../support/service.js'
import { expectSigned } from '../support/signature.js'

const COMPOSE = '/_sandbox/compose/'
const NOWHERE = 'http://127.0.0.1:1/'

describe('A composed event', () => {
  it('is printed as bodies are, and signed with secret and key', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const intent = { amount: { value: 10, currency: 'EUR' } }
    const payload = { type: 'dispute.opened', note: '\u00e9', intent }
    const [delivery] = await service.compose({ url: endpoint.url, payload })
    expect(delivery).toMatchObject({
      type: 'dispute.opened',
      intent: null,
      url: endpoint.url,
      status: 'pending',
      account: service.sandbox.accountId,
      is_live: false,
      source: 'composed',
      amount: '10.00 EUR',
      last: null,
    })
    await service.sandbox.drained()
    const [received] = endpoint.received
    expect(received!.bytes.toString()).toBe(
      '{"type":"dispute.opened","note":"\\u00e9","intent":{"amount":{"value":10.0,"currency":"EUR"}}}',
    )
    expectSigned(service, received!)
    expect(service.lines).toContain(`delivery ${delivery!.id} dispute.opened delivered: 204`)
  })

  it.each([
    ['{ "amount" : 1 }', '(no type)'],
    ['no JSON', '(no type)'],
    ['{"type":"a\\nb 4242424242424242"}', 'a\nb 4242424242424242'],
    ['{"type":"caf\u00e9 \u{1f600}"}', 'caf\u00e9 \u{1f600}'],
  ])('may be the text %j, which is sent byte for byte', async (text, type) => {
    const { service, endpoint } = await startWithEndpoint()
    const [delivery] = await service.compose({ url: endpoint.url, text })
    expect(delivery).toMatchObject({ type, amount: null })
    await service.sandbox.drained()
    expect(endpoint.received[0]!.bytes.toString()).toBe(text)
    expect(endpoint.received[0]!.headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},(v2=.*,)?v3=/)
    expect(service.lines).toContain(`delivery ${delivery!.id} (other type) delivered: 204`)
  })

  it.each([
    [{ data: { intent: { amount: 1234567, amount_currency: 'JPY' } } }, '1,234,567 JPY'],
    [{ data: { intent: { amount: '7', amount_currency: 'JPY' } } }, null],
    [{ intent: { amount: { value: 1234.56789, currency: 'ABC' } } }, '1,234.56789 ABC'],
    [{ intent: null }, null],
  ])('%j is listed with the amount %s', async (payload, amount) => {
    const service = await Service.start()
    expect(await service.compose({ url: NOWHERE, payload, retries: false })).toMatchObject([{ amount }])
  })

  it('takes from an intent what its template is about, the address, the account and the mode', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const live = service.composite(true)
    const customer = await service.customer({ first_name: 'Anna' }, live)
    const fields = { amount: 77, customer, webhook_url: endpoint.url, custom_fields: { order: 'A1' } }
    const { id } = (await service.intent(fields, live)).data
    const [delivery] = await service.compose({ template: 'purchase-successful', intent: id })
    expect(delivery).toMatchObject({ intent: id, is_live: true, amount: '77.00 EUR', url: endpoint.url })
    const withoutCustomer = (await service.intent()).data.id
    await service.sandbox.drained()
    await service.compose({ template: 'purchase-successful', intent: withoutCustomer, url: endpoint.url })
    await service.sandbox.drained()
    expect(endpoint.events).toMatchObject([
      {
        type: 'transaction.purchase.successful',
        intent: { id, custom_fields: { order: 'A1' }, amount: { value: 77 } },
        transaction: { billing_data: { first_name: 'Anna' } },
      },
      { transaction: { billing_data: null } },
    ])
    const body = { customer: await service.customer(), webhook_url: endpoint.url }
    const saving = (await service.post(CARD_TOKENS, body)).data.id
    const [created] = await service.compose({ template: 'card-token-created', intent: saving })
    expect(created).toMatchObject({ intent: saving, is_live: false })
  })

  it('goes to the default endpoint, and the refusal says what to do if there is no such endpoint', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const body = { template: 'purchase-failed' }
    const refused = await service.post(COMPOSE, body)
    expect(refused.code).toBe(400)
    expect(refused.status).toMatchObject({
      message:
        'There is no default endpoint. Send "url", or set a default endpoint in the settings of the sandbox.',
      errors: [{ url: 'is missing, and there is no default endpoint' }],
    })
    await service.setDefaultEndpoint(endpoint.url)
    expect(await service.compose(body)).toMatchObject([{ url: endpoint.url }])
  })

  it('is signed with a key of its account and mode', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const account = (await service.account('B')).id
    const scope = { account, is_live: true }
    await service.compose({ url: endpoint.url, template: 'intent-processed', ...scope })
    await service.sandbox.drained()
    expect(endpoint.events).toMatchObject([{ data: { intent: scope } }])
    const { keys } = (await service.post('/_sandbox/keys/reveal/')).data as unknown as { keys: Data[] }
    // The key of the other mode would prove the other mode.
    const key = keys.find((each) => each['account'] === account && each.is_live)!
    expectSigned(service, endpoint.received[0]!, { apiKey: key.api_key })
  })

  it.each([
    [{ template: 'purchase-successful', url: 'http://192.0.2.1/' }, 'url'],
    [{ template: 'none' }, 'template'],
    [{}, 'template'],
    [{ text: '{}', payload: {} }, 'text'],
    [{ text: 'half of a pair: \ud83d' }, 'text'],
    [{ payload: {}, account: 'acc_none' }, 'account'],
    [{ payload: {}, sequence: 'burst', count: 501 }, 'count'],
    [{ payload: {}, sequence: 'out-of-order' }, 'payload'],
    [{ payload: [{}, {}, {}], sequence: 'out-of-order' }, 'payload'],
    [{ text: '[]', sequence: 'out-of-order' }, 'text'],
    [{ template: 'unknown-family', sequence: 'out-of-order' }, 'template'],
    [{ payload: {}, tampered: true }, 'tampered'],
    [{ payload: {}, intent: 'int_none' }, 'intent'],
  ])('is refused: %j', async (body, field) => {
    const service = await Service.start()
    const { code, status } = await service.post(COMPOSE, { url: NOWHERE, ...body })
    expect(code).toBe(field === 'intent' ? 404 : 400)
    expect(Object.keys(status.errors[0]!)).toEqual([field])
    expect(await service.deliveries()).toEqual([])
  })
})

describe('A composed sequence', () => {
  it('duplicate sends the same bytes again after the first attempt', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const body = { url: endpoint.url, template: 'purchase-failed', sequence: 'duplicate' }
    expect(await service.compose(body)).toHaveLength(2)
    await service.sandbox.drained()
    const [first, second] = endpoint.received
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
  })

  it('out-of-order sends the intent event before its transaction event, and the second of two payloads first', async () => {
    const { service, endpoint } = await startWithEndpoint()
    // The fault would put them in order again.
    await service.faults({ deliveries: { reorder: true } })
    const body = { url: endpoint.url, sequence: 'out-of-order' }
    await service.compose({ ...body, template: 'intent-processed' })
    await service.sandbox.drained()
    const { id } = endpoint.events[1]!['intent'] as { id: string }
    expect(endpoint.events[0]).toMatchObject({ data: { intent_id: id } })
    await service.compose({ ...body, payload: [{ type: 'a.b' }, { type: 'c.d' }] })
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['intent.processed', 'transaction.purchase.successful', 'c.d', 'a.b'])
  })

  it('delayed waits, and says until when', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const body = { url: endpoint.url, payload: { type: 'a.b' }, sequence: 'delayed' }
    const now = service.clock.now()
    const [delivery] = await service.compose({ ...body, delay_ms: 1500, retries: false })
    const at = delivery!.next_attempt_at!
    expect(Date.parse(at)).toBe(now + 1500)
    expect(await service.delivery(delivery!.id)).toMatchObject({ schedule: [{ at, state: 'planned' }] })
    await service.pass(1499)
    expect(endpoint.received).toHaveLength(0)
    await service.pass(1)
    expect(endpoint.received).toHaveLength(1)
    const [byDefault] = await service.compose(body)
    expect(Date.parse(byDefault!.next_attempt_at!)).toBe(service.clock.now() + 5000)
  })

  it('burst sends all at once, each template another payment', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(() => undefined)
    const body = { url: endpoint.url, template: 'purchase-successful', sequence: 'burst' }
    await service.compose({ ...body, count: 30 })
    await endpoint.until(30)
    const ids = endpoint.events.map((event) => (event['transaction'] as { id: string }).id)
    expect(new Set(ids).size).toBe(30)
    expect(await service.compose(body)).toHaveLength(10)
  })
})

describe('A composed event that is refused', () => {
  it('is sent again unless it was composed without retries, a forgery only with retries, and as a forgery', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const event = { url: endpoint.url, payload: { type: 'a.b' } }
    endpoint.replyWith(status(500), status(500), status(500), ok)
    for (const options of [{ retries: false }, {}, { stale: true, retries: true }]) {
      await service.compose({ ...event, ...options })
      await service.sandbox.idle()
    }
    await service.pass(1000)
    const stale = { faults: ['stale'] }
    expect(await service.deliveries()).toMatchObject([
      { status: 'dead', attempt_count: 1, next_attempt_at: null },
      { status: 'delivered', attempt_count: 2 },
      { status: 'delivered', attempts: [stale, stale] },
    ])
  })

  it('and is a forgery stays one when it is sent by hand', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(401), ok)
    const forgery = { payload: { type: 'a.b', version: 1 }, tamper: true, wrong_secret: true }
    const [delivery] = await service.compose({ url: endpoint.url, ...forgery })
    await service.sandbox.drained()
    const refused = await service.delivery(delivery!.id)
    expect(refused).toMatchObject({ status: 'dead', last: { verdict: 'refused-forgery' } })
    expect(refused.attempts[0]).toMatchObject({
      body: '{"type":"a.b","version":2}',
      faults: ['tamper', 'wrong-secret'],
      verdict_text:
        'Refused, as it must: the body was changed after signing, it was signed with another secret, and your endpoint answered 401.',
    })
    const { data } = await service.resend(delivery!.id, { stale: true })
    expect(data).toMatchObject({ status: 'dead', last: { verdict: 'accepted-forgery' } })
    expect(data.attempts[1]!.faults).toEqual(['tamper', 'stale', 'wrong-secret'])
  })
})
