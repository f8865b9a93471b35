import { isSameScope, type Scope } from './credentials.js'
import type { World } from './world.js'

/** What is known of a customer. S2.3 shows no fields; these are those of `billing_data` in S6.6. */
export interface CustomerDetails {
  readonly first_name?: string
  readonly last_name?: string
  readonly email?: string
  readonly phone_number?: string
  readonly custom_fields?: Readonly<Record<string, unknown>>
}

export interface Customer {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  readonly details: CustomerDetails
}

export function createCustomer(world: World, scope: Scope, details: CustomerDetails): Customer {
  const customer = { id: world.random.id('cus'), scope, created: world.now(), details }
  world.customers.set(customer.id, customer)
  return customer
}

/** A customer of another account or mode is not found (S2.3). */
export function findCustomer(world: World, scope: Scope, id: string): Customer | undefined {
  const customer = world.customers.get(id)
  return customer !== undefined && isSameScope(customer.scope, scope) ? customer : undefined
}
