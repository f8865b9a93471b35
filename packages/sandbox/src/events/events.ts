import { printBody, type BodyStyle } from '@service-signature/core/testing'
import { amountText } from '../model/amounts.js'
import { customFieldsOf } from '../model/intents.js'
import { organizationOf, PAYMENT_METHOD, type Model } from '../model/model.js'
import type { Random } from '../random.js'
import type { CardTokenIntent, Intent, Transaction } from '../store/records.js'
import type { EventSubject } from './event-subject.js'
import { intentEvent } from './intent-event.js'
import { spacedTimestamp } from './timestamps.js'
import { transactionEvent } from './transaction-event.js'

/** An event, as it is sent. */
export interface Event {
  readonly type: string
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
  /** Text such as "10.50 EUR", if it is about an amount. */
  readonly amount?: string
  /** The transaction that it announces, if a payment made it. */
  readonly transactionId?: string | undefined
}

/** An intent of the sandbox, as its events describe it. */
export function subjectOf(model: Model, intent: Intent): EventSubject {
  const { customerId } = intent
  return {
    ...intent,
    customFields: customFieldsOf(model, intent),
    details: customerId === undefined ? undefined : model.store.get('customer', customerId)?.details,
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
  const amount = amountText(intent.amount, intent.currency)
  return payloads.map((payload) => ({
    type: payload.type,
    body: printBody(payload, bodyStyle),
    amount,
    transactionId: transaction.id,
  }))
}

/** What an event says about a card that was saved. */
export type SavedCardSubject = Pick<
  CardTokenIntent,
  'id' | 'scope' | 'cardTokenId' | 'customerId' | 'type' | 'created' | 'status'
>

export function cardTokenEvent(random: Random, intent: SavedCardSubject, bodyStyle: BodyStyle): Event {
  const payload = cardTokenPayload(random, intent)
  return { type: payload.type, body: printBody(payload, bodyStyle) }
}

/** The event of a card that was saved by a card token intent. The service documents none: all of it is assumed. */
export function cardTokenPayload(random: Random, intent: SavedCardSubject) {
  const { id, scope, cardTokenId, customerId, type: card_token_type, created } = intent
  return {
    type: 'card_token.created',
    status_id: random.id('st'),
    card_token_intent: { id, status: intent.status, created: spacedTimestamp(created) },
    account: { id: scope.accountId },
    card_token: { id: cardTokenId, customer: customerId, card_token_type },
    is_live: scope.isLive,
    api_version: '1.1',
  }
}
