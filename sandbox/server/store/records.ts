// The records of the service, as plain data: they are written as JSON.
import type { AttemptReport } from '@service-signature/deliveries'
import { bytesOf, type Kind } from './table.js'

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
  readonly secret: string
  /** The one method of all payments. */
  readonly paymentMethodId: string
}

export const ORGANIZATIONS: Kind<Organization> = { name: 'organization' }

/** What can be set while the sandbox runs, besides its faults. */
export interface StoredSettings {
  readonly id: string
  /** Where the events of intents without a `webhook_url` go. */
  readonly defaultEndpoint?: string | undefined
}

export const SETTINGS: Kind<StoredSettings> = { name: 'settings' }

export interface Account {
  readonly id: string
  readonly name: string
  readonly created: number
}

export const ACCOUNTS: Kind<Account> = { name: 'account' }

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
  readonly isRevoked: boolean
}

export const KEYS: Kind<Key> = { name: 'key' }

/** The service documents no fields of a customer; these are those of `billing_data` in its events. */
export interface CustomerDetails {
  readonly first_name?: string
  readonly last_name?: string
  readonly email?: string
  readonly phone_number?: string
}

export interface Customer {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  readonly details: CustomerDetails
  /** JSON. */
  readonly customFields?: string | undefined
}

export const CUSTOMERS: Kind<Customer> = {
  name: 'customer',
  limit: 'keep',
  bytesOf: ({ customFields }) => bytesOf([customFields]),
}

/** How a card behaves. Nothing in it is sensitive: the number is not stored. */
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

/** The vault of the service itself, among those that hold a card. */
export const OWN_VAULT = 'vault'

/** A saved card. */
export interface CardToken {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  /** The one customer that it was made for. */
  readonly customerId: string
  readonly type: CardTokenType
  /** The provider that holds it, unless it is UNIVERSAL. */
  readonly providerId?: string
  readonly card: Card
  /** The vault of the service, or the ids of providers. Only they know how the card behaves. */
  readonly holders: readonly string[]
}

export const CARDS: Kind<CardToken> = { name: 'card', limit: 'keep' }

/** A card that the card form of the SDK has collected, until a payment or a token is made of it. */
export interface CollectedCard {
  readonly id: string
  readonly scope: Scope
  readonly card: Card
  readonly hasCvv: boolean
}

export const COLLECTED_CARDS: Kind<CollectedCard> = { name: 'collected-card', limit: 1000 }

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

/** Permission of a merchant to charge a card again. */
export interface Agreement {
  /** Its address: account, mode and `agreement_id`. */
  readonly id: string
  /** The merchant's own `agreement_id`, which is that of another agreement in another account or mode. */
  readonly agreementId: string
  readonly scope: Scope
  readonly created: number
  readonly customerId: string
  /** Missing as long as the card of its CIT is not saved. */
  readonly cardTokenId?: string | undefined
  readonly card: Pick<Card, 'brand' | 'lastFour'>
  /** The own reference of each provider that covers it. */
  readonly references: Readonly<Record<string, string>>
}

export const AGREEMENTS: Kind<Agreement> = { name: 'agreement', limit: 'keep' }

/**
 * What makes a request a forgery, which an endpoint must refuse. The last is made by the sandbox itself, to find why a delivery was
 * refused: the signature is that of the body parsed and printed again.
 */
export const FORGERIES = ['tamper', 'stale', 'wrong-secret', 'no-signature', 'reprinted'] as const

export type Forgery = (typeof FORGERIES)[number]

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'lost'] as const
export const SOURCES = ['payment', 'composed'] as const

/** An event that is sent to an endpoint, with all attempts. */
export interface Delivery {
  readonly id: string
  readonly type: string
  /** Missing on an event that was composed without an intent. */
  readonly intentId?: string | undefined
  /** The transaction that it announces, if a payment made it. */
  readonly transactionId?: string | undefined
  readonly source: (typeof SOURCES)[number]
  /** Whether it was composed, or its intent was made on the page. By default only such deliveries get checks. */
  readonly isOwn: boolean
  /** What makes each of its attempts a forgery, if it was composed so. */
  readonly forgeries: readonly Forgery[]
  /** Whether it is sent again after an attempt that failed. */
  readonly isRetried: boolean
  /** Text such as "10.50 EUR", if the event is about an amount. */
  readonly amount?: string | undefined
  readonly url: string
  /** The account and mode whose API key signs v1; the intent itself may be gone by then. */
  readonly scope: Scope
  readonly keyId?: string | undefined
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
  /** Whether the body stays the same when it is parsed and printed again. */
  readonly isStable: boolean
  readonly created: number
  readonly status: (typeof DELIVERY_STATUSES)[number]
  /** How many retries of the schedule were planned. */
  readonly retries: number
  /** The time of the next attempt, if one is planned. */
  readonly nextAttemptAt?: number | undefined
  readonly attempts: readonly AttemptRecord[]
}

/** A request to an endpoint, and its outcome. */
export interface AttemptRecord {
  readonly at: number
  readonly durationMs: number
  /** What was done to it on purpose. */
  readonly faults: readonly Forgery[]
  /** Whether it is a copy that the sandbox has sent to find a cause, besides the schedule. */
  readonly isCheck: boolean
  /** That of the answer. */
  readonly status: number | undefined
  /** Why there is no answer. */
  readonly error: string | undefined
  /** The value of `Service-Signature`, if it was sent. */
  readonly signature: string | undefined
  /** What was sent in place of the body of the delivery. */
  readonly changedBody: string | undefined
  /** What the endpoint answered. Its body is the beginning. */
  readonly answer: AttemptReport['answer'] | undefined
}

export const DELIVERIES: Kind<Delivery> = {
  name: 'delivery',
  limit: 'keep',
  bytesOf: ({ body, attempts }) => bytesOf([body, ...attempts.flatMap(textsOf)]),
}

function textsOf({ changedBody, answer }: AttemptRecord): readonly (string | undefined)[] {
  return [changedBody, answer?.body, ...Object.values(answer?.headers ?? {}).flat()]
}

/** A call of the API, with its answer. It holds no key, secret, card number or CVV. */
export interface LoggedRequest {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly path: string
  /** The path with names in place of values; missing if there is no such path. */
  readonly operation?: string | undefined
  readonly status: number
  readonly durationMs: number
  /** The account and mode that the key is for, if it is one of an account. */
  readonly scope?: Scope | undefined
  /** JSON. */
  readonly headers: string
  /** Missing on a request without a body, or to the vault. */
  readonly requestBody?: string | undefined
  readonly responseBody?: string | undefined
  /** What an answer that is an error says. Missing on those of the vault. */
  readonly error?: string | undefined
}

export const REQUESTS: Kind<LoggedRequest> = {
  name: 'request',
  limit: 2000,
  isVolatile: true,
  bytesOf: ({ headers, requestBody, responseBody }) => bytesOf([headers, requestBody, responseBody]),
}
