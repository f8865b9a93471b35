import Type, { type Static } from 'typebox'
import { CARD_TOKEN_TYPES } from '../cards/cards.js'
import { getCustomer } from '../customers/customers.js'
import type { Model } from '../faults/model.js'
import { oneOf } from '../http/schema.js'
import { checkProvider, type IntentMaker } from './intents.js'
import { CARD_INTENTS, type CardTokenIntent } from './records.js'

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
