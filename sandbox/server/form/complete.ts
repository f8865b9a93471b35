import { getCardToken } from '../cards/cards.js'
import { invalid } from '../http/refusal.js'
import { checkOpen, checkProvider, isPayment, type CustomerIntent } from '../intents/intents.js'
import type { Intent, PayAttempt, Source } from '../intents/records.js'
import type { Service } from '../deliveries/service.js'
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
    await pay(service, intent, paymentAttempt(service, intent, input), input.collectedCard)
    return
  }
  if (input.cardToken !== undefined) throw invalid('cardToken', 'is saved already: send a card')
  const attempt = withPending(input.card && { card: input.card }, intent.pending, input)
  saveCard(service, intent, attempt, input.collectedCard)
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
