import type { IntentPayload, IntentTransaction, TransactionPayload } from '@service-signature/core'
import { printBody, type BodyStyle } from '@service-signature/core/testing'
import { fieldOf, parsedJson } from '@service-signature/deliveries'
import { isoTimestamp, spacedTimestamp } from '../store/clock.js'
import { amountText, decimalAmount } from '../intents/amounts.js'
import { CUSTOMERS, customFieldsOf, type CustomerDetails } from '../customers/customers.js'
import { organizationOf, PAYMENT_METHOD } from '../accounts/organization.js'
import type { Model } from '../faults/faults.js'
import type { Random } from '../store/random.js'
import type { CardTokenIntent, Intent, Transaction } from '../intents/records.js'

/** An event, as it is sent. */
export interface Event {
  readonly type: string
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
  /** Text such as "10.50 EUR", if it is about an amount. */
  readonly amount?: string | undefined
  /** The transaction that it announces, if a payment made it. */
  readonly transactionId?: string
}

/** What the events of a payment say about it. */
export interface EventSubject extends Pick<Intent, 'id' | 'scope' | 'created' | 'transactions'> {
  readonly amount: number
  readonly currency: string
  readonly customFields: Readonly<Record<string, unknown>> | null
  /** Of its customer, if it has one; empty if that is not known any more. */
  readonly details?: CustomerDetails | undefined
  readonly method: { readonly id: string; readonly display_name: string }
}

/** An intent of the sandbox, as its events describe it. */
export function subjectOf(model: Model, intent: Intent): EventSubject {
  const { amount, amount_currency: currency, customer } = intent.request
  return {
    ...intent,
    amount,
    currency,
    customFields: customFieldsOf(intent),
    details: customer === undefined ? undefined : (model.store.get(CUSTOMERS, customer)?.details ?? {}),
    method: { id: organizationOf(model).paymentMethodId, display_name: PAYMENT_METHOD },
  }
}

/** The events of a transaction, in the order in which they are sent: shape A, and shape B where it succeeded. */
export function eventsOf(
  intent: EventSubject,
  transaction: Transaction,
  bodyStyle: BodyStyle,
): readonly Event[] {
  const payloads = [
    transactionEvent(intent, transaction),
    ...(transaction.failure === undefined ? [intentEvent(intent)] : []),
  ]
  return payloads.map((payload) => ({ ...printedEvent(payload, bodyStyle), transactionId: transaction.id }))
}

/** Shape A: how a transaction ended. */
export function transactionEvent(intent: EventSubject, transaction: Transaction): TransactionPayload {
  const amount = { value: intent.amount, currency: intent.currency }
  const status = transaction.failure === undefined ? 'successful' : 'failed'
  const created = spacedTimestamp(transaction.created)
  return {
    type: `transaction.purchase.${status}`,
    status_id: transaction.statusId,
    intent: {
      id: intent.id,
      created: spacedTimestamp(intent.created),
      custom_fields: intent.customFields,
      custom_form_answers: null,
      amount,
    },
    account: { id: intent.scope.accountId },
    transaction: {
      type: 'payment',
      id: transaction.id,
      created,
      status: `purchase.${status}`,
      // Here the service documents an object or null.
      billing_data: intent.details === undefined ? null : billingDataOf(intent),
      external_action_message: [],
      operations: [
        {
          id: transaction.operationId,
          type: 'purchase',
          status,
          amount,
          statuses: [{ id: transaction.statusId, value: status, created }],
        },
      ],
      custom_message: '',
      method: { ...intent.method, service_provider: { id: transaction.providerId } },
    },
    api_version: '1.1',
  }
}

/** Shape B: the intent is paid. */
export function intentEvent(intent: EventSubject): IntentPayload {
  const history = intent.transactions.map((transaction) => describeTransaction(intent, transaction))
  return {
    type: 'intent.processed',
    intent_type: 'PAYMENT',
    data: {
      intent_id: intent.id,
      intent: {
        id: intent.id,
        status: 'PROCESSED',
        amount: intent.amount,
        amount_currency: intent.currency,
        type: 'Payin',
        account: intent.scope.accountId,
        custom_fields: intent.customFields,
        billing_data: billingDataOf(intent),
        active_transaction: history.at(-1)!,
        transactions_history: history,
        method: { display_name: intent.method.display_name, id: intent.method.id },
        flow: null,
        is_live: intent.scope.isLive,
        created: isoTimestamp(intent.created),
      },
    },
    api_version: '1.1',
  }
}

function describeTransaction(intent: EventSubject, transaction: Transaction): IntentTransaction {
  return {
    id: transaction.id,
    custom_fields: intent.customFields,
    created: isoTimestamp(transaction.created),
    status: transaction.failure === undefined ? 'SUCCESSFUL' : 'FAILED',
    amount: decimalAmount(intent.amount, intent.currency),
    amount_currency: intent.currency,
    billing_data: billingDataOf(intent),
    external_action_message: [],
    payment_method: intent.method.id,
    payment_method_name: intent.method.display_name,
    custom_form_answers: null,
    custom_message: '',
    account: intent.scope.accountId,
    provider_transaction_fields: {
      clearingInstituteName: transaction.providerId,
      ExtendedDescription: transaction.failure ?? 'Approved',
    },
    provider_signature_match: true,
  }
}

/** The customer of an intent. The service documents strings, so a name that is not known is empty. */
function billingDataOf({ details = {} }: EventSubject) {
  const { first_name = '', last_name = '', email = '', phone_number = '' } = details
  return { first_name, last_name, email, phone_number }
}

/** What an event says about a card that was saved. */
export type SavedCardSubject = Pick<
  CardTokenIntent,
  'id' | 'scope' | 'created' | 'status' | 'request' | 'paidCardTokenId'
>

export function cardTokenEvent(random: Random, intent: SavedCardSubject, bodyStyle: BodyStyle): Event {
  return printedEvent(cardTokenPayload(random, intent), bodyStyle)
}

/** The event of a card that was saved by a card token intent. The service documents none: all of it is assumed. */
export function cardTokenPayload(random: Random, intent: SavedCardSubject) {
  const { id, scope, created, status, request, paidCardTokenId } = intent
  const { customer, card_token_type = 'UNIVERSAL' } = request
  return {
    type: 'card_token.created',
    status_id: random.id('st'),
    card_token_intent: { id, status, created: spacedTimestamp(created) },
    account: { id: scope.accountId },
    card_token: { id: paidCardTokenId, customer, card_token_type },
    is_live: scope.isLive,
    api_version: '1.1',
  }
}

/** An event with any payload. */
export function printedEvent(payload: unknown, bodyStyle: BodyStyle): Event {
  return eventOf(payload, printBody(payload, bodyStyle))
}

/** An event of any text, which need not be JSON. */
export function textEvent(body: string): Event {
  return eventOf(parsedJson(body), body)
}

function eventOf(payload: unknown, body: string): Event {
  const type = fieldOf(payload, 'type')
  return { type: typeof type === 'string' ? type : '(no type)', body, amount: amountIn(payload) }
}

/** The amount, where an event of one of the two shapes has it. */
function amountIn(payload: unknown): string | undefined {
  const amount = fieldOf(fieldOf(payload, 'intent'), 'amount')
  const intent = fieldOf(fieldOf(payload, 'data'), 'intent')
  const places = [
    [fieldOf(amount, 'value'), fieldOf(amount, 'currency')],
    [fieldOf(intent, 'amount'), fieldOf(intent, 'amount_currency')],
  ]
  for (const [value, currency] of places) {
    if (typeof value === 'number' && typeof currency === 'string') return amountText(value, currency)
  }
  return undefined
}
