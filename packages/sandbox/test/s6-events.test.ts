import { parseTimestamp, verify } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Endpoint, type Received } from './support/endpoint.js'
import { DECLINED, INTENTS, Service } from './support/service.js'
import { digestsOf, partsOf } from './support/signature.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const SHAPE_A_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00$/
const SHAPE_B_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

interface Paid {
  readonly service: Service
  readonly endpoint: Endpoint
  readonly intentId: string
  readonly received: readonly Received[]
}

/** A payment of a customer with a name, and what the endpoint got of it. */
async function paid(options: { readonly fields?: object; readonly card?: string } = {}): Promise<Paid> {
  const { fields = {}, card } = options
  const service = await Service.start()
  const endpoint = await Endpoint.start()
  const customer = await service.customer({ first_name: 'Jane', last_name: 'Doe of Tallinn' })
  const { id } = (await service.intent({ customer, webhook_url: endpoint.url, ...fields })).data
  await service.pay(id, card === undefined ? undefined : { card })
  await service.sandbox.idle()
  return { service, endpoint, intentId: id, received: endpoint.received }
}

describe('S6.1 Delivery', () => {
  it('posts JSON to the webhook_url of the intent, shape A and then shape B', async () => {
    const { endpoint, received } = await paid()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    for (const { method, path, headers, bytes } of received) {
      expect({ method, path }).toEqual({ method: 'POST', path: '/webhooks' })
      expect(headers['content-type']).toBe('application/json')
      expect(headers['content-length']).toBe(String(bytes.length))
    }
  })

  it('spells the name of the header as it is written there, and sends it once', async () => {
    const { received } = await paid()
    for (const { rawHeaders } of received) {
      const names = rawHeaders.filter((_, i) => i % 2 === 0)
      expect(names.filter((name) => name.toLowerCase() === 'service-signature')).toEqual([
        'Service-Signature',
      ])
    }
  })

  it('sends nothing where there is no webhook_url', async () => {
    const { service, received } = await paid({ fields: { webhook_url: undefined } })
    expect(received).toEqual([])
    expect(await service.deliveries()).toEqual([])
  })

  it('a declined payment sends shape A alone', async () => {
    const { endpoint } = await paid({ card: DECLINED })
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
  })
})

describe('S6.2 Header format', () => {
  it('is t, v1, v2, v3, in this order, all three', async () => {
    const { service, received } = await paid()
    for (const { headers } of received) {
      const hex = '[0-9a-f]{64}'
      expect(headers['service-signature']).toMatch(new RegExp(`^t=\\d{10},v1=${hex},v2=${hex},v3=${hex}$`))
      expect(partsOf({ headers }).t).toBe(String(Math.floor(service.clock.now() / 1000)))
    }
  })

  it('t is fresh on each attempt', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith((response) => response.writeHead(500).end())
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.idle()
    service.clock.advance(1000)
    await service.sandbox.idle()
    const [first, , second] = endpoint.received
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
    expect(Number(partsOf(second!).t)).toBe(Number(partsOf(first!).t) + 1)
    expect(partsOf(second!)).toMatchObject(
      digestsOf(second!.bytes, partsOf(second!).t, service.sandbox.secret, service.sandbox.apiKeys.account),
    )
  })
})

describe.each([
  ['S6.3 Version 3', 'v3'],
  ['S6.4 Version 2', 'v2'],
  ['S6.5 Version 1', 'v1'],
] as const)('%s', (_, version) => {
  const fields = { amount: 10.5, custom_fields: { note: 'two words\nand a line', umlaut: 'fu\u00df' } }

  it('is what its steps make of the bytes', async () => {
    const { service, received } = await paid({ fields })
    expect(received).toHaveLength(2)
    for (const delivery of received) {
      const parts = partsOf(delivery)
      const { secret, apiKeys } = service.sandbox
      expect(parts[version]).toBe(digestsOf(delivery.bytes, parts.t, secret, apiKeys.account)[version])
    }
  })

  it('verifies with the library, as the service gives the keys', async () => {
    const { service, received } = await paid({ fields })
    expect(received).toHaveLength(2)
    for (const { bytes, headers } of received) {
      const { versions } = await verify(bytes, headers['service-signature'], {
        secret: service.sandbox.secret,
        apiKey: service.sandbox.apiKeys.account,
        versions: [version],
        now: () => service.clock.now(),
      })
      expect(versions).toEqual([version])
    }
  })
})

