import { getCardToken } from '../cards/cards.js'
import type { Service } from '../deliveries/service.js'
import { invalid } from '../http/refusal.js'
import { checkOpen } from '../intents/intents.js'
import {
  isPayment,
  type CustomerIntent,
  type Intent,
  type PayAttempt,
  type Source,
} from '../intents/records.js'
import { checkProvider } from '../intents/requests.js'
import { pay, saveCard } from '../payments/pay.js'
import type { CardInput } from './card-input.js'

/**
 * Completes an intent with the input of the customer, or goes one step towards it, and notifies the merchant.
 *
 * @throws {Refusal} if it is completed already, or this cannot complete it
 */
export async function complete(service: Service, intent: CustomerIntent, input: CardInput): Promise<void> {
  checkProvider(input.providerId)
  checkOpen(intent)
  if (isPayment(intent)) {
    return pay(service, intent, withPending(sourceOf(service, intent, input), intent.pending, input))
  }
  if (input.cardToken !== undefined) throw invalid('cardToken', 'is saved already: send a card')
  saveCard(service, intent, withPending(input.card && { card: input.card }, intent.pending, input))
}

/** The card or the saved card that the customer chose, if it is one of those that the intent takes. */
function sourceOf(
  service: Service,
  { scope, request }: Intent,
  { card, cardToken }: CardInput,
): Source | undefined {
  const { customer, card_token } = request
  if (card_token !== undefined && (card !== undefined || cardToken !== undefined)) {
    throw invalid(card === undefined ? 'cardToken' : 'card', 'is settled: the intent charges a saved card')
  }
  if (cardToken === undefined) return card && { card }
  if (customer === undefined) throw invalid('cardToken', 'is not offered: the intent has no customer')
  return { token: getCardToken(service, { scope, customer }, cardToken, 'cardToken') }
}

/** The whole attempt: input without a card continues the pending attempt, and adds to it. */
function withPending<Of extends Source>(
  source: Of | undefined,
  pending: PayAttempt<Of> | undefined,
  { hasCvv, challenge, saveCard, providerId, collectedCard }: CardInput,
): PayAttempt<Of> {
  if (source !== undefined) return { source, hasCvv, challenge, saveCard, providerId, collectedCard }
  if (pending === undefined) throw invalid('card', 'is missing')
  return {
    source: pending.source,
    hasCvv: hasCvv || pending.hasCvv,
    challenge: challenge ?? pending.challenge,
    saveCard: saveCard ?? pending.saveCard,
    providerId: providerId ?? pending.providerId,
  }
}
