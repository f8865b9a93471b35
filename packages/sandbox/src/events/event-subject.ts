import type { CustomerDetails, Intent } from '../store/records.js'

/** What the events of a payment say about it. */
export interface EventSubject extends Pick<
  Intent,
  'id' | 'scope' | 'created' | 'amount' | 'currency' | 'customerId' | 'transactions'
> {
  readonly customFields: Readonly<Record<string, unknown>> | null
  /** Of its customer, as long as that is known. */
  readonly details?: CustomerDetails | undefined
  readonly method: { readonly id: string; readonly display_name: string }
}

/** The customer of an intent. The service documents strings, so a name that is not known is empty. */
export function billingDataOf({ details = {} }: EventSubject) {
  const { first_name = '', last_name = '', email = '', phone_number = '' } = details
  return { first_name, last_name, email, phone_number }
}
