import { DECIMALS } from './currencies.js'
import { invalid } from '../http/refusal.js'

/** A number of JSON holds every decimal with up to 15 digits exactly. */
const EXACT = 10 ** 15

/**
 * The service documents no bounds. Refused are the amounts that cannot be paid: zero, less, and parts of a cent; and those
 * that have more digits than a number holds, because an event has the amount as a number and as a decimal text.
 *
 * @throws {Refusal}
 */
export function checkAmount(amount: number, currency: string): void {
  const decimals = DECIMALS.get(currency)
  if (decimals === undefined) throw invalid('amount_currency', 'must be the code of a currency, such as EUR')
  if (amount <= 0) throw invalid('amount', 'must be above 0')
  const units = amount * 10 ** decimals
  if (units > Number.MAX_SAFE_INTEGER) throw invalid('amount', 'is too large')
  if (units >= EXACT && !Number.isInteger(amount)) {
    throw invalid('amount', 'is too large to be exact to the last decimal')
  }
  if (Number(amount.toFixed(decimals)) !== amount) {
    throw invalid('amount', `must have at most ${decimals} decimals in this currency`)
  }
}

/** The amount as the transactions of an intent event have it: `50.50`. */
export function decimalAmount(amount: number, currency: string): string {
  return amount.toFixed(DECIMALS.get(currency))
}

/** An amount for people: `50.50 EUR`. Composed events may name a currency that does not exist. */
export function amountText(amount: number, currency: string): string {
  return `${DECIMALS.has(currency) ? decimalAmount(amount, currency) : amount} ${currency}`
}

/** The texts by which a person finds an amount: `1234.50 EUR`, and as the page shows it, `1,234.50 EUR`. */
export function searchableAmount(amount: number, currency: string): string {
  const text = amountText(amount, currency)
  return `${text} ${text.replace(/\d(?=(?:\d{3})+\b(?<!\.\d*))/g, '$&,')}`
}
