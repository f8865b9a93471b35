import type { Customer, Intent } from '../model/entities.js'

/** What the events of a payment say about it. */
export type EventSubject = Pick<
  Intent,
  'id' | 'scope' | 'created' | 'amount' | 'currency' | 'customerId' | 'customFields' | 'transactions'
>

/** Where events look up the rest. */
export interface EventContext {
  readonly customers: ReadonlyMap<string, Customer>
  readonly paymentMethod: { readonly id: string; readonly name: string }
}

/** The customer of an intent. The service documents strings, so a name that is not known is empty. */
export function billingDataOf({ customers }: EventContext, { customerId }: EventSubject) {
  // The customer may have been forgotten to save memory.
  const details = customerId === undefined ? {} : customers.get(customerId)?.details
  const { first_name = '', last_name = '', email = '', phone_number = '' } = details ?? {}
  return { first_name, last_name, email, phone_number }
}
