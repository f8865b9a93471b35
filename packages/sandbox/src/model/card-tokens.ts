import { isSameScope, type Card, type CardToken, type CardTokenType, type Scope } from './entities.js'
import type { Provider } from './providers.js'
import { unknown } from './refusal.js'
import type { State } from './state.js'

export interface NewCardToken {
  readonly scope: Scope
  readonly customerId: string
  readonly type: CardTokenType
}

/** Saves a card in every vault that its type requires. If the service's own is unreachable, nothing is saved. */
export function saveCard(
  state: State,
  { scope, customerId, type }: NewCardToken,
  card: Card,
  provider: Provider,
): CardToken | undefined {
  const id = state.random.id('tok')
  if (type !== 'PROVIDER' && !state.vault.keep(id, card)) return undefined
  if (type !== 'UNIVERSAL') provider.cards.set(id, card)
  const token: CardToken = {
    id,
    scope,
    created: state.now(),
    customerId,
    type,
    ...(type !== 'UNIVERSAL' && { providerId: provider.id }),
    brand: card.brand,
    lastFour: card.lastFour,
  }
  state.cardTokens.set(id, token)
  return token
}

/** @throws {Refusal} if the id is unknown, or belongs to another account, mode or customer */
export function getCardToken(
  state: State,
  owner: { readonly scope: Scope; readonly customerId?: string | undefined },
  id: string,
  field = 'card_token',
): CardToken {
  const token = state.cardTokens.get(id)
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
export function cardTokensOf(state: State, customerId: string): readonly CardToken[] {
  return [...state.cardTokens.values()].filter((token) => token.customerId === customerId)
}

/** Removes a saved card from the customer and from every vault that holds it. */
export function deleteCardToken(state: State, { id }: CardToken): void {
  state.cardTokens.delete(id)
  state.vault.remove(id)
  for (const provider of state.providers) provider.cards.delete(id)
}

/** The card of a token as a provider gets it, or the reason why the provider cannot get it. */
export function cardAt(state: State, { id, type }: CardToken, provider: Provider): Card | string {
  const own = provider.cards.get(id)
  if (own !== undefined) return own
  if (type === 'PROVIDER') return 'The token is scoped to another provider'
  return state.vault.find(id) ?? 'The vault could not be reached'
}
