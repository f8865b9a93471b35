import type { Maker } from '../accounts/access.js'
import type { Card, CardToken } from '../cards/cards.js'
import { bytesOf, declareKind } from '../store/table.js'
import type { CardTokenIntentRequest, PaymentRequest } from './requests.js'

/** The states of an intent. The service documents PROCESSED; the others are the sandbox's own. */
export const STATUSES = ['CREATED', 'AWAITING_CVV', 'AWAITING_CHALLENGE', 'PROCESSED', 'FAILED'] as const

/** A card that was typed in. */
export interface TypedCard {
  readonly card: Card
}

/** A card that was typed in, or one that is saved. */
export type Source = TypedCard | { readonly token: CardToken }

/** The data with which a customer, or a merchant, tries to pay. */
export interface PayAttempt<Of extends Source = Source> {
  readonly source: Of
  readonly hasCvv: boolean
  /** The outcome of 3DS, if it was required. */
  readonly challenge?: 'pass' | 'fail' | undefined
  /** The state of the checkbox, or the parameter of the SDK. */
  readonly saveCard?: boolean | undefined
  readonly providerId?: string | undefined
  /** There is no customer who could be sent to the hosted form. */
  readonly isUnattended?: boolean
  /** The id of the card, if the SDK has collected it. */
  readonly collectedCard?: string | undefined
}

/** What is completed with a card, at once or in steps. */
interface Payable<Request, Of extends Source> extends Maker {
  readonly id: string
  readonly created: number
  /** What was asked for, under the names that the answer has, too. */
  readonly request: Request
  readonly status: (typeof STATUSES)[number]
  /** The data that the customer has sent so far, while a step is left. */
  readonly pending?: PayAttempt<Of> | undefined
  /** Why the last attempt failed. */
  readonly failure?: string | undefined
  /** The card that paid it, or that was saved then. */
  readonly paidCardTokenId?: string | undefined
}

/** One try to pay an intent. */
export interface Transaction {
  readonly id: string
  readonly operationId: string
  readonly statusId: string
  readonly created: number
  readonly providerId: string
  /** Whether the provider took long to answer. */
  readonly isSlow: boolean
  /** Why it failed. Missing if it succeeded. */
  readonly failure?: string | undefined
}

/** A payment. */
export interface Intent extends Payable<PaymentRequest, Source> {
  /** JSON. */
  readonly customFields: string | null
  readonly transactions: readonly Transaction[]
}

export const INTENTS = declareKind<Intent>({
  name: 'intent',
  limit: 'keep',
  bytesOf: ({ customFields }) => bytesOf([customFields]),
})

/** Saves a card, and charges nothing. Only a typed card can be saved. */
export type CardTokenIntent = Payable<CardTokenIntentRequest, TypedCard>

export const CARD_INTENTS = declareKind<CardTokenIntent>({ name: 'card-intent', limit: 'keep' })

/** An intent that a customer can complete with a card. */
export type CustomerIntent = Intent | CardTokenIntent

export function isPayment(intent: CustomerIntent): intent is Intent {
  return 'transactions' in intent
}
