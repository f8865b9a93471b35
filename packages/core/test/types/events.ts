// Compiled with the workspace (npm run types) and by each TypeScript (npm run consumers), never run: how events narrow.
import {
  createDispatcher,
  EVENT_TYPES,
  recognize,
  type Amount,
  type BillingData,
  type DispatchedWebhook,
  type EventHandler,
  type Intent,
  type IntentEvent,
  type IntentPayload,
  type IntentTransaction,
  type Operation,
  type StandardSchema,
  type Transaction,
  type TransactionEvent,
  type TransactionIntent,
  type TransactionPayload,
  type UnrecognizedEvent,
  type VerifiedWebhook,
  type WebhookEvent,
} from '@service-signature/core'
import {
  intentEvent,
  transactionEvent,
  verifiedWebhook,
  type Overrides,
} from '@service-signature/core/testing'
import { is, type Equal, type IsAny } from './assert.js'

declare const ofOrders: StandardSchema<{ order: number }>
createDispatcher()
  .on('transaction.*', { schema: ofOrders }, ({ payload, event, timestamp }) => {
    is<Equal<typeof payload, { order: number }>>()
    is<Equal<typeof event.payload, TransactionPayload>>()
    is<Equal<typeof timestamp, number>>()
  })
  // @ts-expect-error: not a schema
  .on('intent.*', { schema: {} }, () => undefined)
createDispatcher()
  .on('transaction.purchase.successful', (webhook) => {
    is<Equal<typeof webhook.shape, 'transaction'>>()
    is<Equal<typeof webhook, DispatchedWebhook<TransactionEvent<'transaction.purchase.successful'>>>>()
    is<Equal<typeof webhook.event.type, 'transaction.purchase.successful'>>()
    is<Equal<typeof webhook.payload, TransactionPayload>>()
    is<Equal<typeof webhook.payload.account.id, string>>()
    is<Equal<typeof webhook.payload.intent, TransactionIntent>>()
    is<Equal<typeof webhook.payload.transaction, Transaction>>()
    is<Equal<typeof webhook.payload.intent.amount, Amount>>()
    is<Equal<Amount['value'], number>>()
    is<Equal<typeof webhook.event.payload, TransactionPayload>>()
    const [operation] = webhook.payload.transaction.operations ?? []
    is<Equal<typeof operation, Operation | undefined>>()
    is<Equal<NonNullable<typeof operation>['amount'], Amount>>()
    is<Equal<typeof webhook.rawBody, Uint8Array>>()
    // @ts-expect-error: a transaction event has no data
    void webhook.payload.data
    // @ts-expect-error: misspelled
    void webhook.payload.transacton
  })
  .on('transaction.*.successful', ({ event }) => is<Equal<typeof event, TransactionEvent>>())
  .on('intent.*', ({ event, payload }) => {
    is<Equal<typeof event, IntentEvent>>()
    is<Equal<typeof payload.data.intent.active_transaction, IntentTransaction | null | undefined>>()
    is<Equal<typeof payload.data.intent.billing_data, BillingData | null | undefined>>()
    is<Equal<BillingData['email'], string | null | undefined>>()
    is<Equal<typeof payload.data.intent.flow, unknown>>()
    is<Equal<NonNullable<typeof payload.data.intent.method>['id'], string | number | null | undefined>>()
    is<Equal<typeof payload.data.intent, Intent>>()
    // Essential fields are always present.
    is<Equal<typeof payload.data.intent.amount, number>>()
    is<Equal<IntentTransaction['amount'], string>>()
    is<Equal<typeof payload.data.intent.id, string>>()
    is<Equal<typeof payload.data.intent.account, string>>()
    // @ts-expect-error: it may be absent or null
    void payload.data.intent.active_transaction.id
  })
  .on('*', (webhook) => {
    is<Equal<typeof webhook.shape, 'transaction' | 'intent'>>()
    // @ts-expect-error: to be narrowed first
    void webhook.payload.transaction
    if (webhook.shape === 'transaction') is<Equal<typeof webhook.payload, TransactionPayload>>()
    else is<Equal<typeof webhook.payload, IntentPayload>>()
    if (webhook.event.shape === 'intent') is<Equal<typeof webhook.event.payload, IntentPayload>>()
    // The event has the shape of its delivery.
    if (webhook.shape === 'intent') is<Equal<typeof webhook.event, IntentEvent>>()
  })
  .on('*.purchase.successful', ({ shape }) => is<Equal<typeof shape, 'transaction' | 'intent'>>())
  .otherwise((webhook) => {
    is<Equal<IsAny<typeof webhook.payload>, false>>()
    is<Equal<typeof webhook.shape, 'transaction' | 'intent' | 'unrecognized'>>()
    if (webhook.shape === 'unrecognized') is<Equal<typeof webhook.payload, unknown>>()
  })
  .on('card_token.*', (webhook) => {
    is<Equal<typeof webhook.payload, unknown>>()
    is<Equal<typeof webhook.receivedType, string>>()
    is<Equal<typeof webhook.reason, 'unknown-type'>>()
  })
  // @ts-expect-error: no family at all
  .on('purchase', () => undefined)
  // @ts-expect-error: the whole family is intent.*
  .on('intent', () => undefined)