describe('S6.5 Version 1: its key', () => {
  async function v1Of(
    service: Service,
    key: string,
    change?: (id: string) => Promise<unknown>,
  ): Promise<Received> {
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url }, key)).data
    await change?.(id)
    await service.pay(id)
    await service.sandbox.idle()
    return endpoint.received[0]!
  }

  function expectKey(service: Service, received: Received, key: string): void {
    const { t, v1 } = partsOf(received)
    expect(v1).toBe(digestsOf(received.bytes, t, service.sandbox.secret, key).v1)
  }

  it('is the key that the intent was made with', async () => {
    const service = await Service.start()
    const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
    expectKey(service, await v1Of(service, data.api_key), data.api_key)
  })

  it('is the first key of the account, for an intent under a key of the organization', async () => {
    const service = await Service.start()
    const { data } = await service.post(
      '/api/v1.4/accounts/',
      { name: 'Other' },
      service.sandbox.apiKeys.organization,
    )
    await service.post('/_sandbox/keys/', { type: 'account', account: data.id })
    expectKey(service, await v1Of(service, service.composite(false, data.id)), data.api_key)
  })

  it('is another key of the account once it is revoked, and the same one if there is no other', async () => {
    const service = await Service.start()
    const first = (await service.state())['keys']![0]!
    const { account } = service.sandbox.apiKeys
    const revoke = () => service.post(`/_sandbox/keys/${first.id}/revoke/`)
    expectKey(service, await v1Of(service, account, revoke), account)
    const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
    expectKey(service, await v1Of(service, service.composite(false)), data.api_key)
  })
})

/** The customer of an intent without one. */
const NOBODY = { first_name: '', last_name: '', email: '', phone_number: '' }

