import type { Card } from '../vault/test-cards.js'
import type { CardToken } from './card-tokens.js'
import { conflict } from './refusal.js'

/** The states of an intent. S3 has seen PROCESSED; the others are the sandbox's own. */
export const STATUSES = ['CREATED', 'AWAITING_CVV', 'AWAITING_CHALLENGE', 'PROCESSED', 'FAILED'] as const

export type Status = (typeof STATUSES)[number]

/** A card that was typed in, or one that is saved. */
export type Source = { readonly card: Card } | { readonly token: CardToken }

/** What a customer, or a merchant, brings to pay with. */
export interface Attempt<Of extends Source = Source> {
  readonly source: Of
  readonly hasCvv: boolean
  /** What became of 3DS, once it was asked for. */
  readonly challenge?: 'pass' | 'fail' | undefined
  /** The state of the checkbox, or the parameter of the SDK (S4.5). */
  readonly saveCard?: boolean | undefined
  readonly providerId?: string | undefined
  /** There is nobody who could be sent to the hosted form. */
  readonly isUnattended?: boolean
}

/** Something that is completed with a card, at once or in steps. */
export interface Payable<Of extends Source = Source> {
  status: Status
  /** What the customer has brought so far, while a step is left. */
  pending?: Attempt<Of>
  /** Why the last attempt failed. */
  failure?: string
}

/** @throws {Refusal} where there is nothing left to complete */
export function checkOpen({ status }: Payable): void {
  if (status === 'PROCESSED') throw conflict('id', 'is completed already')
}

/** The step that is left before the card can be charged (S4.1: 3DS, CVV re-entry). */
export function stepLeft(
  card: Card,
  { hasCvv, challenge }: Attempt,
): 'AWAITING_CVV' | 'AWAITING_CHALLENGE' | undefined {
  if (card.needsCvv && !hasCvv) return 'AWAITING_CVV'
  if (card.isChallenged && challenge === undefined) return 'AWAITING_CHALLENGE'
  return undefined
}

/** Leaves it to the customer to come back with what is missing. */
export function wait<Of extends Source>(
  payable: Payable<Of>,
  status: 'AWAITING_CVV' | 'AWAITING_CHALLENGE',
  attempt: Attempt<Of>,
): void {
  payable.status = status
  payable.pending = attempt
}

/** Notes how an attempt ended. */
export function finish(payable: Payable, failure: string | undefined): void {
  delete payable.pending
  delete payable.failure
  payable.status = failure === undefined ? 'PROCESSED' : 'FAILED'
  if (failure !== undefined) payable.failure = failure
}

/** Why a card is declined whose steps are done, if it is. */
export function declineOf(card: Card, { challenge, source }: Attempt): string | undefined {
  if (card.isChallenged && challenge === 'fail') return 'The challenge was not passed'
  return card.declined ?? ('token' in source ? card.declinedWhenSaved : undefined)
}
