import type { Attempt, Card, Payable, Source } from './entities.js'
import { conflict } from './refusal.js'

/** @throws {Refusal} if it is completed already */
export function checkOpen({ status }: Payable): void {
  if (status === 'PROCESSED') throw conflict('id', 'is completed already')
}

/** The step that is left before the card can be charged: 3DS, or entering the CVV again. */
export function stepLeft(
  card: Card,
  { hasCvv, challenge }: Attempt,
): 'AWAITING_CVV' | 'AWAITING_CHALLENGE' | undefined {
  if (card.needsCvv && !hasCvv) return 'AWAITING_CVV'
  if (card.isChallenged && challenge === undefined) return 'AWAITING_CHALLENGE'
  return undefined
}

/** Waits for the customer to send the missing data. */
export function wait<Of extends Source>(
  payable: Payable<Of>,
  status: 'AWAITING_CVV' | 'AWAITING_CHALLENGE',
  attempt: Attempt<Of>,
): void {
  payable.status = status
  payable.pending = attempt
}

/** Records how an attempt ended. */
export function finish(payable: Payable, failure: string | undefined): void {
  delete payable.pending
  delete payable.failure
  payable.status = failure === undefined ? 'PROCESSED' : 'FAILED'
  if (failure !== undefined) payable.failure = failure
}

/** Why a card is declined after all steps; undefined if it is not. */
export function declineOf(card: Card, { challenge, source }: Attempt): string | undefined {
  if (card.isChallenged && challenge === 'fail') return 'The challenge was not passed'
  return card.declined ?? ('token' in source ? card.declinedWhenSaved : undefined)
}