describe('S6.6 Payload shapes', () => {
  it('shape A has every field of the table', async () => {
    const { service, endpoint, intentId } = await paid({
      fields: { amount: 12.3, amount_currency: 'USD', custom_fields: { order: '1001' } },
    })
    const { data } = await service.get(`${INTENTS}${intentId}/`)
    const string = expect.any(String) as string
    expect(endpoint.events[0]).toEqual({
      type: 'transaction.purchase.successful',
      status_id: string,
      intent: {
        id: intentId,
        created: expect.stringMatching(SHAPE_A_TIME) as string,
        custom_fields: { order: '1001' },
        custom_form_answers: null,
        amount: { value: 12.3, currency: 'USD' },
      },
      account: { id: service.sandbox.accountId },
      transaction: {
        type: 'payment',
        id: expect.stringMatching(UUID) as string,
        created: expect.stringMatching(SHAPE_A_TIME) as string,
        status: 'purchase.successful',
        billing_data: { first_name: 'Jane', last_name: 'Doe of Tallinn', email: '', phone_number: '' },
        external_action_message: [],
        operations: [
          {
            id: string,
            type: 'purchase',
            status: 'successful',
            amount: { value: 12.3, currency: 'USD' },
            statuses: [
              { id: string, value: 'successful', created: expect.stringMatching(SHAPE_A_TIME) as string },
            ],
          },
        ],
        custom_message: '',
        method: { id: string, display_name: 'Credit card', service_provider: { id: 'north' } },
      },
      api_version: '1.1',
    })
    const { transaction, status_id } = endpoint.events[0] as unknown as {
      transaction: { id: string; operations: [{ statuses: [{ id: string }] }] }
      status_id: string
    }
    expect(transaction.id).toBe((data.transactions[0] as unknown as { id: string }).id)
    expect(status_id).toBe(transaction.operations[0].statuses[0].id)
  })

  it('shape A of a failed payment says so everywhere', async () => {
    const { endpoint } = await paid({ card: DECLINED })
    expect(endpoint.events).toMatchObject([
      {
        type: 'transaction.purchase.failed',
        transaction: {
          status: 'purchase.failed',
          operations: [{ status: 'failed', statuses: [{ value: 'failed' }] }],
        },
      },
    ])
    expect(endpoint.received[0]!.bytes.toString()).not.toContain('success')
  })

  it('shape B has every field of the table', async () => {
    const { service, endpoint, intentId } = await paid({
      fields: { amount: 50.5, custom_fields: { order: '1001' } },
    })
    const string = expect.any(String) as string
    const billing_data = { first_name: 'Jane', last_name: 'Doe of Tallinn', email: '', phone_number: '' }
    const transaction = {
      id: expect.stringMatching(UUID) as string,
      custom_fields: { order: '1001' },
      created: expect.stringMatching(SHAPE_B_TIME) as string,
      status: 'SUCCESSFUL',
      amount: '50.50',
      amount_currency: 'EUR',
      billing_data,
      external_action_message: [],
      payment_method: string,
      payment_method_name: 'Credit card',
      custom_form_answers: null,
      custom_message: '',
      account: service.sandbox.accountId,
      provider_transaction_fields: { clearingInstituteName: 'north', ExtendedDescription: 'Approved' },
      provider_signature_match: true,
    }
    expect(endpoint.events[1]).toEqual({
      type: 'intent.processed',
      intent_type: 'PAYMENT',
      data: {
        intent_id: intentId,
        intent: {
          id: intentId,
          status: 'PROCESSED',
          amount: 50.5,
          amount_currency: 'EUR',
          type: 'Payin',
          account: service.sandbox.accountId,
          custom_fields: { order: '1001' },
          billing_data,
          active_transaction: transaction,
          transactions_history: [transaction],
          method: { display_name: 'Credit card', id: string },
          flow: null,
          is_live: false,
          created: expect.stringMatching(SHAPE_B_TIME) as string,
        },
      },
      api_version: '1.1',
    })
  })

  it('shape B tells of every try, the last of which is the active one', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const intent = { amount: 7, amount_currency: 'JPY', webhook_url: endpoint.url }
    const { id } = (await service.intent(intent, service.composite(true))).data
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    service.clock.advance(60_000)
    await service.pay(id)
    await service.sandbox.idle()
    expect(endpoint.types).toEqual([
      'transaction.purchase.failed',
      'transaction.purchase.successful',
      'intent.processed',
    ])
    const { intent: told } = (endpoint.events[2] as unknown as { data: { intent: ToldIntent } }).data
    expect(told).toMatchObject({ is_live: true, custom_fields: null, billing_data: NOBODY })
    expect(told.transactions_history).toMatchObject([
      {
        status: 'FAILED',
        amount: '7',
        billing_data: NOBODY,
        provider_transaction_fields: { ExtendedDescription: 'The card was declined' },
      },
      { status: 'SUCCESSFUL', amount: '7' },
    ])
    expect(told.active_transaction).toEqual(told.transactions_history[1])
    const [first, second] = told.transactions_history.map(({ created }) => Date.parse(created))
    expect(second! - first!).toBe(60_000)
  })

  it.each([
    ['with a customer', {}],
    ['without a customer', { customer: undefined }],
    ['with custom fields', { custom_fields: { any: { thing: [1, null] } } }],
  ])('the library recognizes both shapes, %s', async (_, fields) => {
    const { service, received } = await paid({ fields })
    const options = { secret: service.sandbox.secret, now: () => service.clock.now() }
    const shapes = []
    for (const { bytes, headers } of received) {
      const { event } = await verify(bytes, headers['service-signature'], options)
      shapes.push(event.shape)
    }
    expect(shapes).toEqual(['transaction', 'intent'])
  })

  it('the library recognizes the failed transaction, too', async () => {
    const { service, received } = await paid({ card: DECLINED })
    const options = { secret: service.sandbox.secret, now: () => service.clock.now() }
    const { event } = await verify(received[0]!.bytes, received[0]!.headers['service-signature'], options)
    expect(event).toMatchObject({ shape: 'transaction', type: 'transaction.purchase.failed' })
  })

  it('both shapes name the same moments, each in its own format', async () => {
    const { endpoint } = await paid()
    const [a, b] = endpoint.events as unknown as [
      { intent: { created: string }; transaction: { created: string; id: string } },
      { data: { intent: ToldIntent } },
    ]
    const told = b.data.intent
    expect(parseTimestamp(a.intent.created)).toEqual(parseTimestamp(told.created))
    expect(parseTimestamp(a.transaction.created)).toEqual(parseTimestamp(told.active_transaction.created))
    expect(a.transaction.id).toBe(told.active_transaction.id)
  })
})

interface ToldIntent {
  readonly created: string
  readonly active_transaction: ToldTransaction
  readonly transactions_history: readonly ToldTransaction[]
}

interface ToldTransaction {
  readonly id: string
  readonly created: string
}
