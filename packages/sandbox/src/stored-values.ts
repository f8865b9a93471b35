import { Delivery, DELIVERY_KIND, type DeliveryRecord } from './deliveries/delivery.js'
import type { Scope } from './model/entities.js'
import type { Revive } from './storage/data-folder.js'

/** The fields in which thousands of records have the same text. */
const SHARED = ['type', 'url', 'webhookUrl', 'keyId', 'currency', 'amount', 'customerId'] as const

type Shared = Partial<Record<(typeof SHARED)[number], unknown>> & { scope?: Scope }

/** Makes values of the records of a folder. What many of them have in common is in memory once, as before the restart. */
export function reviver(): Revive {
  const texts = new Map<unknown, unknown>()
  const scopes = new Map<string, Scope>()
  return (kind, value) => {
    if (typeof value !== 'object' || value === null) return value
    const record: Shared = value
    for (const name of SHARED) {
      const text = record[name]
      if (typeof text === 'string') record[name] = firstOf(texts, text, text)
    }
    if (record.scope !== undefined) {
      record.scope = firstOf(scopes, `${record.scope.isLive} ${record.scope.accountId}`, record.scope)
    }
    return kind === DELIVERY_KIND ? new Delivery(record as DeliveryRecord) : record
  }
}

/** The value that came first with this key. */
function firstOf<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): Value {
  const first = known.get(key)
  if (first !== undefined) return first
  known.set(key, value)
  return value
}
