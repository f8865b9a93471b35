import { invalid } from './refusal.js'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))
const DECIMALS = new Map<string, number>()

/** How many decimals the amounts of a currency have; undefined if the currency is unknown. */
function decimalsOf(currency: string): number | undefined {
  if (!CURRENCIES.has(currency)) return undefined
  // A search through all intents asks for each.
  const known = DECIMALS.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  const decimals = format.maximumFractionDigits!
  DECIMALS.set(currency, decimals)
  return decimals
}

/**
 * The service documents no bounds. Refused are the amounts that cannot be paid: zero, less, and parts of a cent.
 *
 * @throws {Refusal}
 */
export function checkAmount(amount: number, currency: string): void {
  const decimals = decimalsOf(currency)
  if (decimals === undefined) throw invalid('amount_currency', 'must be the code of a currency, such as EUR')
  if (amount <= 0) throw invalid('amount', 'must be above 0')
  if (amount * 10 ** decimals > Number.MAX_SAFE_INTEGER) throw invalid('amount', 'is too large')
  if (Number(amount.toFixed(decimals)) !== amount) {
    throw invalid('amount', `must have at most ${decimals} decimals in this currency`)
  }
}

/** The amount as the transactions of an intent event have it: `50.50`. */
export function decimalAmount(amount: number, currency: string): string {
  return amount.toFixed(decimalsOf(currency))
}

/** An amount for people: `50.50 EUR`. Composed events may name a currency that does not exist. */
export function amountText(amount: number, currency: string): string {
  return `${decimalsOf(currency) === undefined ? amount : decimalAmount(amount, currency)} ${currency}`
}

/** The texts by which a person finds an amount: `1234.50 EUR`, and as the page shows it, `1,234.50 EUR`. */
export function searchableAmount(amount: number, currency: string): string {
  const text = amountText(amount, currency)
  return `${text} ${text.replace(/\d(?=(?:\d{3})+\b(?<!\.\d*))/g, '$&,')}`
}
