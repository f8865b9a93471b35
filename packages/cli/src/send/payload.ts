import { EVENT_TYPES } from '@service-signature/core'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { oneOf } from '@service-signature/terminal'
import { randomUUID } from 'node:crypto'

export type EventType = (typeof EVENT_TYPES)[number]

/**
 * The type that a name stands for: the type itself, its last two words as in the templates of the sandbox (`purchase-successful`),
 * or its family (`transaction`), which is the first type of that family.
 *
 * @throws {UsageError} on a name that no event has
 */
export function eventType(name: string): EventType {
  const type = EVENT_TYPES.find((type) => {
    const words = type.split('.')
    return name === words[0] || name === words.slice(-2).join('-')
  })
  return type ?? oneOf('--event', EVENT_TYPES, name)
}

/**
 * A new purchase each time: it has its own ids, so it is not a duplicate to an endpoint that handles each event once.
 * Otherwise it is the event of the test kit. If its type is changed to another one of its family, its statuses are those of the other.
 */
export function makeEvent(type: EventType, changed: unknown = type): object {
  const intent = { id: `int_${randomUUID().replaceAll('-', '')}` }
  const transaction = { id: randomUUID() }
  if (isOf('transaction', type)) {
    return transactionEvent({ type: isOf('transaction', changed) ? changed : type, intent, transaction })
  }
  const shown = isOf('intent', changed) ? changed : type
  const { active_transaction, ...rest } = intentEvent({ type: shown }).data.intent
  const own = { ...active_transaction!, ...transaction }
  return intentEvent({
    type: shown,
    data: {
      intent_id: intent.id,
      intent: { ...rest, ...intent, active_transaction: own, transactions_history: [own] },
    },
  })
}

function isOf<Family extends string>(family: Family, type: unknown): type is `${Family}.${string}` {
  return typeof type === 'string' && type.startsWith(`${family}.`)
}
