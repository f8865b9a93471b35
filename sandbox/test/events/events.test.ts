import { verify } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { fieldOf, type Received } from '../support/endpoint.js'
import { startPaid } from '../support/paid.js'
import {
  CARD_TOKENS,
  DECLINED,
  INTENTS,
  PAYMENT_METHOD,
  Service,
  startWithEndpoint,
} from '../support/service.js'

const UUID = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
) as string
const TRANSACTION_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00$/) as string
const INTENT_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string
const STRING = expect.any(String) as string

const JANE = { first_name: 'Jane', last_name: 'Doe of Tallinn', email: '', phone_number: '' }
const NO_CUSTOMER = { first_name: '', last_name: '', email: '', phone_number: '' }
const custom_fields = { order: '1001' }

const PAID = ['transaction.purchase.successful', 'intent.processed']

/** What the library recognizes in a delivery. */
async function recognized(service: Service, { bytes, headers }: Received) {
  const options = { secret: service.sandbox.secret, now: () => service.clock.now() }
  return (await verify(bytes, headers['service-signature'], options)).event
}

describe('The events of a payment', () => {
  // Specification: events-sent, json-body
  it('are sent to its webhook_url as JSON, (our choice) that of the transaction before that of the intent', async () => {
    const { endpoint, received } = await startPaid()
    expect(endpoint.types).toEqual(PAID)
    for (const { method, path, headers, bytes } of received) {
      expect({ method, path }).toEqual({ method: 'POST', path: '/webhooks' })
      expect(headers['content-type']).toBe('application/json')
      expect(headers['content-length']).toBe(String(bytes.length))
    }
  })

  // Specification: events-sent
  it('are not sent without a webhook_url', async () => {
    const { service } = await startPaid({ webhook_url: undefined })
    expect(await service.deliveries()).toEqual([])
  })

  it('our choice: a declined payment sends transaction.purchase.failed alone, which names no success', async () => {
    const { service, endpoint, received } = await startPaid({}, { card: DECLINED })
    const operations = [{ status: 'failed', statuses: [{ value: 'failed' }] }]
    const transaction = { status: 'purchase.failed', operations }
    expect(endpoint.events).toMatchObject([{ type: 'transaction.purchase.failed', transaction }])
    expect(received[0]!.bytes.toString()).not.toContain('success')
    expect(await recognized(service, received[0]!)).toMatchObject({ shape: 'transaction' })
  })

  it('our choice: transactions_history has every try, the last of which is active_transaction', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const intent = { amount: 7, amount_currency: 'JPY', webhook_url: endpoint.url }
    const { id } = (await service.intent(intent)).data
    for (const card of [{ card: DECLINED }, undefined]) {
      await service.pay(id, card)
      await service.sandbox.idle()
      service.clock.advance(60_000)
    }
    expect(endpoint.types).toEqual(['transaction.purchase.failed', ...PAID])
    const paid = fieldOf(endpoint.events[2], 'data.intent') as { transactions_history: { created: string }[] }
    const why = { ExtendedDescription: 'The card was declined' }
    expect(paid).toMatchObject({
      custom_fields: null,
      transactions_history: [
        { status: 'FAILED', amount: '7', provider_transaction_fields: why },
        { status: 'SUCCESSFUL', amount: '7' },
      ],
      active_transaction: paid.transactions_history[1],
    })
    const [from, to] = paid.transactions_history.map(({ created }) => Date.parse(created))
    expect(to! - from!).toBe(60_000)
  })
})

