import { tokenizeCard } from '../model/card-token-intents.js'
import { getCardToken } from '../model/card-tokens.js'
import type { Attempt, CardTokenIntent, Intent, Source } from '../model/entities.js'
import { checkProvider } from '../model/intent-rules.js'
import { isForCustomer } from '../model/intents.js'
import { payIntent } from '../model/payments.js'
import { conflict, invalid, unknown } from '../model/refusal.js'
import type { State } from '../model/state.js'
import type { Service } from '../service.js'
import { cardOf, complete, type Brought } from './brought.js'

/** What a customer can complete with a card. */
export type CustomerIntent = Intent | CardTokenIntent

export function isPayment(intent: CustomerIntent): intent is Intent {
  return 'amount' in intent
}

/** @throws {Refusal} where there is none of this id */
export function findIntent({ intents, cardTokenIntents }: State, id: string): CustomerIntent {
  const intent = intents.get(id) ?? cardTokenIntents.get(id)
  if (intent === undefined) throw unknown('id', 'Intent not found')
  return intent
}

/**
 * Completes an intent with what the customer has brought, or goes one step towards it, and tells the merchant.
 *
 * @throws {Refusal} where it is completed already, or this cannot complete it
 */
export function payWith(service: Service, intent: CustomerIntent, brought: Brought): void {
  const { state } = service.stage
  checkProvider(state, brought.providerId)
  if (isPayment(intent)) {
    if (!isForCustomer(intent)) {
      throw conflict('id', 'is completed already, or nothing a customer can change')
    }
    service.tell(intent, payIntent(state, intent, attemptAt(state, intent, brought)))
    return
  }
  if (brought.cardToken !== undefined) throw invalid('cardToken', 'is saved already: send a card')
  tokenizeCard(state, intent, complete(cardOf(brought), intent.pending, brought))
  service.changes.announce('intent', intent.id)
}

function attemptAt(state: State, intent: Intent, brought: Brought): Attempt {
  const { card, cardToken } = brought
  if (intent.cardTokenId !== undefined && (card !== undefined || cardToken !== undefined)) {
    throw invalid(card === undefined ? 'cardToken' : 'card', 'is settled: the intent charges a saved card')
  }
  if (cardToken !== undefined && intent.customerId === undefined) {
    throw invalid('cardToken', 'is not offered: the intent has no customer')
  }
  const fresh =
    cardToken === undefined ? cardOf(brought) : { token: getCardToken(state, intent, cardToken, 'cardToken') }
  const attempt = complete<Source>(fresh, intent.pending, brought)
  // It may have been deleted since the step before.
  if ('token' in attempt.source) getCardToken(state, intent, attempt.source.token.id, 'cardToken')
  return attempt
}
