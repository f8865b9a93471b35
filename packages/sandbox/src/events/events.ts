import { isAscii } from 'node:buffer'
import { printBody, type BodyStyle } from '@service-signature/core/testing'
import { amountText } from '../model/amounts.js'
import type { CardTokenIntent, Transaction } from '../model/entities.js'
import type { Random } from '../random.js'
import type { EventContext, EventSubject } from './event-subject.js'
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
  context: EventContext,
  intent: EventSubject,
  transaction: Transaction,
  bodyStyle: BodyStyle,
): readonly Event[] {
  const payloads = [
    transactionEvent(context, intent, transaction),
    ...(transaction.failure === undefined ? [intentEvent(context, intent)] : []),
  ]
  const amount = amountText(intent.amount, intent.currency)
  return payloads.map((payload) => ({
    type: payload.type,
    body: flat(printBody(payload, bodyStyle)),
    amount,
  }))
}

/** What an event says about a card that was saved. */
export type SavedCardSubject = Pick<
  CardTokenIntent,
  'id' | 'scope' | 'cardTokenId' | 'customerId' | 'type' | 'created' | 'status'
>

export function cardTokenEvent(random: Random, intent: SavedCardSubject, bodyStyle: BodyStyle): Event {
  const payload = cardTokenPayload(random, intent)
  return { type: payload.type, body: flat(printBody(payload, bodyStyle)) }
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

/** In one piece, and of one byte a letter if it can be: V8 keeps a text that was joined of many in several times its size. */
function flat(text: string): string {
  const bytes = Buffer.from(text)
  return isAscii(bytes) ? bytes.toString('latin1') : text
}
