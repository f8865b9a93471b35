import { isSameScope, type Scope } from '../model/credentials.js'
import { invalid } from '../model/refusal.js'
import type { Card } from './test-cards.js'

/** A card that the card form of the SDK has collected, until a payment or a token is made of it. */
export interface Collected {
  readonly scope: Scope
  readonly card: Card
  readonly hasCvv: boolean
}

/** What was typed in at the SDK's card form, under ids that the page of the merchant may know. */
export interface CollectedCards {
  readonly add: (id: string, collected: Collected) => void
  /**
   * Gives a card out, once.
   *
   * @throws {Refusal} where there is none, or it is another account's
   */
  readonly take: (id: string, scope: Scope) => Collected
}

/** So many are kept at most. Those that nobody comes back for go first. */
const LIMIT = 1000

export function createCollectedCards(): CollectedCards {
  const cards = new Map<string, Collected>()
  return {
    add(id, collected) {
      cards.set(id, collected)
      if (cards.size > LIMIT) cards.delete(cards.keys().next().value!)
    },
    take(id, scope) {
      const collected = cards.get(id)
      if (collected === undefined || !isSameScope(collected.scope, scope)) {
        throw invalid('cardData', 'is not known, or was used already: collect the card again')
      }
      cards.delete(id)
      return collected
    },
  }
}
