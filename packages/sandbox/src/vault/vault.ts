import type { Card } from '../model/entities.js'
import { invalid } from '../model/refusal.js'
import type { Vault } from '../model/state.js'
import { createCollectedCards } from './collected-cards.js'
import { testCard } from './test-cards.js'

/** A vault in memory. It keeps how a card behaves, and neither its number nor its CVV. */
export function createVault(isDown: () => boolean): Vault {
  const cards = new Map<string, Card>()
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
    collected: createCollectedCards(),
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
 * Looks whether a CVV was given, and forgets it.
 *
 * @throws {Refusal} on what cannot be one
 */
export function readCvv(cvv: string | undefined, field: string): boolean {
  if (cvv !== undefined && !/^\d{3,4}$/.test(cvv)) throw invalid(field, 'must be three or four digits')
  return cvv !== undefined
}
