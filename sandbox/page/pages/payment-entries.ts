import { keyOf, makeIntent, payIntent } from '../api/payment.js'
import { post } from '../api/client.js'
import type { Customer, CustomerWithCards } from '../api/types.js'
import { decimalsOf } from '../format.js'
import type { Option } from '../parts/fields.js'
import { cardName, customerName } from '../parts/links.js'

/** Every published test number, in the order of the documentation. */
const TEST_CARDS: readonly (readonly [number: string, brand: string, outcome: string])[] = [
  ['4242424242424242', 'Visa', 'Paid'],
  ['5555555555554444', 'Mastercard', 'Paid'],
  ['378282246310005', 'American Express', 'Paid'],
  ['4000000000000002', 'Visa', 'Declined'],
  ['4000000000009995', 'Visa', 'Declined: insufficient funds'],
  ['4000000000000341', 'Visa', 'Paid, and declined once it is saved'],
  ['4000000000000127', 'Visa', 'Asks for the CVV'],
  ['4000000000003220', 'Visa', '3-D Secure, then paid'],
  ['4000008400001629', 'Visa', '3-D Secure, then declined'],
]
export const FIRST_CARD = TEST_CARDS[0]![0]

/** The choice of a customer who is made with the payment. */
export const NEW = 'new'
const UNNAMED = 'Jane Doe'

/** What is entered into the form of a test payment. */
export type Entries = ReturnType<typeof firstEntries>

/** Filled in so that one press is enough. */
export function firstEntries(customer: string | undefined, card: string | undefined) {
  return {
    amount: '10.50',
    currency: 'EUR',
    /** Empty: the first one. */
    account: '',
    isLive: false,
    /** Empty, NEW, or an id. */
    customer: customer ?? '',
    name: UNNAMED,
    /** A number, or the id of a saved card. */
    card: card ?? FIRST_CARD,
    savesCard: false,
    provider: '',
    agreement: '',
    isMerchantInitiated: false,
    reference: '',
  }
}

export interface Payment {
  readonly entries: Entries
  readonly amount: number
  readonly account: string
  readonly isLive: boolean
  /** Whether the card is a saved one, which is charged with the intent. */
  readonly isSaved: boolean
  readonly webhookUrl: string
}

/** Makes an intent as a merchant does, and before it the customer, if that is a new one. */
export async function makePayment(payment: Payment): Promise<string> {
  const { entries, amount, account, isLive, isSaved, webhookUrl } = payment
  const { currency, card, reference } = entries
  const key = await keyOf({ account, isLive })
  const customer = entries.customer === NEW ? await makeCustomer(entries.name, key) : given(entries.customer)
  const hasCustomer = customer !== undefined
  const agreement = hasCustomer ? given(entries.agreement) : undefined
  const charge = isSaved && {
    card_token: card,
    card_token_data: { cvv: '123' },
    ...(entries.isMerchantInitiated && { merchant_initiated: true, payment_type: 'UNSCHEDULED' }),
  }
  const fields = {
    amount,
    amount_currency: currency,
    customer,
    ...charge,
    ...(hasCustomer && !isSaved && entries.savesCard && { tokenize_card: true }),
    ...(agreement !== undefined && { recurring_data: { agreement_id: agreement } }),
    provider: given(entries.provider),
    ...(given(reference) !== undefined && { custom_fields: { reference: given(reference) } }),
    webhook_url: given(webhookUrl),
  }
  return (await makeIntent(fields, key)).id
}

/** Pays the intent as the customer does, unless it was charged already. */
export async function pay(intent: string, { entries, isSaved }: Payment): Promise<void> {
  if (!isSaved) await payIntent(intent, entries.card, given(entries.provider))
}

async function makeCustomer(name: string, key: string): Promise<string> {
  const [first_name, ...others] = (given(name) ?? UNNAMED).split(' ')
  const body = { first_name, ...(others.length > 0 && { last_name: others.join(' ') }) }
  return (await post<Customer>('/api/v1.4/customers/', body, key)).id
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
  const typed = TEST_CARDS.map(([number, brand, outcome]) => {
    const grouped = number.replace(/(\d{4})(?=\d)/g, '$1 ')
    return [number, `${grouped} - ${outcome} (${brand})`] as const
  })
  return [...saved, ...typed]
}

export function customerOptions(customers: readonly CustomerWithCards[]): readonly Option[] {
  const known = customers.map((customer) => {
    const mode = customer.is_live ? ', live' : ''
    return [customer.id, `${customerName(customer)} - ${customer.id.slice(0, 10)}${mode}`] as const
  })
  return [['', 'None'], [NEW, 'A new customer'], ...known]
}
