import type { Account, CustomerWithCards } from '../api/types.js'
import type { PaymentRequest } from '../api/make-payment.js'
import { decimalsOf } from '../format.js'
import type { Option } from '../parts/fields.js'
import { cardName, customerName } from '../parts/links.js'
import { TEST_CARDS } from '../test-cards.js'

/** The choice of a customer who is made with the payment. */
export const NEW = 'new'
export const FIRST_CARD = TEST_CARDS[0]!.number
const UNNAMED = 'Jane Doe'

/** What is entered into the form of a test payment. */
export interface Entries {
  readonly amount: string
  readonly currency: string
  /** Empty: the first one. */
  readonly account: string
  readonly isLive: boolean
  /** Empty, NEW, or an id. */
  readonly customer: string
  readonly name: string
  /** A number, or the id of a saved card. */
  readonly card: string
  readonly savesCard: boolean
  readonly provider: string
  readonly agreement: string
  readonly isMerchantInitiated: boolean
  readonly reference: string
}

/** Filled in so that one press is enough. */
export function firstEntries(customer: string | undefined, card: string | undefined): Entries {
  return {
    amount: '10.50',
    currency: 'EUR',
    account: '',
    isLive: false,
    customer: customer ?? '',
    name: UNNAMED,
    card: card ?? FIRST_CARD,
    savesCard: false,
    provider: '',
    agreement: '',
    isMerchantInitiated: false,
    reference: '',
  }
}

/** What the entries are about. */
export interface EntryContext {
  readonly accounts: readonly Account[]
  /** The customer whose id is entered. */
  readonly customer: CustomerWithCards | undefined
  readonly webhookUrl: string
}

export function isSavedCard({ card }: Entries, customer: CustomerWithCards | undefined): boolean {
  return customer?.cards.some(({ id }) => id === card) === true
}

export function requestOf(entries: Entries, amount: number, context: EntryContext): PaymentRequest {
  const { currency, account, isLive, card, provider, agreement, reference } = entries
  const { accounts, customer, webhookUrl } = context
  const hasCustomer = entries.customer !== ''
  const isSaved = isSavedCard(entries, customer)
  return {
    amount,
    currency,
    account: account === '' ? accounts[0]!.id : account,
    // A customer belongs to one mode.
    isLive: customer?.is_live ?? isLive,
    webhookUrl: given(webhookUrl),
    customer: customerOf(entries),
    card: isSaved ? { token: card } : { number: card },
    savesCard: hasCustomer && !isSaved && entries.savesCard,
    provider: given(provider),
    agreement: hasCustomer ? given(agreement) : undefined,
    isMerchantInitiated: entries.isMerchantInitiated,
    reference: given(reference),
  }
}

function customerOf({ customer, name }: Entries): PaymentRequest['customer'] {
  if (customer === '') return undefined
  return customer === NEW ? { name: given(name) ?? UNNAMED } : { id: customer }
}

function given(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim()
}

/** The amount, or what is wrong with it. */
export function readAmount(text: string, currency: string): number | string {
  const decimals = decimalsOf(currency)
  const amount = Number(text.trim().replace(',', '.'))
  if (text.trim() === '' || Number.isNaN(amount)) return 'Enter an amount, such as 10.50.'
  if (amount <= 0) return 'The amount must be above 0.'
  if (Number(amount.toFixed(decimals)) === amount) return amount
  return decimals === 0 ? `${currency} has no decimals.` : `${currency} has ${decimals} decimals.`
}

/** The amount with the decimals of another currency. */
export function withDecimals(text: string, currency: string): string {
  const amount = Number(text)
  return text.trim() === '' || Number.isNaN(amount) ? text : amount.toFixed(decimalsOf(currency))
}

/** The saved cards of the customer, and every test number. */
export function cardOptions(customer: CustomerWithCards | undefined): readonly Option[] {
  const saved = customer?.cards.map((card) => [card.id, `Saved: ${cardName(card)}`] as const) ?? []
  const typed = TEST_CARDS.map(
    ({ number, brand, outcome }) => [number, `${grouped(number)} - ${outcome} (${brand})`] as const,
  )
  return [...saved, ...typed]
}

function grouped(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ')
}

export function customerOptions(customers: readonly CustomerWithCards[]): readonly Option[] {
  const known = customers.map((customer) => {
    const mode = customer.is_live ? ', live' : ''
    return [customer.id, `${customerName(customer)} - ${customer.id.slice(0, 10)}${mode}`] as const
  })
  return [['', 'None'], [NEW, 'A new customer'], ...known]
}
