import {
  CARDS,
  COLLECTED_CARDS,
  CUSTOMERS,
  isSameScope,
  OWN_VAULT,
  type Card,
  type CardToken,
  type CardTokenType,
  type CollectedCard,
  type Customer,
  type CustomerDetails,
  type Scope,
} from '../store/records.js'
import type { Model } from './model.js'
import type { Provider } from './providers.js'
import { invalid, unknown } from './refusal.js'

export function createCustomer(
  { store, random, now }: Model,
  scope: Scope,
  details: CustomerDetails,
  customFields: object | undefined,
): Customer {
  return store.insert(CUSTOMERS, {
    id: random.id('cus'),
    scope,
    created: now(),
    details,
    customFields: customFields && JSON.stringify(customFields),
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

export interface NewCardToken {
  readonly scope: Scope
  readonly customerId: string
  readonly type: CardTokenType
}

/** Saves a card in every vault that its type requires. If the service's own is unreachable, nothing is saved. */
export function saveCard(
  { store, random, faults, now }: Model,
  { scope, customerId, type }: NewCardToken,
  card: Card,
  provider: Provider,
): CardToken | undefined {
  const id = random.id('tok')
  if (type !== 'PROVIDER' && faults.vaultIsDown()) return undefined
  return store.insert(CARDS, {
    id,
    scope,
    created: now(),
    customerId,
    type,
    ...(type !== 'UNIVERSAL' && { providerId: provider.id }),
    card,
    holders: [...(type === 'PROVIDER' ? [] : [OWN_VAULT]), ...(type === 'UNIVERSAL' ? [] : [provider.id])],
  })
}

/** @throws {Refusal} if the id is unknown, or belongs to another account, mode or customer */
export function getCardToken(
  { store }: Model,
  owner: { readonly scope: Scope; readonly customerId?: string | undefined },
  id: string,
  field = 'card_token',
): CardToken {
  const token = store.get(CARDS, id)
  if (
    token === undefined ||
    !isSameScope(token.scope, owner.scope) ||
    (owner.customerId !== undefined && token.customerId !== owner.customerId)
  ) {
    throw unknown(
      field,
      'Card token not found',
      'The card token was deleted, or belongs to another customer, account or mode. Fetch the saved cards of the customer again.',
    )
  }
  return token
}

/** The saved cards that a customer can choose from at checkout. */
export function cardTokensOf({ store }: Model, customerId: string): readonly CardToken[] {
  return store.list(CARDS).filter((token) => token.customerId === customerId)
}

/** The card of a token as a provider gets it, or the reason why the provider cannot get it. */
export function cardAt(
  { faults }: Model,
  { card, type, holders }: CardToken,
  { id }: Provider,
): Card | string {
  if (holders.includes(id)) return card
  if (type === 'PROVIDER') return 'The token is scoped to another provider'
  return faults.vaultIsDown() ? 'The vault could not be reached' : card
}

/**
 * Finds a card that the card form of the SDK has collected.
 *
 * @throws {Refusal} if the id is unknown, was used, or belongs to another account
 */
export function getCollectedCard({ store }: Model, id: string, scope: Scope): CollectedCard {
  const collected = store.get(COLLECTED_CARDS, id)
  if (collected === undefined || !isSameScope(collected.scope, scope)) {
    throw invalid('cardData', 'is not known, or was used already: collect the card again')
  }
  return collected
}
