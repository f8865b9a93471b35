import { recognize } from '@service-signature/core'
import { printBody } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from './support/endpoint.js'
import { CARD_TOKENS, DECLINED, Service, type Data } from './support/service.js'
import { digestsOf, partsOf } from './support/signature.js'

const COMPOSE = '/_sandbox/compose/'

interface Template {
  readonly name: string
  readonly group: string
  readonly type: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

async function templates(service: Service): Promise<readonly Template[]> {
  return (await service.get('/_sandbox/templates/')).data as unknown as readonly Template[]
}

async function compose(service: Service, body: object): Promise<readonly Data[]> {
  const { code, data, status } = await service.post(COMPOSE, body)
  expect(code, JSON.stringify(status)).toBe(200)
  return data['deliveries'] as readonly Data[]
}

describe('GET /_sandbox/templates/', () => {
  it('has each kind of event, of which the receiver recognizes those that are known', async () => {
    const service = await Service.start()
    const listed = (await templates(service)).map(({ name, group, type, payload }) => {
      const event = recognize(payload)
      const outcome = event.shape === 'unrecognized' ? event.reason : event.shape
      return [group, name, type, outcome, payload['api_version']]
    })
    const purchase = 'transaction.purchase.successful'
    expect(listed).toEqual([
      ['Events', 'purchase-successful', purchase, 'transaction', '1.1'],
      ['Events', 'intent-processed', 'intent.processed', 'intent', '1.1'],
      ['Events', 'purchase-failed', 'transaction.purchase.failed', 'transaction', '1.1'],
      ['Events', 'card-token-created', 'card_token.created', 'unknown-type', '1.1'],
      ['Unknown', 'unknown-type', 'transaction.refund.successful', 'transaction', '1.1'],
      ['Unknown', 'unknown-family', 'dispute.opened', 'unknown-type', '1.1'],
      ['Unknown', 'later-version', purchase, 'transaction', '2.0'],
      ['Wrong shape', 'without-amount', purchase, 'invalid-payload', '1.1'],
      ['Wrong shape', 'amount-as-text', purchase, 'invalid-payload', '1.1'],
      ['Wrong shape', 'without-type', null, 'invalid-payload', '1.1'],
    ])
  })

  it('has the fields of real events, in their order', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer({ first_name: 'Jane' })
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.drained()
    const fieldsOf = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([name, field]) => [name, fieldsOf(field)])
        : typeof value
    const [purchase, processed] = await templates(service)
    const made = [purchase!.payload, processed!.payload].map((payload) => JSON.stringify(fieldsOf(payload)))
    const real = endpoint.events.map((event) => JSON.stringify(fieldsOf(event)))
    const withoutReference = made.map((text) =>
      text.replaceAll('["custom_fields",[["reference","string"]]]', '["custom_fields","object"]'),
    )
    expect(withoutReference).toEqual(real)
  })

  it('has other ids each time, and changes no id that follows', async () => {
    const service = await Service.start()
    const idsOf = async () =>
      JSON.stringify(await templates(service)).match(/(?:int|st|op|tok)_[0-9a-f]{24}/g)!
    const first = new Set(await idsOf())
    expect((await idsOf()).some((id) => first.has(id))).toBe(false)
    const after = (await service.intent()).data.id
    service.sandbox.reset()
    expect((await service.intent()).data.id).toBe(after)
  })
})

describe('POST /_sandbox/compose/check/', () => {
  it('says where a text stops to be JSON', async () => {
    const service = await Service.start()
    const { data } = await service.post(`${COMPOSE}check/`, { text: '{\n  "type": }' })
    expect(data).toEqual({
      is_json: false,
      problem: 'It is not JSON from line 2, column 11 on.',
      shape: null,
      type: null,
      reason: null,
      issues: [],
    })
  })

  it('says what the receiver makes of JSON', async () => {
    const service = await Service.start()
    const check = async (payload: unknown) =>
      (await service.post(`${COMPOSE}check/`, { text: JSON.stringify(payload) })).data
    const [purchase] = await templates(service)
    const json = { is_json: true, problem: null }
    expect(await check(purchase!.payload)).toEqual({
      ...json,
      shape: 'transaction',
      type: 'transaction.purchase.successful',
      reason: null,
      issues: [],
    })
    expect(await check({ type: 'intent.processed' })).toEqual({
      ...json,
      shape: 'unrecognized',
      type: 'intent.processed',
      reason: 'invalid-payload',
      issues: [{ path: 'data', reason: 'is missing' }],
    })
    expect(await check([])).toMatchObject({ ...json, shape: 'unrecognized', type: null })
  })
})

