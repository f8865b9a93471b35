import { isSameScope, type Customer, type CustomerDetails, type Scope } from './entities.js'
import { invalid } from './refusal.js'
import type { State } from './state.js'

export function createCustomer(state: State, scope: Scope, details: CustomerDetails): Customer {
  const customer = { id: state.random.id('cus'), scope, created: state.now(), details }
  state.customers.set(customer.id, customer)
  return customer
}

/** @throws {Refusal} if the id does not exist in this account and mode */
export function getCustomer(state: State, scope: Scope, id: string, field: string): Customer {
  const customer = state.customers.get(id)
  if (customer !== undefined && isSameScope(customer.scope, scope)) return customer
  // Only what looks like an id is repeated: a caller may have mixed up fields.
  const named = /^cus_[0-9a-f]{1,64}$/.test(id) ? `customer ${id}` : 'customer with this id'
  throw invalid(
    field,
    'Customer not found',
    `There is no ${named} in this account and mode. Use the id of a customer from the same account and mode.`,
  )
}
