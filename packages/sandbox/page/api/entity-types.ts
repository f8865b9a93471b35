// The entities of the service, as lists show them and as the page of one item does.
import type { Static } from 'typebox'
import type { accountSchema } from '../../src/api/accounts.js'
import type { cardTokenIntentSchema } from '../../src/api/card-token-intents.js'
import type { cardTokenSchema } from '../../src/api/card-tokens.js'
import type { customerSchema } from '../../src/api/customers.js'
import type { intentSchema } from '../../src/api/intent-view.js'
import type { transactionSchema } from '../../src/api/transactions.js'
import type { keySchema } from '../../src/control/keys.js'
import type { FaultSettings } from '../../src/faults/faults.js'
import type { DeliverySummary } from './types.js'

export type Account = Static<typeof accountSchema>
export type Key = Static<typeof keySchema>
export type Faults = FaultSettings
export type Intent = Static<typeof intentSchema>
export type Transaction = Static<typeof transactionSchema>
export type Customer = Static<typeof customerSchema>
export type Card = Static<typeof cardTokenSchema>
export type CardIntent = Static<typeof cardTokenIntentSchema>

/** A customer in the list, with the saved cards. */
export type CustomerWithCards = Customer & { readonly cards: readonly Card[] }

/** One thing that happened, and what it was about. */
export interface HistoryEntry {
  readonly at: string
  readonly text: string
  readonly delivery?: string
  readonly transaction?: string
}

/** What the page of any item has. */
export interface ItemDetails {
  readonly account: string
  readonly is_live: boolean
  readonly history: readonly HistoryEntry[]
}

export interface IntentDetails extends Omit<Intent, 'transactions'>, ItemDetails {
  readonly is_live: boolean
  readonly transactions: readonly Transaction[]
  readonly deliveries: readonly DeliverySummary[]
}
export type TransactionDetails = Transaction & ItemDetails
export type CardDetails = Card & ItemDetails
export type CardIntentDetails = CardIntent & ItemDetails & { readonly deliveries: readonly DeliverySummary[] }

export interface CustomerDetails extends Customer, ItemDetails {
  readonly is_live: boolean
  readonly cards: readonly Card[]
  readonly intents: readonly Intent[]
  readonly agreements: readonly Agreement[]
}

export interface Agreement {
  /** Its address: the same id in another account or mode is another agreement. */
  readonly key: string
  readonly agreement_id: string
  readonly account: string
  readonly is_live: boolean
  readonly customer: string
  readonly card_token: string | null
  readonly brand: string
  readonly last_four: string
  /** The providers that cover it. */
  readonly providers: readonly string[]
}
export type AgreementDetails = Agreement & ItemDetails