describe('POST /_sandbox/compose/', () => {
  it('sends a payload as bodies are printed, signed with secret and key', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const payload = {
      type: 'dispute.opened',
      note: '\u00e9',
      intent: { amount: { value: 10, currency: 'EUR' } },
    }
    const [delivery] = await compose(service, { url: endpoint.url, payload })
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
    const { t, ...digests } = partsOf(received!)
    const { secret, apiKeys } = service.sandbox
    expect(digests).toEqual(digestsOf(received!.bytes, t, secret, apiKeys.account))
    const { list } = await service.get('/_sandbox/newest/deliveries/?source=composed')
    expect(list).toMatchObject([{ id: delivery!.id, status: 'delivered' }])
    expect(service.lines).toContain(`delivery ${delivery!.id} dispute.opened delivered: 204`)
  })

  it.each([
    ['{ "amount" : 1 }', '(no type)'],
    ['', '(no type)'],
    ['no JSON', '(no type)'],
    ['{"type":7}', '(no type)'],
    ['{"type":"a\\nb 4242424242424242"}', 'a\nb 4242424242424242'],
    ['[{"type":"intent.processed"}]', '(no type)'],
    ['null', '(no type)'],
    ['{"type":"caf\u00e9 \u{1f600}"}', 'caf\u00e9 \u{1f600}'],
  ])('sends the text %j byte for byte', async (text, type) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const [delivery] = await compose(service, { url: endpoint.url, text })
    expect(delivery).toMatchObject({ type, amount: null })
    await service.sandbox.drained()
    expect(endpoint.received[0]!.bytes.toString()).toBe(text)
    expect(endpoint.received[0]!.headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},(v2=.*,)?v3=/)
    expect(service.lines).toContain(`delivery ${delivery!.id} (other type) delivered: 204`)
  })

  it('says of the amount what an event of either shape has', async () => {
    const service = await Service.start()
    const url = 'http://127.0.0.1:1/'
    const amounts = []
    for (const payload of [
      { data: { intent: { amount: 7, amount_currency: 'JPY' } } },
      { data: { intent: { amount: '7', amount_currency: 'JPY' } } },
      { intent: { amount: { value: 1.5, currency: 'ABC' } } },
      { intent: { amount: { value: 1.5 } } },
      { intent: null },
    ]) {
      amounts.push((await compose(service, { url, payload, retries: false }))[0]!['amount'])
    }
    expect(amounts).toEqual(['7 JPY', null, '1.5 ABC', null, null])
  })

  it('takes from an intent what a template is about, its address, account, mode and key', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const live = service.composite(true)
    const customer = await service.customer({ first_name: 'Anna' }, live)
    const fields = { amount: 77, customer, webhook_url: endpoint.url, custom_fields: { order: 'A1' } }
    const { id } = (await service.intent(fields, live)).data
    const [delivery] = await compose(service, { template: 'purchase-successful', intent: id })
    expect(delivery).toMatchObject({ intent: id, is_live: true, amount: '77.00 EUR', url: endpoint.url })
    await service.sandbox.drained()
    expect(endpoint.events).toMatchObject([
      {
        type: 'transaction.purchase.successful',
        intent: { id, custom_fields: { order: 'A1' }, amount: { value: 77 } },
        transaction: { billing_data: { first_name: 'Anna' } },
      },
    ])
    const saving = (
      await service.post(CARD_TOKENS, { customer: await service.customer(), webhook_url: endpoint.url })
    ).data
    expect(await compose(service, { template: 'card-token-created', intent: saving.id })).toMatchObject([
      { intent: saving.id, is_live: false },
    ])
    const withoutCustomer = (await service.intent()).data.id
    await compose(service, { template: 'purchase-successful', intent: withoutCustomer, url: endpoint.url })
    await service.sandbox.drained()
    expect(endpoint.events.at(-1)).toMatchObject({ transaction: { billing_data: null } })
  })

  it('goes to the default endpoint, and says what to do if there is no such endpoint', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const body = { template: 'purchase-failed' }
    const refused = await service.post(COMPOSE, body)
    expect(refused.code).toBe(400)
    expect(refused.status).toMatchObject({
      message:
        'There is no default endpoint. Send "url", or set a default endpoint in the settings of the sandbox.',
      errors: [{ url: 'is missing, and there is no default endpoint' }],
    })
    await service.call('PUT', '/_sandbox/settings/', { body: { default_endpoint: endpoint.url } })
    expect(await compose(service, body)).toMatchObject([{ url: endpoint.url }])
  })

  it('is for the account and the mode that are named', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { organization } = service.sandbox.apiKeys
    const account = (await service.post('/api/v1.4/accounts/', { name: 'B' }, organization)).data
    const named = { account: account.id, is_live: true }
    const [delivery] = await compose(service, { url: endpoint.url, template: 'intent-processed', ...named })
    expect(delivery).toMatchObject(named)
    await service.sandbox.drained()
    expect(endpoint.events).toMatchObject([{ data: { intent: { account: account.id, is_live: true } } }])
    const { bytes } = endpoint.received[0]!
    const { t, ...digests } = partsOf(endpoint.received[0]!)
    const revealed = (await service.post('/_sandbox/keys/reveal/')).data['keys'] as readonly Data[]
    const live = revealed.find((key) => key['account'] === account.id && key.is_live)!
    expect(digests).toEqual(digestsOf(bytes, t, service.sandbox.secret, live.api_key))
    // The key of the other mode would prove the other mode.
    expect(digests.v1).not.toBe(digestsOf(bytes, t, service.sandbox.secret, account.api_key).v1)
  })

  it('signs no event of one mode with a key of the other, also where all keys of its mode are revoked', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const live = (await service.post('/_sandbox/keys/', { type: 'account', is_live: true })).data
    await service.post(`/_sandbox/keys/${live.id}/revoke/`)
    await compose(service, { url: endpoint.url, template: 'intent-processed', is_live: true })
    await service.sandbox.drained()
    const { keys } = (await service.post('/_sandbox/keys/reveal/')).data as unknown as { keys: Data[] }
    const made = keys.find((key) => key.is_live && !key.is_revoked)!
    const { t, v1 } = partsOf(endpoint.received[0]!)
    expect(v1).toBe(digestsOf(endpoint.received[0]!.bytes, t, service.sandbox.secret, made.api_key).v1)
  })

  it.each([
    [{ template: 'purchase-successful', url: 'http://192.0.2.1/' }, 'url'],
    [{ template: 'purchase-successful', url: 'nowhere' }, 'url'],
    [{ template: 'none' }, 'template'],
    [{}, 'template'],
    [{ text: '{}', payload: {} }, 'text'],
    [{ text: 'half of a pair: \ud83d' }, 'text'],
    [{ payload: {}, account: 'acc_none' }, 'account'],
    [{ payload: {}, sequence: 'burst', count: 501 }, 'count'],
    [{ payload: {}, sequence: 'delayed', delay_ms: 60_001 }, 'delay_ms'],
    [{ payload: {}, sequence: 'twice' }, 'sequence'],
    [{ payload: {}, sequence: 'out-of-order' }, 'payload'],
    [{ payload: [{}, {}, {}], sequence: 'out-of-order' }, 'payload'],
    [{ text: '[]', sequence: 'out-of-order' }, 'text'],
    [{ template: 'unknown-family', sequence: 'out-of-order' }, 'template'],
    [{ payload: {}, tampered: true }, 'tampered'],
  ])('refuses %j', async (body, field) => {
    const service = await Service.start()
    const { code, status } = await service.post(COMPOSE, { url: 'http://127.0.0.1:1/', ...body })
    expect(code).toBe(400)
    expect(Object.keys(status.errors[0]!)).toEqual([field])
    expect((await service.get('/_sandbox/newest/deliveries/')).count).toBe(0)
  })

  it('does not know an intent that is not there', async () => {
    const service = await Service.start()
    expect((await service.post(COMPOSE, { payload: {}, intent: 'int_none' })).code).toBe(404)
  })
})

