import { invalid } from '../model/refusal.js'
import { createCollectedCards, type CollectedCards } from './collected-cards.js'
import { testCard, type Card } from './test-cards.js'

/** The service's own vault: the only place that sees a card number or a CVV, and it keeps neither. */
export interface Vault {
  /** False where the vault cannot be reached: the card is not kept then. */
  readonly keep: (tokenId: string, card: Card) => boolean
  /** The card of a token, for a charge. None where the vault cannot be reached. */
  readonly find: (tokenId: string) => Card | undefined
  readonly remove: (tokenId: string) => void
  /** The tokens whose card it holds. */
  readonly list: () => readonly string[]
  readonly collected: CollectedCards
}

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
