import type { TransactionPayload } from '@service-signature/core'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { randomUUID } from 'node:crypto'
import { oneOf } from '../values.js'

/** The types of the events that can be sent without a file. */
export const EVENTS = ['transaction.purchase.successful', 'intent.processed'] as const

export type EventType = (typeof EVENTS)[number]

/** Their short names, and those of the templates of the sandbox. */
const NAMES: ReadonlyMap<string, EventType> = new Map([
  ['transaction', EVENTS[0]],
  ['purchase-successful', EVENTS[0]],
  ['intent', EVENTS[1]],
  ['intent-processed', EVENTS[1]],
])

/** @throws {UsageError} on a name that no event has */
export function eventType(name: string): EventType {
  return NAMES.get(name) ?? oneOf('--event', EVENTS, name)
}

/**
 * A new purchase each time: it has its own ids, so it is not a duplicate to an endpoint that handles each event once.
 * Otherwise it is the event of the test kit.
 */
export function makeEvent(type: EventType): object {
  const intent = { id: `int_${randomUUID().replaceAll('-', '')}` }
  const transaction: Pick<TransactionPayload['transaction'], 'id'> = { id: randomUUID() }
  if (type === EVENTS[0]) return transactionEvent({ intent, transaction })

  const { active_transaction, ...rest } = intentEvent().data.intent
  const own = { ...active_transaction!, ...transaction }
  return intentEvent({
    data: {
      intent_id: intent.id,
      intent: { ...rest, ...intent, active_transaction: own, transactions_history: [own] },
    },
  })
}
