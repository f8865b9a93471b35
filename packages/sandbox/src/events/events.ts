import { printBody, type BodyStyle } from '@service-signature/core/testing'
import { decimalAmount } from '../model/amounts.js'
import type { CardTokenIntent, Intent, Transaction } from '../model/entities.js'
import type { State } from '../model/state.js'
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
}

/** The events of a transaction, in the order in which they are sent: shape A, and shape B where it succeeded. */
export function eventsOf(
  state: State,
  intent: Intent,
  transaction: Transaction,
  bodyStyle: BodyStyle,
): readonly Event[] {
  const payloads = [
    transactionEvent(state, intent, transaction),
    ...(transaction.failure === undefined ? [intentEvent(state, intent)] : []),
  ]
  const amount = `${decimalAmount(intent.amount, intent.currency)} ${intent.currency}`
  return payloads.map((payload) => ({ type: payload.type, body: printBody(payload, bodyStyle), amount }))
}

/** The event of a card that was saved by a card token intent. The service documents none: all of it is assumed. */
export function cardTokenEvent(state: State, intent: CardTokenIntent, bodyStyle: BodyStyle): Event {
  const { id, scope, cardTokenId, customerId, type: card_token_type, created } = intent
  const payload = {
    type: 'card_token.created',
    status_id: state.random.id('st'),
    card_token_intent: { id, status: intent.status, created: spacedTimestamp(created) },
    account: { id: scope.accountId },
    card_token: { id: cardTokenId, customer: customerId, card_token_type },
    is_live: scope.isLive,
    api_version: '1.1',
  }
  return { type: payload.type, body: printBody(payload, bodyStyle) }
}