// Known values are offered, others are as good, and other types are not.
declare const operation: Operation
if (operation.status === 'successful' || operation.status === 'partially_refunded') void operation
// @ts-expect-error: a status is a string
void (operation.status === 5)

declare const event: VerifiedWebhook['event']
if (event.shape === 'unrecognized') is<Equal<typeof event, UnrecognizedEvent>>()
// @ts-expect-error: its type must be checked first
void event.payload.intent
switch (event.type) {
  case 'transaction.purchase.successful':
    is<Equal<typeof event, TransactionEvent>>()
    is<Equal<typeof event.payload.intent.amount.value, number>>()
    break
  // Other types of a known family work, too.
  case 'transaction.refund.successful':
    is<Equal<typeof event.payload, TransactionPayload>>()
    break
  case 'intent.processed':
    is<Equal<typeof event.payload, IntentPayload>>()
    break
  case 'unrecognized':
    is<Equal<typeof event, UnrecognizedEvent>>()
    is<Equal<typeof event.receivedType, string | undefined>>()
    break
  // @ts-expect-error: of no known family
  case 'payout.sent':
    break
}
if (event.type === 'intent.processed') is<Equal<typeof event.payload, IntentPayload>>()

// The names that editors complete.
is<
  Equal<
    (typeof EVENT_TYPES)[number],
    'transaction.purchase.successful' | 'transaction.purchase.failed' | 'intent.processed'
  >
>()
is<Equal<ReturnType<typeof recognize>, WebhookEvent>>()

// A handler in another file.
const fulfil: EventHandler<'transaction.purchase.successful'> = ({ payload, event, rawBody }) => {
  is<Equal<typeof payload, TransactionPayload>>()
  is<Equal<typeof event.type, 'transaction.purchase.successful'>>()
  // @ts-expect-error: an id is a text
  void (payload.account.id === 5)
  // @ts-expect-error: an amount is a number
  void (payload.intent.amount.value === '50.5')
  is<Equal<typeof rawBody, Uint8Array>>()
}
const audit: EventHandler<'intent.*'> = ({ payload }) => is<Equal<typeof payload, IntentPayload>>()
const other: EventHandler<'card_token.*'> = ({ payload }) => is<Equal<typeof payload, unknown>>()
const dispatcher = createDispatcher()
dispatcher
  .on('transaction.purchase.successful', fulfil)
  .on('intent.processed', audit)
  .on('card_token.*', other)
// @ts-expect-error: another shape
dispatcher.on('intent.processed', fulfil)
// @ts-expect-error: not a pattern
export type Wrong = EventHandler<'purchase'>
void dispatcher.dispatch(event)
void dispatcher.dispatch(recognize({}))
// @ts-expect-error: a payload is not an event
void dispatcher.dispatch(transactionEvent())

// The argument of a handler, for tests.
fulfil(verifiedWebhook(transactionEvent()))
audit(verifiedWebhook(intentEvent()))

transactionEvent() satisfies TransactionPayload
transactionEvent({ type: 'transaction.x' }).type satisfies 'transaction.x'
// @ts-expect-error: a handler of another type
fulfil(verifiedWebhook(transactionEvent({ type: 'transaction.purchase.failed' })))
intentEvent({ data: { intent: { active_transaction: null, custom_fields: { any: 'key' } } } })
// @ts-expect-error: a number
transactionEvent({ intent: { amount: { value: '50.5' } } })
// @ts-expect-error: misspelled
transactionEvent({ intent: { amuont: { value: 50.5 } } })
transactionEvent({
  transaction: {
    custom_message: null,
    operations: [{ status: 'failed', amount: { value: 1, currency: 'EUR' } }],
  },
})
// @ts-expect-error: a string has no fields to override
transactionEvent({ transaction: { status: { length: 3 } } })
// @ts-expect-error: an essential field cannot be null
transactionEvent({ transaction: { id: null } })
// @ts-expect-error: of another family
transactionEvent({ type: 'intent.processed' })
is<Equal<Overrides<string & Record<never, never>>, string & Record<never, never>>>()
