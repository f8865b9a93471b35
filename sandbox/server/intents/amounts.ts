import { invalid } from '../http/refusal.js'

/**
 * The currencies of ISO 4217 by their decimals: list one, as SIX, its maintenance agency, published it on 2026-09-17. Left out
 * are funds, such as CLF and USN, and codes without a minor unit, such as XAU and XDR: no card is charged in these.
 *
 * https://www.six-group.com/dam/download/financial-information/data-center/iso-currrency/lists/list-one.xml
 *
 * `Intl` is not used: its decimals are those that people write, such as none for HUF and IDR, and depend on the version of Node.
 */
const CODES: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [
    2,
    `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
    CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
    KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
    NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
    TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
    `,
  ],
]

/** How many decimals the amounts of a currency have, by its code. */
export const DECIMALS: ReadonlyMap<string, number> = new Map(
  CODES.flatMap(([decimals, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, decimals] as const),
  ),
)

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

/** An amount for people: `1,234.50 EUR`. Composed events may name a currency that does not exist. */
export function amountText(amount: number, currency: string): string {
  const text = DECIMALS.has(currency) ? decimalAmount(amount, currency) : String(amount)
  return `${text.replace(/\d(?=(?:\d{3})+\b(?<!\.\d*))/g, '$&,')} ${currency}`
}

/** The texts by which a person finds an amount: as the page shows it, and without the commas. */
export function searchableAmount(amount: number, currency: string): string {
  const text = amountText(amount, currency)
  return `${text} ${text.replaceAll(',', '')}`
}
