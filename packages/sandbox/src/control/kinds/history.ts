import Type, { type Static } from 'typebox'
import { bodyOf } from '../../deliveries/delivery.js'
import { verdictText } from '../../deliveries/verdict.js'
import { isoTimestamp } from '../../events/timestamps.js'
import { findAgreement } from '../../model/agreements.js'
import { amountText } from '../../model/amounts.js'
import type { Model } from '../../model/model.js'
import { exactly, text } from '../../schema.js'
import {
  isSameScope,
  type Agreement,
  type CardToken,
  type CardTokenIntent,
  type Customer,
  type Delivery,
  type Intent,
  type Scope,
  type Transaction,
} from '../../store/records.js'

export const historySchema = Type.Array(
  exactly({
    at: text,
    text,
    delivery: Type.Optional(Type.String({ description: 'The id of the delivery that it is about' })),
    transaction: Type.Optional(Type.String({ description: 'The id of the transaction that it is about' })),
  }),
  { description: 'What happened, in order; the newest 1,000 entries' },
)

const MAX_ENTRIES = 1000

/** Something that happened. It follows from what is stored, so there is no second log. */
interface Entry {
  readonly at: number
  readonly text: string
  readonly delivery?: string
  readonly transaction?: string
}

/** A try to pay an intent. */
export interface Charge {
  readonly id: string
  readonly scope: Scope
  readonly intent: Intent
  readonly transaction: Transaction
}

export function viewHistory(entries: readonly Entry[]): Static<typeof historySchema> {
  return [...entries]
    .sort((a, b) => a.at - b.at)
    .slice(-MAX_ENTRIES)
    .map(({ at, ...entry }) => ({ at: isoTimestamp(at), ...entry }))
}

export function historyOfIntent(
  model: Model,
  intent: Intent,
  deliveries: readonly Delivery[],
): readonly Entry[] {
  const card = model.store.get('card', intent.paidCardTokenId ?? '')
  // A card that was chosen is older than the charge.
  const isNew = card !== undefined && card.created >= intent.transactions.at(-1)!.created
  const first = firstChargeOf(model, intent)
  return [
    created(intent),
    ...chargesOf(intent).map(charged),
    ...(isNew ? [saved(card)] : []),
    ...(first?.intent === intent ? [established(first)] : []),
    ...deliveries.flatMap((delivery) => sent(model, delivery)),
  ]
}

export function historyOfTransaction(
  model: Model,
  charge: Charge,
  deliveries: readonly Delivery[],
): readonly Entry[] {
  return [created(charge.intent), charged(charge), ...deliveries.flatMap((delivery) => sent(model, delivery))]
}

export function historyOfCardTokenIntent(
  model: Model,
  intent: CardTokenIntent,
  deliveries: readonly Delivery[],
): readonly Entry[] {
  const card = model.store.get('card', intent.cardTokenId ?? '')
  return [
    { at: intent.created, text: 'Created, to save a card' },
    ...(card === undefined ? [] : [saved(card)]),
    ...deliveries.flatMap((delivery) => sent(model, delivery)),
  ]
}

export function historyOfCustomer(
  customer: Customer,
  cards: readonly CardToken[],
  intents: readonly Intent[],
  firstCharges: readonly Charge[],
): readonly Entry[] {
  return [
    { at: customer.created, text: 'Customer created' },
    ...cards.map(saved),
    ...intents.flatMap((intent) => [created(intent), ...chargesOf(intent).map(charged)]),
    ...firstCharges.map(established),
  ]
}

export function historyOfCard(card: CardToken, intents: readonly Intent[]): readonly Entry[] {
  return [saved(card), ...intents.flatMap(chargesOf).map(charged)]
}

export function historyOfAgreement(first: Charge | undefined, intents: readonly Intent[]): readonly Entry[] {
  return [...intents.flatMap(chargesOf).map(charged), ...(first === undefined ? [] : [established(first)])]
}

export function chargesOf(intent: Intent): readonly Charge[] {
  return intent.transactions.map((transaction) => ({
    id: transaction.id,
    scope: intent.scope,
    intent,
    transaction,
  }))
}

/** The intents that belong to an agreement, the oldest first. */
export function intentsOfAgreement(
  { store }: Model,
  { scope, agreementId }: Pick<Agreement, 'scope' | 'agreementId'>,
): readonly Intent[] {
  return store
    .list('intent')
    .filter((intent) => intent.agreementId === agreementId && isSameScope(intent.scope, scope))
}

/** The charge that established the agreement of an intent, or another one: the first that succeeded with the customer present. */
export function firstChargeOf(
  model: Model,
  { scope, agreementId }: Pick<Intent, 'scope' | 'agreementId'>,
): Charge | undefined {
  if (agreementId === undefined || findAgreement(model, scope, agreementId) === undefined) return undefined
  return intentsOfAgreement(model, { scope, agreementId })
    .filter(({ isMerchantInitiated }) => !isMerchantInitiated)
    .flatMap(chargesOf)
    .filter(({ transaction }) => transaction.failure === undefined)
    .sort((a, b) => a.transaction.created - b.transaction.created)[0]
}

function created({ created: at, amount, currency }: Intent): Entry {
  return { at, text: `Intent of ${amountText(amount, currency)} created` }
}

function charged({ intent, transaction }: Charge): Entry {
  const { id, created: at, providerId, failure } = transaction
  const outcome = failure === undefined ? 'succeeded' : `failed: ${failure}`
  const amount = amountText(intent.amount, intent.currency)
  return { at, text: `Charge of ${amount} at ${providerId} ${outcome}`, transaction: id }
}

function saved({ created: at, card }: CardToken): Entry {
  return { at, text: `Card saved: ${card.brand} that ends in ${card.lastFour}` }
}

function established({ intent, transaction }: Charge): Entry {
  return {
    at: transaction.created,
    text: `Agreement ${intent.agreementId!} established at ${transaction.providerId}`,
    transaction: transaction.id,
  }
}

function sent({ store }: Model, delivery: Delivery): readonly Entry[] {
  const { id, type, url, created: at, attempts } = delivery
  return [
    { at, text: `${type} for ${url}`, delivery: id },
    ...attempts.map((attempt, index) => ({
      at: attempt.at,
      text: `${type}, attempt ${index + 1}. ${verdictText(attempt, () => bodyOf(store, delivery))}`,
      delivery: id,
    })),
  ]
}
