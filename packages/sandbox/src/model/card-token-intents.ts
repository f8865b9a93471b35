import { checkOpen, declineOf, finish, stepLeft, wait, type Attempt, type Payable } from './attempt.js'
import { saveCard, type CardTokenType } from './card-tokens.js'
import type { Scope } from './credentials.js'
import { findCustomer } from './customers.js'
import { checkProvider } from './intent-rules.js'
import { invalid } from './refusal.js'
import type { Card } from '../vault/test-cards.js'
import type { World } from './world.js'

/** A card can only be typed in here. */
interface TypedCard {
  readonly card: Card
}

/** Keeps a card, and charges nothing (S4.4). */
export interface CardTokenIntent extends Payable<TypedCard> {
  readonly id: string
  readonly scope: Scope
  readonly created: number
  readonly customerId: string
  readonly type: CardTokenType
  readonly webhookUrl?: string | undefined
  readonly providerId?: string | undefined
  cardTokenId?: string
}

export interface CardTokenIntentRequest {
  readonly customer: string
  readonly card_token_type?: CardTokenType
  readonly webhook_url?: string
  readonly provider?: string
}

/** @throws {Refusal} where there is no such customer or provider */
export function createCardTokenIntent(
  world: World,
  scope: Scope,
  request: CardTokenIntentRequest,
): CardTokenIntent {
  const { customer: customerId, webhook_url: webhookUrl, provider: providerId } = request
  if (findCustomer(world, scope, customerId) === undefined) throw invalid('customer', 'Customer not found')
  checkProvider(world, providerId)
  const intent: CardTokenIntent = {
    id: world.random.id('cti'),
    scope,
    created: world.now(),
    customerId,
    type: request.card_token_type ?? 'UNIVERSAL',
    webhookUrl,
    providerId,
    status: 'CREATED',
  }
  world.cardTokenIntents.set(intent.id, intent)
  return intent
}

/** @throws {Refusal} where its card is kept already */
export function tokenizeCard(world: World, intent: CardTokenIntent, attempt: Attempt<TypedCard>): void {
  checkOpen(intent)
  const { card } = attempt.source
  const step = stepLeft(card, attempt)
  if (step !== undefined) {
    wait(intent, step, attempt)
    return
  }
  const declined = declineOf(card, attempt)
  if (declined !== undefined) {
    finish(intent, declined)
    return
  }
  const wanted = attempt.providerId ?? intent.providerId
  const provider = world.providers.find(({ id }) => id === wanted) ?? world.providers[0]
  const token = saveCard(world, intent, card, provider)
  finish(intent, token === undefined ? 'The vault could not be reached' : undefined)
  if (token !== undefined) intent.cardTokenId = token.id
}
