import { isSameScope, type Scope } from '../accounts/records.js'
import type { Model } from '../faults/faults.js'
import { invalid } from '../http/refusal.js'
import { bytesOf, declareKind } from '../store/table.js'

/** The service documents no fields of a customer; these are those of `billing_data` in its events. */
export interface CustomerDetails {
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly email?: string | undefined
  readonly phone_number?: string | undefined
}

export interface Customer {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  readonly details: CustomerDetails
  /** JSON. */
  readonly customFields?: string | undefined
}

export const CUSTOMERS = declareKind<Customer>({
  name: 'customer',
  limit: 'keep',
  bytesOf: ({ customFields }) => bytesOf([customFields]),
})

/** What a request says of a customer. */
export interface NewCustomer extends CustomerDetails {
  readonly custom_fields?: object
}

export function createCustomer({ store, random, now }: Model, scope: Scope, request: NewCustomer): Customer {
  const { first_name, last_name, email, phone_number, custom_fields } = request
  return store.insert(CUSTOMERS, {
    id: random.id('cus'),
    scope,
    created: now(),
    details: { first_name, last_name, email, phone_number },
    customFields: custom_fields && JSON.stringify(custom_fields),
  })
}

/** @throws {Refusal} if the id does not exist in this account and mode */
export function getCustomer({ store }: Model, scope: Scope, id: string, field: string): Customer {
  const customer = store.get(CUSTOMERS, id)
  if (customer !== undefined && isSameScope(customer.scope, scope)) return customer
  // Only what looks like an id is repeated: a caller may have mixed up fields.
  const named = /^cus_[0-9a-f]{1,64}$/.test(id) ? `customer ${id}` : 'customer with this id'
  throw invalid(
    field,
    'Customer not found',
    `There is no ${named} in this account and mode. Use the id of a customer from the same account and mode.`,
  )
}

/** The merchant's own fields of an intent or of a customer. */
export function customFieldsOf(owner: { readonly customFields?: string | null | undefined }) {
  return JSON.parse(owner.customFields ?? 'null') as Readonly<Record<string, unknown>> | null
}