describe('A composed sequence', () => {
  it('duplicate sends the same bytes again after the first attempt', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const made = await compose(service, {
      url: endpoint.url,
      template: 'purchase-failed',
      sequence: 'duplicate',
    })
    await service.sandbox.drained()
    expect(made).toHaveLength(2)
    const [first, second] = endpoint.received
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
  })

  it('out-of-order sends the intent event of a payment before its transaction event', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    // The fault would put them in order again.
    await service.faults({ deliveries: { reorder: true } })
    await compose(service, { url: endpoint.url, template: 'intent-processed', sequence: 'out-of-order' })
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['intent.processed', 'transaction.purchase.successful'])
    expect(endpoint.events).toMatchObject([
      { data: { intent_id: (endpoint.events[1]!['intent'] as { id: string }).id } },
      {},
    ])
  })

  it('out-of-order sends the second of two payloads first', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const payload = [{ type: 'a.b' }, { type: 'c.d' }]
    await compose(service, { url: endpoint.url, payload, sequence: 'out-of-order' })
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['c.d', 'a.b'])
  })

  it('delayed waits, and says until when', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const body = { url: endpoint.url, payload: { type: 'a.b' }, sequence: 'delayed' }
    const now = service.clock.now()
    const [delivery] = await compose(service, { ...body, delay_ms: 1500, retries: false })
    expect(Date.parse(delivery!.next_attempt_at!)).toBe(now + 1500)
    const { data } = await service.get(`/_sandbox/deliveries/${delivery!.id}/`)
    expect(data['schedule']).toEqual([{ number: 1, at: delivery!.next_attempt_at, state: 'planned' }])
    service.clock.advance(1499)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(0)
    service.clock.advance(1)
    await service.sandbox.drained()
    expect(endpoint.received).toHaveLength(1)
    const [byDefault] = await compose(service, body)
    expect(Date.parse(byDefault!.next_attempt_at!)).toBe(service.clock.now() + 5000)
  })

  it('burst sends all at once, each template another payment', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(() => undefined)
    const body = { url: endpoint.url, template: 'purchase-successful', sequence: 'burst' }
    expect(await compose(service, { ...body, count: 30 })).toHaveLength(30)
    await endpoint.until(30)
    const ids = endpoint.events.map((event) => (event['transaction'] as { id: string }).id)
    expect(new Set(ids).size).toBe(30)
    expect(await compose(service, body)).toHaveLength(10)
    expect(await compose(service, { ...body, text: 'x', template: undefined, count: 500 })).toHaveLength(500)
  })
})

