import Type, { type Static } from 'typebox'
import { declineOf, ended, stepLeft } from './payments.js'
import { getCustomer, saveCard } from './customers.js'
import { checkProvider, type IntentMaker } from './intents.js'
import type { Model } from './model.js'
import { providerOf } from './providers.js'
import { oneOf } from '../schema.js'
import {
  CARD_INTENTS,
  CARD_TOKEN_TYPES,
  type CardTokenIntent,
  type PayAttempt,
  type TypedCard,
} from '../store/records.js'

export const cardTokenIntentRequest = Type.Object({
  customer: Type.String(),
  webhook_url: Type.Optional(Type.String()),
  card_token_type: Type.Optional(oneOf(CARD_TOKEN_TYPES)),
  provider: Type.Optional(Type.String({ description: 'Of the sandbox: the provider that keeps the card' })),
})

export type CardTokenIntentRequest = Static<typeof cardTokenIntentRequest>

/** @throws {Refusal} if the customer or the provider does not exist */
export function createCardTokenIntent(
  model: Model,
  { scope, keyId, isOwn }: IntentMaker,
  request: CardTokenIntentRequest,
): CardTokenIntent {
  const { customer: customerId, webhook_url: webhookUrl, provider: providerId } = request
  getCustomer(model, scope, customerId, 'customer')
  checkProvider(providerId)
  return model.store.insert(CARD_INTENTS, {
    id: model.random.id('cti'),
    scope,
    keyId,
    isOwn,
    created: model.now(),
    customerId,
    type: request.card_token_type ?? 'UNIVERSAL',
    webhookUrl,
    providerId,
    status: 'CREATED',
  })
}

/** Tries to save the card of an intent that is open. */
export function tokenizeCard(model: Model, intent: CardTokenIntent, attempt: PayAttempt<TypedCard>): void {
  const { card } = attempt.source
  const step = stepLeft(card, attempt)
  model.store.update(
    CARD_INTENTS,
    intent.id,
    step === undefined ? tokenized(model, intent, attempt) : { status: step, pending: attempt },
  )
}

/** What changes with an attempt for which no step is left. */
function tokenized(model: Model, intent: CardTokenIntent, attempt: PayAttempt<TypedCard>) {
  const { card } = attempt.source
  const declined = declineOf(card, attempt)
  if (declined !== undefined) return ended(declined)
  const provider = providerOf(attempt.providerId ?? intent.providerId)
  if (intent.type !== 'UNIVERSAL' && model.faults.provider(provider.id) === 'down') {
    return ended(`The provider ${provider.id} could not be reached`)
  }
  const token = saveCard(model, intent, card, provider)
  if (token === undefined) return ended('The vault could not be reached')
  return { ...ended(undefined), cardTokenId: token.id }
}
