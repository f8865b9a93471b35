import Type, { type Static } from 'typebox'
import type { Card } from '../cards/cards.js'
import type { PayAttempt } from '../intents/records.js'
import { invalid } from '../http/refusal.js'
import { readCard, readCvv } from '../cards/test-cards.js'
import { exactly, oneOf, optionalFlag, optionalText } from '../http/schema.js'

/** Everything that a customer may send to complete an intent. Each operation takes some of it. */
export const inputs = {
  card: optionalText('A published test number'),
  cardToken: optionalText('Instead: a saved card that the intent offers'),
  cvv: Type.Optional(Type.String()),
  saveCard: optionalFlag('The state of the checkbox, or the parameter of the SDK'),
  challenge: Type.Optional(oneOf(['pass', 'fail'], { description: 'The outcome of 3DS, if it is required' })),
  provider: Type.Optional(Type.String()),
  cardData: optionalText('The id of a collected card, which can be used for one call'),
  expiry: optionalText('Month and year: 12/34'),
  holder: Type.Optional(Type.String({ maxLength: 100 })),
}

const { card, cardToken, cvv, saveCard, challenge, provider } = inputs
/** Everything that completes an intent at once. */
export const paymentBody = exactly({ card, cardToken, cvv, saveCard, challenge, provider })

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
