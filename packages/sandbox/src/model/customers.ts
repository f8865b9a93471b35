import { isSameScope, type Customer, type CustomerDetails, type Scope } from '../store/records.js'
import type { Model } from './model.js'
import { invalid } from './refusal.js'

export function createCustomer(
  { store, random, now }: Model,
  scope: Scope,
  details: CustomerDetails,
  customFields: object | undefined,
): Customer {
  return store.insert('customer', {
    id: random.id('cus'),
    scope,
    created: now(),
    details,
    customFields: customFields && store.writeText(JSON.stringify(customFields)),
  })
}

/** @throws {Refusal} if the id does not exist in this account and mode */
export function getCustomer({ store }: Model, scope: Scope, id: string, field: string): Customer {
  const customer = store.get('customer', id)
  if (customer !== undefined && isSameScope(customer.scope, scope)) return customer
  // Only what looks like an id is repeated: a caller may have mixed up fields.
  const named = /^cus_[0-9a-f]{1,64}$/.test(id) ? `customer ${id}` : 'customer with this id'
  throw invalid(
    field,
    'Customer not found',
    `There is no ${named} in this account and mode. Use the id of a customer from the same account and mode.`,
  )
}
