import type { Card, Payable, PayAttempt } from '../store/records.js'
import { conflict } from './refusal.js'

/** @throws {Refusal} if it is completed already */
export function checkOpen({ status }: Payable): void {
  if (status === 'PROCESSED') throw conflict('id', 'is completed already')
}

/** The step that is left before the card can be charged: 3DS, or entering the CVV again. */
export function stepLeft(
  card: Card,
  { hasCvv, challenge }: PayAttempt,
): 'AWAITING_CVV' | 'AWAITING_CHALLENGE' | undefined {
  if (card.needsCvv && !hasCvv) return 'AWAITING_CVV'
  if (card.isChallenged && challenge === undefined) return 'AWAITING_CHALLENGE'
  return undefined
}

/** What changes with the end of an attempt. */
export function ended(failure: string | undefined) {
  return { status: failure === undefined ? 'PROCESSED' : 'FAILED', pending: undefined, failure } as const
}

/** Why a card is declined after all steps; undefined if it is not. */
export function declineOf(card: Card, { challenge, source }: PayAttempt): string | undefined {
  if (card.isChallenged && challenge === 'fail') return 'The challenge was not passed'
  return card.declined ?? ('token' in source ? card.declinedWhenSaved : undefined)
}
