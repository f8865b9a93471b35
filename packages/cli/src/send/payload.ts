import type { TransactionPayload } from '@service-signature/core'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { randomUUID } from 'node:crypto'

/** The events that can be sent without a file. */
export const EVENTS = ['transaction', 'intent'] as const

export type EventName = (typeof EVENTS)[number]

/**
 * A new purchase each time: it has its own ids, so it is not a duplicate to an endpoint that handles each event once.
 * Otherwise it is the event of the test kit.
 */
export function makeEvent(name: EventName): object {
  const intent = { id: `int_${randomUUID().replaceAll('-', '')}` }
  const transaction: Pick<TransactionPayload['transaction'], 'id'> = { id: randomUUID() }
  if (name === 'transaction') return transactionEvent({ intent, transaction })

  const { active_transaction, ...rest } = intentEvent().data.intent
  const own = { ...active_transaction!, ...transaction }
  return intentEvent({
    data: {
      intent_id: intent.id,
      intent: { ...rest, ...intent, active_transaction: own, transactions_history: [own] },
    },
  })
}
