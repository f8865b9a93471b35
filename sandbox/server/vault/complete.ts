import { getCardToken } from '../model/customers.js'
import { checkOpen, checkProvider } from '../model/intents.js'
import { invalid, unknown } from '../model/refusal.js'
import type { Service } from '../service.js'
import {
  CARD_INTENTS,
  INTENTS,
  type CardTokenIntent,
  type Intent,
  type PayAttempt,
  type Source,
} from '../store/records.js'
import type { CardInput } from './card-input.js'

/** An intent that a customer can complete with a card. */
export type CustomerIntent = Intent | CardTokenIntent

export function isPayment(intent: CustomerIntent): intent is Intent {
  return 'amount' in intent
}

/** @throws {Refusal} if the id does not exist */
export function findIntent({ store }: Service, id: string, field = 'id'): CustomerIntent {
  const intent = store.get(INTENTS, id) ?? store.get(CARD_INTENTS, id)
  if (intent === undefined) throw unknown(field, 'Intent not found')
  return intent
}

/**
 * Completes an intent with the input of the customer, or goes one step towards it, and notifies the merchant.
 *
 * @throws {Refusal} if it is completed already, or this cannot complete it
 */
export async function complete(service: Service, intent: CustomerIntent, input: CardInput): Promise<void> {
  checkProvider(input.providerId)
  checkOpen(intent)
  if (isPayment(intent)) {
    await service.pay(intent, paymentAttempt(service, intent, input), input.collectedCard)
    return
  }
  if (input.cardToken !== undefined) throw invalid('cardToken', 'is saved already: send a card')
  const attempt = withPending(input.card && { card: input.card }, intent.pending, input)
  service.saveCard(intent, attempt, input.collectedCard)
}

function paymentAttempt(service: Service, intent: Intent, input: CardInput): PayAttempt {
  const { card, cardToken } = input
  if (intent.cardTokenId !== undefined && (card !== undefined || cardToken !== undefined)) {
    throw invalid(card === undefined ? 'cardToken' : 'card', 'is settled: the intent charges a saved card')
  }
  if (cardToken !== undefined && intent.customerId === undefined) {
    throw invalid('cardToken', 'is not offered: the intent has no customer')
  }
  const source =
    cardToken === undefined
      ? card && { card }
      : { token: getCardToken(service, intent, cardToken, 'cardToken') }
  return withPending<Source>(source, intent.pending, input)
}

/** The whole attempt: input without a card continues the pending attempt, and adds to it. */
function withPending<Of extends Source>(
  source: Of | undefined,
  pending: PayAttempt<Of> | undefined,
  { hasCvv, challenge, saveCard, providerId }: CardInput,
): PayAttempt<Of> {
  if (source !== undefined) return { source, hasCvv, challenge, saveCard, providerId }
  if (pending === undefined) throw invalid('card', 'is missing')
  return {
    source: pending.source,
    hasCvv: hasCvv || pending.hasCvv,
    challenge: challenge ?? pending.challenge,
    saveCard: saveCard ?? pending.saveCard,
    providerId: providerId ?? pending.providerId,
  }
}
