import type { BillingData } from '@service-signature/core'
import type { Intent } from '../model/entities.js'
import type { State } from '../model/state.js'

/** What both shapes say of the customer (S6.6). Null where there is none. */
export function billingDataOf({ customers }: State, { customerId }: Intent): BillingData | null {
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
