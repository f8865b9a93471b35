import type { Provider } from '../providers/provider.js'
import type { Card } from '../vault/test-cards.js'
import { isSameScope, type Scope } from './credentials.js'
import { unknown } from './refusal.js'
import type { World } from './world.js'

/** Where the card lives (S2.2). */
export type CardTokenType = 'UNIVERSAL' | 'PROVIDER' | 'BOTH'

/** A saved card. What it is good for is known only to the vaults that hold it. */
export interface CardToken {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  /** The one customer that it was made for (S2.2). */
  readonly customerId: string
  readonly type: CardTokenType
  /** The provider that holds it, unless it is UNIVERSAL. */
  readonly providerId?: string
  readonly brand: string
  readonly lastFour: string
}

export interface NewCardToken {
  readonly scope: Scope
  readonly customerId: string
  readonly type: CardTokenType
}

/** Saves a card in every vault that its type asks for. Nothing is saved where the service's own is unreachable (S3). */
export function saveCard(
  world: World,
  { scope, customerId, type }: NewCardToken,
  card: Card,
  provider: Provider,
): CardToken | undefined {
  const id = world.random.id('tok')
  if (type !== 'PROVIDER' && !world.vault.keep(id, card)) return undefined
  if (type !== 'UNIVERSAL') provider.cards.set(id, card)
  const token: CardToken = {
    id,
    scope,
    created: world.now(),
    customerId,
    type,
    ...(type !== 'UNIVERSAL' && { providerId: provider.id }),
    brand: card.brand,
    lastFour: card.lastFour,
  }
  world.cardTokens.set(id, token)
  return token
}

/** @throws {Refusal} where there is none of this id, or it is another account's, mode's or customer's (S7) */
export function getCardToken(
  world: World,
  owner: { readonly scope: Scope; readonly customerId?: string | undefined },
  id: string,
  field = 'card_token',
): CardToken {
  const token = world.cardTokens.get(id)
  if (
    token === undefined ||
    !isSameScope(token.scope, owner.scope) ||
    (owner.customerId !== undefined && token.customerId !== owner.customerId)
  ) {
    throw unknown(field, 'Card token not found')
  }
  return token
}

/** What is offered to a customer at checkout (S3). */
export function cardTokensOf(world: World, customerId: string): readonly CardToken[] {
  return [...world.cardTokens.values()].filter((token) => token.customerId === customerId)
}

/** Removes a saved card from the customer and from every vault that holds it (S3). */
export function deleteCardToken(world: World, { id }: CardToken): void {
  world.cardTokens.delete(id)
  world.vault.remove(id)
  for (const provider of world.providers) provider.cards.delete(id)
}

/** The card of a token as a provider gets hold of it, or why it does not (S2.2). */
export function cardAt(world: World, { id, type }: CardToken, provider: Provider): Card | string {
  const held = provider.cards.get(id)
  if (held !== undefined) return held
  if (type === 'PROVIDER') return 'The token is scoped to another provider'
  return world.vault.find(id) ?? 'The vault could not be reached'
}
