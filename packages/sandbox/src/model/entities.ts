// The records of the service, as plain data. Every other file of the model builds on this one, so it imports nothing.

/** The account and the mode that an entity belongs to. Neither another account nor the other mode can see it. */
export interface Scope {
  readonly accountId: string
  readonly isLive: boolean
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.accountId === b.accountId && a.isLive === b.isLive
}

export interface Organization {
  readonly id: string
  /** Signs v2 and v3. */
  secret: string
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly created: number
}

/** An API key. That of an account comes with its public key. */
export interface Key {
  readonly id: string
  readonly type: 'account' | 'organization'
  /** Missing on a key of the organization. */
  readonly accountId?: string
  /** The mode of a key of an account; a key of the organization is for both. */
  readonly isLive?: boolean
  readonly value: string
  readonly publicValue?: string
  readonly created: number
  isRevoked: boolean
}

/** The service documents no fields of a customer; these are those of `billing_data` in its events. */
export interface CustomerDetails {
  readonly first_name?: string
  readonly last_name?: string
  readonly email?: string
  readonly phone_number?: string
  readonly custom_fields?: Readonly<Record<string, unknown>>
}

export interface Customer {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  readonly details: CustomerDetails
}

/** How a card behaves. Nothing in it is sensitive: the number is not kept. */
export interface Card {
  readonly brand: string
  readonly lastFour: string
  /** Why it is declined. Missing on a card that is not. */
  readonly declined?: string
  /** The same for the time after it is saved. */
  readonly declinedWhenSaved?: string
  /** Its holder has to pass 3DS. */
  readonly isChallenged: boolean
  /** It is not charged without the CVV. */
  readonly needsCvv: boolean
}

/** Where a saved card lives: in the vault of the service, at one provider, or in both. */
export const CARD_TOKEN_TYPES = ['UNIVERSAL', 'PROVIDER', 'BOTH'] as const

export type CardTokenType = (typeof CARD_TOKEN_TYPES)[number]

/** A saved card. Its behaviour is known only to the vaults that hold it. */
export interface CardToken {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  /** The one customer that it was made for. */
  readonly customerId: string
  readonly type: CardTokenType
  /** The provider that holds it, unless it is UNIVERSAL. */
  readonly providerId?: string
  readonly brand: string
  readonly lastFour: string
}

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
export interface Attempt<Of extends Source = Source> {
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
  status: Status
  /** The data that the customer has sent so far, while a step is left. */
  pending?: Attempt<Of>
  /** Why the last attempt failed. */
  failure?: string
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
  readonly failure?: string
}

/** A payment. */
export interface Intent extends Payable {
  readonly id: string
  readonly scope: Scope
  /** The account key that made it. Missing if a key of the organization did. */
  readonly keyId?: string | undefined
  readonly created: number
  readonly amount: number
  readonly currency: string
  readonly customerId?: string | undefined
  readonly customFields: Readonly<Record<string, unknown>> | null
  readonly webhookUrl?: string | undefined
  readonly saving: Saving
  /** The saved card that it must charge. */
  readonly cardTokenId?: string | undefined
  readonly isMerchantInitiated: boolean
  readonly paymentType?: 'UNSCHEDULED' | undefined
  readonly agreementId?: string | undefined
  readonly providerId?: string | undefined
  readonly routingAction?: RoutingAction | undefined
  transactions: readonly Transaction[]
  /** The card that paid it, or that was saved then. */
  paidCardTokenId?: string
}

/** Saves a card, and charges nothing. Only a typed card can be saved. */
export interface CardTokenIntent extends Payable<TypedCard> {
  readonly id: string
  readonly scope: Scope
  /** The account key that made it. Missing if a key of the organization did. */
  readonly keyId?: string | undefined
  readonly created: number
  readonly customerId: string
  readonly type: CardTokenType
  readonly webhookUrl?: string | undefined
  readonly providerId?: string | undefined
  cardTokenId?: string
}

/** Permission of a merchant to charge a card again. Each provider that covers it has its own reference. */
export interface Agreement {
  /** The merchant's own `agreement_id`. */
  readonly id: string
  readonly scope: Scope
  readonly customerId: string
  /** Missing as long as the card of its CIT is not saved. */
  readonly cardTokenId?: string | undefined
  readonly card: Pick<Card, 'brand' | 'lastFour'>
}
