import { isSameScope, type Card, type Scope } from '../model/entities.js'
import { invalid } from '../model/refusal.js'
import type { CollectedCard, CollectedCards, Vault } from '../model/state.js'
import type { Storage } from '../storage/storage.js'
import { StoredMap } from '../storage/stored-map.js'
import { testCard } from './test-cards.js'

/** A vault that keeps how a card behaves, and neither its number nor its CVV. */
export function createVault(isDown: () => boolean, storage: Storage): Vault {
  const cards = new StoredMap<Card>(storage, 'card in the vault')
  return {
    keep(tokenId, card) {
      if (isDown()) return false
      cards.set(tokenId, card)
      return true
    },
    find: (tokenId) => (isDown() ? undefined : cards.get(tokenId)),
    remove(tokenId) {
      cards.delete(tokenId)
    },
    list: () => [...cards.keys()],
    collected: new LatestCollectedCards(storage),
  }
}

/** At most this many are kept. The oldest are dropped first. */
const MAX_COLLECTED = 1000

export class LatestCollectedCards implements CollectedCards {
  readonly #cards: StoredMap<CollectedCard>

  constructor(storage: Storage) {
    this.#cards = new StoredMap(storage, 'collected card')
  }

  add(id: string, collected: CollectedCard): void {
    this.#cards.set(id, collected)
    if (this.#cards.size > MAX_COLLECTED) this.#cards.delete(this.#cards.keys().next().value!)
  }

  take(id: string, scope: Scope): CollectedCard {
    const collected = this.#cards.get(id)
    if (collected === undefined || !isSameScope(collected.scope, scope)) {
      throw invalid('cardData', 'is not known, or was used already: collect the card again')
    }
    this.#cards.delete(id)
    return collected
  }
}

/**
 * Reads a card number, and forgets it.
 *
 * @throws {Refusal} on any number that is not a published test number
 */
export function readCard(number: string, field: string): Card {
  const card = testCard(number)
  if (card === undefined) throw invalid(field, 'must be one of the published test numbers')
  return card
}

/**
 * Checks whether a CVV was given, and forgets it.
 *
 * @throws {Refusal} on a text that cannot be one
 */
export function readCvv(cvv: string | undefined, field: string): boolean {
  if (cvv !== undefined && !/^\d{3,4}$/.test(cvv)) throw invalid(field, 'must be three or four digits')
  return cvv !== undefined
}