describe('A composed delivery', () => {
  it('is sent again if it fails, unless it was composed without retries', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), status(500), ok)
    const body = { url: endpoint.url, payload: { type: 'a.b' } }
    const [once] = await compose(service, { ...body, retries: false })
    await service.sandbox.idle()
    const [retried] = await compose(service, body)
    await service.sandbox.idle()
    service.clock.advance(1000)
    await service.sandbox.drained()
    const statusOf = async (data: Data) => (await service.get(`/_sandbox/deliveries/${data.id}/`)).data
    expect(await statusOf(once!)).toMatchObject({ status: 'dead', attempt_count: 1, next_attempt_at: null })
    expect(await statusOf(retried!)).toMatchObject({ status: 'delivered', attempt_count: 2 })
  })

  it('that is a forgery stays one when it is sent again', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401), ok)
    const body = { url: endpoint.url, payload: { type: 'a.b', version: 1 }, tamper: true, wrong_secret: true }
    const [delivery] = await compose(service, body)
    await service.sandbox.drained()
    const path = `/_sandbox/deliveries/${delivery!.id}/`
    const refused = (await service.get(path)).data
    expect(refused).toMatchObject({ status: 'dead', last: { verdict: 'refused-forgery' } })
    expect(refused.attempts[0]).toMatchObject({
      body: '{"type":"a.b","version":2}',
      faults: ['tamper', 'wrong-secret'],
      verdict_text:
        'Refused, as it must: the body was changed after signing, it was signed with another secret, and your endpoint answered 401.',
    })
    const { data } = await service.post(`${path}resend/`, { stale: true })
    expect(data).toMatchObject({ status: 'dead', last: { verdict: 'accepted-forgery' } })
    expect(data.attempts[1]!.faults).toEqual(['tamper', 'stale', 'wrong-secret'])
  })

  it('that is a forgery is retried only if the caller asks for it, until the endpoint accepts it', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401), ok)
    const [delivery] = await compose(service, {
      url: endpoint.url,
      template: 'purchase-failed',
      no_signature: true,
      retries: true,
    })
    await service.sandbox.idle()
    service.clock.advance(1000)
    await service.sandbox.drained()
    expect((await service.get(`/_sandbox/deliveries/${delivery!.id}/`)).data).toMatchObject({
      status: 'delivered',
      attempt_count: 2,
      last: { verdict: 'accepted-forgery' },
    })
  })

  it('has the bytes of a payment, if it is composed of its payload', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id, { card: DECLINED })
    await service.sandbox.drained()
    const [event] = endpoint.events
    await compose(service, { url: endpoint.url, payload: event })
    await service.sandbox.drained()
    const [first, second] = endpoint.received
    expect(second!.bytes.toString()).toBe(first!.bytes.toString())
    expect(second!.bytes.toString()).toBe(printBody(event))
  })
})
