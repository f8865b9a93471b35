import { invalid } from '../http/refusal.js'
import type { Card } from './cards.js'

interface TestCard extends Partial<Card> {
  readonly number: string
  readonly brand: string
}

// Published by payment services for tests: no bank gives them out.
const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'Visa' },
  { number: '5555555555554444', brand: 'Mastercard' },
  { number: '378282246310005', brand: 'American Express' },
  { number: '4000000000000002', brand: 'Visa', declined: 'The card was declined' },
  { number: '4000000000009995', brand: 'Visa', declined: 'The card has insufficient funds' },
  { number: '4000000000000341', brand: 'Visa', declinedWhenSaved: 'The card was declined' },
  { number: '4000000000000127', brand: 'Visa', needsCvv: true },
  { number: '4000000000003220', brand: 'Visa', isChallenged: true },
  { number: '4000008400001629', brand: 'Visa', isChallenged: true, declined: 'The card was declined' },
]

/** The card of a number as it was typed, spaces and hyphens included. A real number is never one of these. */
function testCard(typed: string): Card | undefined {
  const digits = typed.replace(/[ -]/g, '')
  const found = TEST_CARDS.find(({ number }) => number === digits)
  if (found === undefined) return undefined
  const { number, brand, ...rest } = found
  return { brand, lastFour: number.slice(-4), isChallenged: false, needsCvv: false, ...rest }
}

/**
 * Reads a card number. It is not stored.
 *
 * @throws {Refusal} on any number that is not a published test number
 */
export function readCard(number: string, field: string): Card {
  const card = testCard(number)
  if (card === undefined) throw invalid(field, 'must be one of the published test numbers')
  return card
}

/**
 * Checks whether a CVV was given. It is not stored.
 *
 * @throws {Refusal} on a text that cannot be one
 */
export function readCvv(cvv: string | undefined, field: string): boolean {
  if (cvv !== undefined && !/^\d{3,4}$/.test(cvv)) throw invalid(field, 'must be three or four digits')
  return cvv !== undefined
}
