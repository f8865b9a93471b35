import type { Intent } from '../model/entities.js'
import type { State } from '../model/state.js'

/** The customer of an intent. The service documents strings, so a name that is not known is empty. */
export function billingDataOf({ customers }: State, { customerId }: Intent) {
  // The customer may have been forgotten to save memory.
  const details = customerId === undefined ? {} : customers.get(customerId)?.details
  const { first_name = '', last_name = '', email = '', phone_number = '' } = details ?? {}
  return { first_name, last_name, email, phone_number }
}
