// How events narrow, with every compiler: each line is a promise of the types.
import { createDispatcher, EVENT_TYPES, recognize } from '@service-signature/core'
import type {
  EventHandler,
  IntentPayload,
  TransactionPayload,
  VerifiedWebhook,
  WebhookEvent,
} from '@service-signature/core'
import { intentEvent, transactionEvent, verifiedWebhook } from '@service-signature/core/testing'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function is<T extends true>(): T | undefined {
  return undefined
}

export function narrows(event: VerifiedWebhook['event']): void {
  // @ts-expect-error: its type must be checked first
  void event.payload.intent
  switch (event.type) {
    case 'transaction.purchase.successful':
      is<Equal<typeof event.payload, TransactionPayload>>()
      is<Equal<typeof event.type, 'transaction.purchase.successful'>>()
      break
    case 'transaction.refund.successful':
      is<Equal<typeof event.payload, TransactionPayload>>()
      break
    case 'intent.processed':
      is<Equal<typeof event.payload, IntentPayload>>()
      break
    case 'unrecognized':
      is<Equal<typeof event.payload, unknown>>()
      is<Equal<typeof event.reason, 'unknown-type' | 'invalid-payload'>>()
      break
    // @ts-expect-error: not of a known family
    case 'payout.sent':
      break
  }
  if (event.type === 'intent.processed') is<Equal<typeof event.payload, IntentPayload>>()
  if (event.shape === 'transaction') is<Equal<typeof event.payload, TransactionPayload>>()
}

is<Equal<(typeof EVENT_TYPES)[number], 'transaction.purchase.successful' | 'intent.processed'>>()
is<Equal<ReturnType<typeof recognize>, WebhookEvent>>()

const fulfil: EventHandler<'transaction.purchase.successful'> = ({ payload, event, rawBody }) => {
  is<Equal<typeof payload, TransactionPayload>>()
  is<Equal<typeof event.type, 'transaction.purchase.successful'>>()
  is<Equal<typeof rawBody.byteLength, number>>()
  is<Equal<typeof payload.intent.amount.value, number>>()
  // @ts-expect-error: it may be absent or null
  void payload.transaction.method.id
}
const audit: EventHandler<'intent.*'> = ({ payload }) => is<Equal<typeof payload, IntentPayload>>()

export const dispatcher = createDispatcher()
  .on('transaction.purchase.successful', fulfil)
  .on('intent.processed', audit)
  .on('transaction.*.successful', ({ payload }) => is<Equal<typeof payload, TransactionPayload>>())
  .on('card_token.*', ({ payload, reason }) => {
    is<Equal<typeof payload, unknown>>()
    is<Equal<typeof reason, 'unknown-type'>>()
  })
  .on('*', (webhook) => {
    is<Equal<typeof webhook.shape, 'transaction' | 'intent'>>()
    switch (webhook.type) {
      case 'transaction.purchase.successful':
        is<Equal<typeof webhook.payload, TransactionPayload>>()
        break
      case 'intent.processed':
        is<Equal<typeof webhook.payload, IntentPayload>>()
        break
    }
  })
  .otherwise(({ event }) => narrows(event))
  // @ts-expect-error: the whole family is intent.*
  .on('intent', () => undefined)
// @ts-expect-error: a handler of another shape
dispatcher.on('intent.processed', fulfil)
// @ts-expect-error: a payload is not an event
void dispatcher.dispatch(transactionEvent())
void dispatcher.dispatch(recognize(transactionEvent()))

fulfil(verifiedWebhook(transactionEvent()))
audit(verifiedWebhook(intentEvent({ data: { intent: { billing_data: null } } })))
// @ts-expect-error: a string has no fields to override
transactionEvent({ transaction: { status: { length: 3 } } })
// @ts-expect-error: an essential field cannot be null
transactionEvent({ transaction: { id: null } })
