// Compiled with the workspace (npm run types), never run: how events narrow.
import { createDispatcher } from '@service-signature/core'
import type {
  BillingData,
  IntentEvent,
  IntentPayload,
  IntentTransaction,
  Operation,
  TransactionEvent,
  TransactionPayload,
  UnrecognizedEvent,
  VerifiedWebhook,
} from '@service-signature/core'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import type { InferOutput } from 'valibot'
import type { intentSchema, transactionSchema } from '../support/schemas.js'
import { is, type Equal, type HasAny, type IsAny } from './assert.js'

is<Equal<HasAny<TransactionPayload>, false>>()
is<Equal<HasAny<IntentPayload>, false>>()
is<Equal<HasAny<VerifiedWebhook>, false>>()
// As another library reads the same schemas.
is<Equal<TransactionPayload, InferOutput<typeof transactionSchema>>>()
is<Equal<IntentPayload, InferOutput<typeof intentSchema>>>()
// The guard itself guards.
is<Equal<HasAny<{ a: { b?: any }[] }>, true>>()

createDispatcher()
  .on('transaction.purchase.successful', (webhook) => {
    is<Equal<typeof webhook.shape, 'transaction'>>()
    is<Equal<typeof webhook.event.type, 'transaction.purchase.successful'>>()
    is<Equal<typeof webhook.payload, TransactionPayload>>()
    is<Equal<typeof webhook.event.payload, TransactionPayload>>()
    const [operation] = webhook.payload.transaction.operations
    is<Equal<typeof operation, Operation | undefined>>()
    is<Equal<NonNullable<typeof operation>['amount']['value'], number>>()
    is<Equal<typeof webhook.rawBody, Uint8Array>>()
    // @ts-expect-error: shape A has no data
    void webhook.payload.data
    // @ts-expect-error: misspelled
    void webhook.payload.transacton
  })
  .on('transaction.*.successful', ({ event }) => is<Equal<typeof event, TransactionEvent>>())
  .on('intent.*', ({ event, payload }) => {
    is<Equal<typeof event, IntentEvent>>()
    is<Equal<typeof payload.data.intent.active_transaction, IntentTransaction | null>>()
    is<Equal<typeof payload.data.intent.billing_data, BillingData | null>>()
    is<Equal<BillingData['email'], string | null>>()
    is<Equal<typeof payload.data.intent.flow, unknown>>()
    is<Equal<typeof payload.data.intent.method.id, string | undefined>>()
    // @ts-expect-error: it may be null
    void payload.data.intent.active_transaction.id
  })
  .on('*', (webhook) => {
    is<Equal<typeof webhook.shape, 'transaction' | 'intent'>>()
    // @ts-expect-error: to be narrowed first
    void webhook.payload.transaction
    if (webhook.shape === 'transaction') is<Equal<typeof webhook.payload, TransactionPayload>>()
    else is<Equal<typeof webhook.payload, IntentPayload>>()
    if (webhook.event.shape === 'intent') is<Equal<typeof webhook.event.payload, IntentPayload>>()
  })
  .on('*.purchase.successful', ({ shape }) => is<Equal<typeof shape, 'transaction' | 'intent'>>())
  .otherwise((webhook) => {
    is<Equal<IsAny<typeof webhook.payload>, false>>()
    is<Equal<typeof webhook.shape, 'transaction' | 'intent' | 'unrecognized'>>()
    if (webhook.shape === 'unrecognized') is<Equal<typeof webhook.payload, unknown>>()
  })
  // @ts-expect-error: a misspelled family
  .on('transactoin.*', () => undefined)
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

is<Equal<ReturnType<typeof transactionEvent>, TransactionPayload>>()
intentEvent({ data: { intent: { active_transaction: null, custom_fields: { any: 'key' } } } })
// @ts-expect-error: a number
transactionEvent({ intent: { amount: { value: '50.5' } } })
// @ts-expect-error: misspelled
transactionEvent({ intent: { amuont: { value: 50.5 } } })
