import { invalid } from '../model/refusal.js'
import type { Card } from '../store/records.js'
import { testCard } from './test-cards.js'

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
