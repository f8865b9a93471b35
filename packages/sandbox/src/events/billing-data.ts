import type { BillingData } from '@service-signature/core'
import type { Intent } from '../model/intents.js'
import type { World } from '../model/world.js'

/** What both shapes say of the customer (S6.6). Null where there is none. */
export function billingDataOf({ customers }: World, { customerId }: Intent): BillingData | null {
  if (customerId === undefined) return null
  // The customer may have been forgotten to save memory.
  const { first_name, last_name, email, phone_number } = customers.get(customerId)?.details ?? {}
  return {
    first_name: first_name ?? null,
    last_name: last_name ?? null,
    email: email ?? null,
    phone_number: phone_number ?? null,
  }
}
