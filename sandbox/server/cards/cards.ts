import { isSameScope, type Scope } from '../accounts/records.js'
import type { Model } from '../faults/faults.js'
import type { Provider } from '../faults/providers.js'
import { invalid, unknown } from '../http/refusal.js'
import { declareKind } from '../store/table.js'

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
const OWN_VAULT = 'vault'

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

export const CARDS = declareKind<CardToken>({ name: 'card', limit: 'keep' })

/** A card that the card form of the SDK has collected, until a payment or a token is made of it. */
export interface CollectedCard {
  readonly id: string
  readonly scope: Scope
  readonly card: Card
  readonly hasCvv: boolean
}

export const COLLECTED_CARDS = declareKind<CollectedCard>({ name: 'collected-card', limit: 1000 })

/** Saves a card in every vault that its type requires. If the service's own is unreachable, nothing is saved. */
export function saveCard(
  { store, random, faults, now }: Model,
  { scope, customerId, type }: Pick<CardToken, 'scope' | 'customerId' | 'type'>,
  card: Card,
  provider: Provider,
): CardToken | undefined {
  const id = random.id('tok')
  if (type !== 'PROVIDER' && faults.vaultIsDown()) return undefined
  return store.insert(CARDS, {
    id,
    scope,
    created: now(),
    customerId,
    type,
    ...(type !== 'UNIVERSAL' && { providerId: provider.id }),
    card,
    holders: [...(type === 'PROVIDER' ? [] : [OWN_VAULT]), ...(type === 'UNIVERSAL' ? [] : [provider.id])],
  })
}

/** @throws {Refusal} if the id is unknown, or belongs to another account, mode or customer */
export function getCardToken(
  { store }: Model,
  owner: { readonly scope: Scope; readonly customer?: string | undefined },
  id: string,
  field = 'card_token',
): CardToken {
  const token = store.get(CARDS, id)
  if (
    token === undefined ||
    !isSameScope(token.scope, owner.scope) ||
    (owner.customer !== undefined && token.customerId !== owner.customer)
  ) {
    throw unknown(
      field,
      'Card token not found',
      'The card token was deleted, or belongs to another customer, account or mode. Fetch the saved cards of the customer again.',
    )
  }
  return token
}

/** The saved cards that a customer can choose from at checkout. */
export function cardTokensOf({ store }: Model, customerId: string): readonly CardToken[] {
  return store.list(CARDS).filter((token) => token.customerId === customerId)
}

/** The card of a token as a provider gets it, or the reason why the provider cannot get it. */
export function cardAt(
  { faults }: Model,
  { card, type, holders }: CardToken,
  { id }: Provider,
): Card | string {
  if (holders.includes(id)) return card
  if (type === 'PROVIDER') return 'The token is scoped to another provider'
  return faults.vaultIsDown() ? 'The vault could not be reached' : card
}

/**
 * Finds a card that the card form of the SDK has collected.
 *
 * @throws {Refusal} if the id is unknown, was used, or belongs to another account
 */
export function getCollectedCard({ store }: Model, id: string, scope: Scope): CollectedCard {
  const collected = store.get(COLLECTED_CARDS, id)
  if (collected === undefined || !isSameScope(collected.scope, scope)) {
    throw invalid('cardData', 'is not known, or was used already: collect the card again')
  }
  return collected
}

interface TestCard extends Partial<Card> {
  readonly number: string
  readonly brand: string
}

// Published by payment services for tests: no bank gives them out.
const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'Visa' },
  { number: '5555555555554444', brand: 'Mastercard' },
  { number: '378282246310005', brand: 'American Express' },
  { number: '4000000000000002', brand: 'Visa', declined: 'The card was declined' },
  { number: '4000000000009995', brand: 'Visa', declined: 'The card has insufficient funds' },
  { number: '4000000000000341', brand: 'Visa', declinedWhenSaved: 'The card was declined' },
  { number: '4000000000000127', brand: 'Visa', needsCvv: true },
  { number: '4000000000003220', brand: 'Visa', isChallenged: true },
  { number: '4000008400001629', brand: 'Visa', isChallenged: true, declined: 'The card was declined' },
]

/** The card of a number as it was typed, spaces and hyphens included. A real number is never one of these. */
function testCard(typed: string): Card | undefined {
  const digits = typed.replace(/[ -]/g, '')
  const found = TEST_CARDS.find(({ number }) => number === digits)
  if (found === undefined) return undefined
  const { number, brand, ...rest } = found
  return { brand, lastFour: number.slice(-4), isChallenged: false, needsCvv: false, ...rest }
}

/**
 * Reads a card number. It is not stored.
 *
 * @throws {Refusal} on any number that is not a published test number
 */
export function readCard(number: string, field: string): Card {
  const card = testCard(number)
  if (card === undefined) throw invalid(field, 'must be one of the published test numbers')
  return card
}

/**
 * Checks whether a CVV was given. It is not stored.
 *
 * @throws {Refusal} on a text that cannot be one
 */
export function readCvv(cvv: string | undefined, field: string): boolean {
  if (cvv !== undefined && !/^\d{3,4}$/.test(cvv)) throw invalid(field, 'must be three or four digits')
  return cvv !== undefined
}
