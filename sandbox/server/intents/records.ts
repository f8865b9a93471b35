import type { Scope } from '../accounts/records.js'
import type { Card, CardToken, CardTokenType } from '../cards/cards.js'
import { bytesOf, type Kind } from '../store/table.js'

/** The states of an intent. The service documents PROCESSED; the others are the sandbox's own. */
export const STATUSES = ['CREATED', 'AWAITING_CVV', 'AWAITING_CHALLENGE', 'PROCESSED', 'FAILED'] as const

export type Status = (typeof STATUSES)[number]

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
}

/** Something that is completed with a card, at once or in steps. */
export interface Payable<Of extends Source = Source> {
  readonly status: Status
  /** The data that the customer has sent so far, while a step is left. */
  readonly pending?: PayAttempt<Of> | undefined
  /** Why the last attempt failed. */
  readonly failure?: string | undefined
}

/** Whether the card of a payment is saved, and at whose request. */
export interface Saving {
  readonly isAutomatic: boolean
  readonly isOffered: boolean
  readonly isMandatory: boolean
  readonly isAllowedToSdk: boolean
  readonly type: CardTokenType
}

export const ROUTING_ACTIONS = [
  'SMART_RECURRING_SETUP',
  'SMART_RECURRING_PROCESSING',
  'SMART_RECURRING_RECOVERY',
] as const

export type RoutingAction = (typeof ROUTING_ACTIONS)[number]

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
export interface Intent extends Payable {
  readonly id: string
  readonly scope: Scope
  /** The account key that made it. Missing if a key of the organization did. */
  readonly keyId?: string | undefined
  /** Whether it was made on the page of the sandbox, and not by a program of the merchant. */
  readonly isOwn: boolean
  readonly created: number
  readonly amount: number
  readonly currency: string
  readonly customerId?: string | undefined
  /** JSON. */
  readonly customFields: string | null
  readonly webhookUrl?: string | undefined
  readonly saving: Saving
  /** The saved card that it must charge. */
  readonly cardTokenId?: string | undefined
  readonly isMerchantInitiated: boolean
  readonly paymentType?: 'UNSCHEDULED' | undefined
  readonly agreementId?: string | undefined
  readonly providerId?: string | undefined
  readonly routingAction?: RoutingAction | undefined
  readonly transactions: readonly Transaction[]
  /** The card that paid it, or that was saved then. */
  readonly paidCardTokenId?: string | undefined
}

export const INTENTS: Kind<Intent> = {
  name: 'intent',
  limit: 'keep',
  bytesOf: ({ customFields }) => bytesOf([customFields]),
}

/** Saves a card, and charges nothing. Only a typed card can be saved. */
export interface CardTokenIntent extends Payable<TypedCard> {
  readonly id: string
  readonly scope: Scope
  /** The account key that made it. Missing if a key of the organization did. */
  readonly keyId?: string | undefined
  /** Whether it was made on the page of the sandbox, and not by a program of the merchant. */
  readonly isOwn: boolean
  readonly created: number
  readonly customerId: string
  readonly type: CardTokenType
  readonly webhookUrl?: string | undefined
  readonly providerId?: string | undefined
  readonly cardTokenId?: string | undefined
}

export const CARD_INTENTS: Kind<CardTokenIntent> = { name: 'card-intent', limit: 'keep' }
