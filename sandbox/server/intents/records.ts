import Type, { type Static } from 'typebox'
import type { Maker } from '../accounts/access.js'
import { CARD_TOKEN_TYPES, type Card, type CardToken } from '../cards/cards.js'
import { oneOf } from '../http/schema.js'
import { bytesOf, declareKind } from '../store/table.js'

const ROUTING_ACTIONS = [
  'SMART_RECURRING_SETUP',
  'SMART_RECURRING_PROCESSING',
  'SMART_RECURRING_RECOVERY',
] as const

const flag = Type.Optional(Type.Boolean())
const text = Type.Optional(Type.String())

/** The fields of the service, and those that the sandbox adds. Card numbers and CVVs are not among them. */
export const intentRequest = Type.Object({
  amount: Type.Optional(Type.Number()),
  amount_currency: text,
  operation: Type.Optional(oneOf(['purchase'])),
  customer: text,
  tokenize_card: flag,
  show_save_card_checkbox: flag,
  show_mandatory_save_card_checkbox: flag,
  allow_tokenize_card: flag,
  card_token: text,
  merchant_initiated: flag,
  payment_type: Type.Optional(oneOf(['UNSCHEDULED'])),
  recurring_data: Type.Optional(Type.Object({ agreement_id: Type.String({ minLength: 1 }) })),
  webhook_url: text,
  card_token_type: Type.Optional(
    oneOf(CARD_TOKEN_TYPES, { description: 'Of the sandbox: where a card that is saved will live' }),
  ),
  custom_fields: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of the sandbox: the events have it under this name',
    }),
  ),
  provider: Type.Optional(Type.String({ description: 'Of the sandbox: the provider that it goes to' })),
  routing_action: Type.Optional(
    oneOf(ROUTING_ACTIONS, {
      description: 'Of the sandbox: the routing action that chooses the provider',
    }),
  ),
})

export type IntentRequest = Static<typeof intentRequest>

/** What is stored of a request for a payment under the same name. */
export const storedRequest = Type.Omit(intentRequest, ['custom_fields', 'recurring_data'])

export type PaymentRequest = Static<typeof storedRequest> & {
  readonly amount: number
  readonly amount_currency: string
  readonly agreement_id: string | undefined
}

export const cardTokenIntentRequest = Type.Object({
  customer: Type.String(),
  webhook_url: Type.Optional(Type.String()),
  card_token_type: Type.Optional(oneOf(CARD_TOKEN_TYPES)),
  provider: Type.Optional(Type.String({ description: 'Of the sandbox: the provider that keeps the card' })),
})

export type CardTokenIntentRequest = Static<typeof cardTokenIntentRequest>

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
