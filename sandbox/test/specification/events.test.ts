import { parseTimestamp, verify } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Endpoint, type Received } from '../support/endpoint.js'
import { holds } from '../support/holds.js'
import { DECLINED, INTENTS, PAYMENT_METHOD, Service } from '../support/service.js'

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

/** The customer of an intent without one. */
const NO_CUSTOMER = { first_name: '', last_name: '', email: '', phone_number: '' }

interface ToldIntent {
  readonly created: string
  readonly active_transaction: ToldTransaction
  readonly transactions_history: readonly ToldTransaction[]
}

interface ToldTransaction {
  readonly id: string
  readonly created: string
}

describe('Delivery', () => {
  it('our choice: the transaction event is sent before the intent event', async () => {
    const { endpoint } = await paid()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
  })

  it(
    'both events are sent to the webhook_url of the intent as JSON',
    holds('events-sent', 'json-body'),
    async () => {
      const { endpoint, received } = await paid()
      expect(new Set(endpoint.types)).toEqual(
        new Set(['transaction.purchase.successful', 'intent.processed']),
      )
      expect(received).toHaveLength(2)
      for (const { method, path, headers, bytes } of received) {
        expect({ method, path }).toEqual({ method: 'POST', path: '/webhooks' })
        expect(headers['content-type']).toBe('application/json')
        expect(headers['content-length']).toBe(String(bytes.length))
      }
    },
  )

  it(
    'the signature is in the header Service-Signature, spelled like this, once',
    holds('header-name'),
    async () => {
      const { received } = await paid()
      for (const { rawHeaders } of received) {
        const names = rawHeaders.filter((_, i) => i % 2 === 0)
        expect(names.filter((name) => name.toLowerCase() === 'service-signature')).toEqual([
          'Service-Signature',
        ])
      }
    },
  )

  it('our choice: without a webhook_url nothing is sent', async () => {
    const { service, received } = await paid({ fields: { webhook_url: undefined } })
    expect(received).toEqual([])
    expect(await service.deliveries()).toEqual([])
  })

  it('our choice: a declined payment sends transaction.purchase.failed alone', async () => {
    const { endpoint } = await paid({ card: DECLINED })
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
  })
})

describe('Payload shapes', () => {
  it(
    'a transaction event (shape A) has every documented field',
    holds('transaction-fields', 'transaction-times'),
    async () => {
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
          method: { id: string, display_name: PAYMENT_METHOD, service_provider: { id: 'north' } },
        },
        api_version: '1.1',
      })
      const { transaction, status_id } = endpoint.events[0] as unknown as {
        transaction: { id: string; operations: [{ statuses: [{ id: string }] }] }
        status_id: string
      }
      expect(transaction.id).toBe((data.transactions[0] as unknown as { id: string }).id)
      expect(status_id).toBe(transaction.operations[0].statuses[0].id)
    },
  )

  it('our choice: the statuses of a failed transaction are purchase.failed and failed', async () => {
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

  it(
    'an intent event (shape B) has every documented field, with strings in billing_data',
    holds('intent-event-fields', 'history-fields', 'intent-times', 'billing-data'),
    async () => {
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
        payment_method_name: PAYMENT_METHOD,
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
            method: { display_name: PAYMENT_METHOD, id: string },
            flow: null,
            is_live: false,
            created: expect.stringMatching(SHAPE_B_TIME) as string,
          },
        },
        api_version: '1.1',
      })
    },
  )

  it('our choice: transactions_history has every try, the last of which is active_transaction', async () => {
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
    expect(told).toMatchObject({ is_live: true, custom_fields: null, billing_data: NO_CUSTOMER })
    expect(told.transactions_history).toMatchObject([
      {
        status: 'FAILED',
        amount: '7',
        billing_data: NO_CUSTOMER,
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
  ])(
    'the library recognizes both shapes, %s',
    holds('transaction-fields', 'intent-event-fields'),
    async (_, fields) => {
      const { service, received } = await paid({ fields })
      const options = { secret: service.sandbox.secret, now: () => service.clock.now() }
      const shapes = []
      for (const { bytes, headers } of received) {
        const { event } = await verify(bytes, headers['service-signature'], options)
        shapes.push(event.shape)
      }
      expect(shapes).toEqual(['transaction', 'intent'])
    },
  )

  it('our choice: the library recognizes a failed transaction', async () => {
    const { service, received } = await paid({ card: DECLINED })
    const options = { secret: service.sandbox.secret, now: () => service.clock.now() }
    const { event } = await verify(received[0]!.bytes, received[0]!.headers['service-signature'], options)
    expect(event).toMatchObject({ shape: 'transaction', type: 'transaction.purchase.failed' })
  })

  it(
    'both shapes give the same times, each in its documented format',
    holds('transaction-times', 'intent-times'),
    async () => {
      const { endpoint } = await paid()
      const [a, b] = endpoint.events as unknown as [
        { intent: { created: string }; transaction: { created: string; id: string } },
        { data: { intent: ToldIntent } },
      ]
      const told = b.data.intent
      expect(parseTimestamp(a.intent.created)).toEqual(parseTimestamp(told.created))
      expect(parseTimestamp(a.transaction.created)).toEqual(parseTimestamp(told.active_transaction.created))
      expect(a.transaction.id).toBe(told.active_transaction.id)
    },
  )
})
