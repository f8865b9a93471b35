import Type, { type Static } from 'typebox'
import { checkOpen, declineOf, finish, stepLeft, wait } from './attempts.js'
import { saveCard } from './card-tokens.js'
import { getCustomer } from './customers.js'
import {
  CARD_TOKEN_TYPES,
  type Attempt,
  type CardTokenIntent,
  type Scope,
  type TypedCard,
} from './entities.js'
import { checkProvider } from './intent-rules.js'
import type { State } from './state.js'
import { oneOf } from '../schema.js'

export const cardTokenIntentRequest = Type.Object({
  customer: Type.String(),
  webhook_url: Type.Optional(Type.String()),
  card_token_type: Type.Optional(oneOf(CARD_TOKEN_TYPES)),
  provider: Type.Optional(Type.String({ description: 'Of the sandbox: the provider that keeps the card' })),
})

export type CardTokenIntentRequest = Static<typeof cardTokenIntentRequest>

/** @throws {Refusal} if the customer or the provider does not exist */
export function createCardTokenIntent(
  state: State,
  { scope, keyId }: { readonly scope: Scope; readonly keyId?: string | undefined },
  request: CardTokenIntentRequest,
): CardTokenIntent {
  const { customer: customerId, webhook_url: webhookUrl, provider: providerId } = request
  getCustomer(state, scope, customerId, 'customer')
  checkProvider(state, providerId)
  const intent: CardTokenIntent = {
    id: state.random.id('cti'),
    scope,
    keyId,
    created: state.now(),
    customerId,
    type: request.card_token_type ?? 'UNIVERSAL',
    webhookUrl,
    providerId,
    status: 'CREATED',
  }
  state.cardTokenIntents.set(intent.id, intent)
  return intent
}

/** @throws {Refusal} if its card is saved already */
export function tokenizeCard(state: State, intent: CardTokenIntent, attempt: Attempt<TypedCard>): void {
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
  const provider = state.providers.find(({ id }) => id === wanted) ?? state.providers[0]
  if (intent.type !== 'UNIVERSAL' && state.faultOf(provider.id) === 'down') {
    finish(intent, `The provider ${provider.id} could not be reached`)
    return
  }
  const token = saveCard(state, intent, card, provider)
  finish(intent, token === undefined ? 'The vault could not be reached' : undefined)
  if (token !== undefined) intent.cardTokenId = token.id
}
