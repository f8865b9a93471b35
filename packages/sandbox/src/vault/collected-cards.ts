import { isSameScope } from '../model/entities.js'
import { invalid } from '../model/refusal.js'
import type { CollectedCard, CollectedCards } from '../model/state.js'

/** At most this many are kept. The oldest are dropped first. */
const LIMIT = 1000

export function createCollectedCards(): CollectedCards {
  const cards = new Map<string, CollectedCard>()
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
