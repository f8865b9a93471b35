import { printBody, type BodyStyle } from '@service-signature/core/testing'
import type { Intent, Transaction } from '../model/entities.js'
import type { State } from '../model/state.js'
import { intentEvent } from './intent-event.js'
import { transactionEvent } from './transaction-event.js'

/** An event, as it is sent. */
export interface Event {
  readonly type: string
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
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
  return payloads.map((payload) => ({ type: payload.type, body: printBody(payload, bodyStyle) }))
}
