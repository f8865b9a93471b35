import Type, { type Static } from 'typebox'
import { getCardToken, readCard, readCvv, type Card } from '../cards/cards.js'
import type { Service } from '../deliveries/sending.js'
import { invalid } from '../http/refusal.js'
import { exactly, oneOf, optionalFlag, optionalText } from '../http/schema.js'
import { checkOpen, checkProvider } from '../intents/intents.js'
import {
  isPayment,
  type CustomerIntent,
  type Intent,
  type PayAttempt,
  type Source,
} from '../intents/records.js'
import { pay, saveCard } from '../payments/pay.js'

/** Everything that completes an intent at once. */
const ofPayment = {
  card: optionalText('A published test number'),
  cardToken: optionalText('Instead: a saved card that the intent offers'),
  cvv: Type.Optional(Type.String()),
  saveCard: optionalFlag('The state of the checkbox, or the parameter of the SDK'),
  challenge: Type.Optional(oneOf(['pass', 'fail'], { description: 'The outcome of 3DS, if it is required' })),
  provider: Type.Optional(Type.String()),
}

export const paymentBody = exactly(ofPayment)

/** Everything that a customer may send to complete an intent. Each operation takes some of it. */
export const inputs = {
  ...ofPayment,
  cardData: optionalText('The id of a collected card, which can be used for one call'),
  expiry: optionalText('Month and year: 12/34'),
  holder: Type.Optional(Type.String({ maxLength: 100 })),
}

/** The input of the customer, without the numbers. */
export interface CardInput extends Omit<PayAttempt, 'source'> {
  readonly card: Card | undefined
  readonly cardToken: string | undefined
}

/** Reads the input. The card number and the CVV are not stored. */
export function readCardInput(body: Static<typeof paymentBody>): CardInput {
  return {
    hasCvv: readCvv(body.cvv, 'cvv'),
    card: body.card === undefined ? undefined : readCard(body.card, 'card'),
    cardToken: body.cardToken,
    saveCard: body.saveCard,
    challenge: body.challenge,
    providerId: body.provider,
  }
}

/**
 * Checks the expiry and the holder. They are not stored, and no outcome depends on them.
 *
 * @throws {Refusal} on values that a card cannot have
 */
export function checkEntry(entry: { expiry?: string; holder?: string }, now: number): void {
  if (entry.expiry !== undefined) checkExpiry(entry.expiry, now)
  if (entry.holder?.trim() === '') throw invalid('holder', 'is missing')
}

function checkExpiry(expiry: string, now: number): void {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiry) ?? []
  if (month === undefined) throw invalid('expiry', 'must be a month and a year, such as 12/34')
  // A card is valid to the end of its month, in the time zone where that ends last.
  const end = Date.UTC(2000 + Number(year), Number(month), 1, 12)
  if (end <= now) throw invalid('expiry', 'is in the past')
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