describe('The fields of events', () => {
  // Specification: transaction-fields, transaction-times
  it('a transaction event has every documented field', async () => {
    const amount = { value: 12.3, currency: 'USD' }
    const fields = { amount: 12.3, amount_currency: 'USD', custom_fields }
    const { service, endpoint, intentId } = await startPaid(fields)
    const statuses = [{ id: STRING, value: 'successful', created: TRANSACTION_TIME }]
    expect(endpoint.events[0]).toEqual({
      type: 'transaction.purchase.successful',
      status_id: STRING,
      intent: { id: intentId, created: TRANSACTION_TIME, custom_fields, custom_form_answers: null, amount },
      account: { id: service.sandbox.accountId },
      transaction: {
        type: 'payment',
        id: UUID,
        created: TRANSACTION_TIME,
        status: 'purchase.successful',
        billing_data: JANE,
        external_action_message: [],
        operations: [{ id: STRING, type: 'purchase', status: 'successful', amount, statuses }],
        custom_message: '',
        method: { id: STRING, display_name: PAYMENT_METHOD, service_provider: { id: 'north' } },
      },
      api_version: '1.1',
    })
    const [event] = endpoint.events
    const { data } = await service.get(`${INTENTS}${intentId}/`)
    expect(data.transactions).toMatchObject([{ id: fieldOf(event, 'transaction.id') }])
    const status = fieldOf(event, 'transaction.operations.0.statuses.0.id')
    expect(fieldOf(event, 'status_id')).toBe(status)
  })

  // Specification: intent-event-fields, history-fields, intent-times, billing-data
  it.each([false, true])(
    'an intent event has every documented field, in live mode too: %s',
    async (isLive) => {
      const { service, endpoint, intentId } = await startPaid({ amount: 50.5, custom_fields }, { isLive })
      const { accountId: account } = service.sandbox
      const transaction = {
        id: UUID,
        custom_fields,
        created: INTENT_TIME,
        status: 'SUCCESSFUL',
        amount: '50.50',
        amount_currency: 'EUR',
        billing_data: JANE,
        external_action_message: [],
        payment_method: STRING,
        payment_method_name: PAYMENT_METHOD,
        custom_form_answers: null,
        custom_message: '',
        account,
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
            account,
            custom_fields,
            billing_data: JANE,
            active_transaction: transaction,
            transactions_history: [transaction],
            method: { display_name: PAYMENT_METHOD, id: expect.stringMatching(/^pm_/) as string },
            flow: null,
            is_live: isLive,
            created: INTENT_TIME,
          },
        },
        api_version: '1.1',
      })
      const { list } = await service.get('/_sandbox/newest/deliveries/')
      expect(list.map((delivery) => delivery.is_live)).toEqual([isLive, isLive])
    },
  )

  // Specification: billing-data
  it.each([
    ['with a name', { first_name: '\u00c5sa' }, { ...NO_CUSTOMER, first_name: '\u00c5sa' }],
    ['without names', {}, NO_CUSTOMER],
    ['that there is not', undefined, NO_CUSTOMER],
  ])('billing_data of an intent event has strings, for a customer %s', async (_, details, expected) => {
    const { service, endpoint } = await startWithEndpoint()
    const customer = details && (await service.customer(details))
    await service.sent(endpoint.url, { customer, custom_fields: { any: { thing: [1, null] } } })
    const [transaction, intent] = endpoint.events
    expect(fieldOf(intent, 'data.intent.billing_data')).toEqual(expected)
    // In a transaction event it is an object or null.
    const inTransaction = details === undefined ? null : expected
    expect(fieldOf(transaction, 'transaction.billing_data')).toEqual(inTransaction)
    const events = await Promise.all(endpoint.received.map((each) => recognized(service, each)))
    expect(events).toMatchObject([{ shape: 'transaction' }, { shape: 'intent' }])
  })
})

describe('The event of a saved card', () => {
  async function tokenize(options: { readonly cardTokenEvents?: boolean }) {
    const { service, endpoint } = await startWithEndpoint(options)
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer, webhook_url: endpoint.url })).data
    const token = (await service.pay(id)).data.card_token!
    await service.sandbox.idle()
    return { service, endpoint, customer, id, token }
  }

  it('our choice: card_token.created, which receivers do not know, is sent to its webhook_url', async () => {
    const { service, endpoint, customer, id, token } = await tokenize({})
    const type = 'card_token.created'
    expect(endpoint.events).toMatchObject([
      {
        type,
        card_token_intent: { id, status: 'PROCESSED' },
        account: { id: service.sandbox.accountId },
        card_token: { id: token, customer, card_token_type: 'UNIVERSAL' },
        is_live: false,
        api_version: '1.1',
      },
    ])
    const event = await recognized(service, endpoint.received[0]!)
    expect(event).toMatchObject({ type: 'unrecognized', reason: 'unknown-type', receivedType: type })
  })

  it('our choice: with cardTokenEvents false, a saved card sends nothing', async () => {
    const { endpoint } = await tokenize({ cardTokenEvents: false })
    expect(endpoint.received).toEqual([])
  })
})
