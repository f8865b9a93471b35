import type { Infer } from '../http/infer.js'
import type { Attempt, Card, Source } from '../model/entities.js'
import { invalid } from '../model/refusal.js'
import { readCard, readCvv } from './vault.js'

export const payBody = {
  type: 'object',
  properties: {
    card: { type: 'string', description: 'A published test number' },
    cardToken: { type: 'string', description: 'In its place: a saved card that the intent offers' },
    cvv: { type: 'string' },
    saveCard: { type: 'boolean', description: 'The state of the checkbox, or the parameter of the SDK' },
    challenge: {
      type: 'string',
      enum: ['pass', 'fail'],
      description: 'What becomes of 3DS, if it is asked for',
    },
    provider: { type: 'string' },
  },
  additionalProperties: false,
} as const

/** What the customer has brought, without the numbers. */
export interface Brought extends Omit<Attempt, 'source'> {
  readonly card: Card | undefined
  readonly cardToken: string | undefined
}

/** Leaves the card number and the CVV behind. */
export function readBrought(body: Infer<typeof payBody>): Brought {
  const { card, cvv, cardToken, saveCard, challenge, provider: providerId } = body
  return {
    hasCvv: readCvv(cvv, 'cvv'),
    card: card === undefined ? undefined : readCard(card, 'card'),
    cardToken,
    saveCard,
    challenge,
    providerId,
  }
}

export function cardOf({ card }: Brought): { readonly card: Card } | undefined {
  return card && { card }
}

/** The attempt as a whole: who brings no card goes on with the one of before, and adds to what was said then. */
export function complete<Of extends Source>(
  fresh: Of | undefined,
  pending: Attempt<Of> | undefined,
  { hasCvv, challenge, saveCard, providerId }: Brought,
): Attempt<Of> {
  if (fresh !== undefined) return { source: fresh, hasCvv, challenge, saveCard, providerId }
  if (pending === undefined) throw invalid('card', 'is missing')
  return {
    source: pending.source,
    hasCvv: hasCvv || pending.hasCvv,
    challenge: challenge ?? pending.challenge,
    saveCard: saveCard ?? pending.saveCard,
    providerId: providerId ?? pending.providerId,
  }
}
