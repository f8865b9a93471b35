import { isSameScope, type Customer, type CustomerDetails, type Scope } from './entities.js'
import type { State } from './state.js'

export function createCustomer(state: State, scope: Scope, details: CustomerDetails): Customer {
  const customer = { id: state.random.id('cus'), scope, created: state.now(), details }
  state.customers.set(customer.id, customer)
  return customer
}

/** A customer of another account or mode is not found. */
export function findCustomer(state: State, scope: Scope, id: string): Customer | undefined {
  const customer = state.customers.get(id)
  return customer !== undefined && isSameScope(customer.scope, scope) ? customer : undefined
}
