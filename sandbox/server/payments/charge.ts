import {
  agreementProblem,
  findAgreement,
  isCovered,
  recordAgreement,
  type AgreementClaim,
} from './agreements.js'
import { lastFailure } from '../intents/intents.js'
import { cardAt, saveCard, type Card, type CardToken } from '../cards/cards.js'
import type { Model } from '../faults/model.js'
import { PROVIDERS, providerOf, type Provider } from '../faults/providers.js'
import { route } from './routing.js'
import { invalid } from '../http/refusal.js'
import { INTENTS, type Intent, type PayAttempt, type Transaction } from '../intents/records.js'

/** A transaction that failed, and its intent. */
export interface FailedCharge {
  readonly intent: Intent
  readonly transaction: Transaction
}

/**
 * Tries to pay an intent that is open. If a provider is down, the next one is tried with a card that is not locked to one provider.
 *
 * @returns the transactions, one for each provider that was tried; none if the customer has a step left
 * @throws {Refusal} if the card cannot be saved as requested
 */
export function payIntent(model: Model, intent: Intent, attempt: PayAttempt): readonly Transaction[] {
  const isToBeSaved = checkSaveCard(intent, attempt)
  const transactions: Transaction[] = []
  for (const provider of providersFor(model, intent, attempt)) {
    const fault = model.faults.provider(provider.id)
    const card = cardFor(model, attempt, provider)
    if (typeof card === 'string') return [record(model, intent, provider, card)]

    // To a charge under an agreement the customer has consented before.
    const step = isUnderAgreement(intent) ? undefined : stepLeft(card, attempt)
    if (step !== undefined && attempt.isUnattended !== true) {
      model.store.update(INTENTS, intent.id, { status: step, pending: attempt })
      return []
    }
    if (step === undefined && fault === 'down') {
      const failure = `The provider ${provider.id} could not be reached`
      transactions.push(record(model, intent, provider, failure))
      continue
    }
    const claim = claimOf(intent, attempt, card)
    const failure =
      (step && 'A step of the customer is required, and the customer is not there') ??
      (fault === 'declines' ? `The provider ${provider.id} declined the charge` : undefined) ??
      (fault === 'rejects-stolen' ? 'The card is reported as stolen' : undefined) ??
      declineOf(card, attempt) ??
      (claim && agreementProblem(model, claim, provider, intent.isMerchantInitiated))
    const isSlow = fault === 'slow'
    transactions.push(record(model, intent, provider, failure, isSlow))
    if (failure === undefined) settle(model, intent, provider, { attempt, card, claim, isToBeSaved })
    return transactions
  }
  if (transactions.length > 0) return transactions
  return [record(model, intent, PROVIDERS[0], 'There is no other provider that covers this agreement')]
}

/** Ends the charges that wait for a step of the customer, with a card that was deleted. */
export function failWaiting(model: Model, token: CardToken): readonly FailedCharge[] {
  return [...model.store.list(INTENTS)].flatMap((intent) => {
    const { source, providerId = intent.providerId ?? token.providerId } = intent.pending ?? {}
    if (source === undefined || !('token' in source) || source.token.id !== token.id) return []
    return [
      { intent, transaction: record(model, intent, providerOf(providerId), 'The saved card was deleted') },
    ]
  })
}

/** After a successful charge: saves the card, and stores the agreement. */
function settle(
  model: Model,
  intent: Intent,
  provider: Provider,
  charge: {
    readonly attempt: PayAttempt
    readonly card: Card
    readonly claim: AgreementClaim | undefined
    readonly isToBeSaved: boolean
  },
): void {
  const { attempt, card, claim, isToBeSaved } = charge
  const { id, scope, customerId, saving, isMerchantInitiated } = intent
  const saved =
    isToBeSaved && customerId !== undefined
      ? saveCard(model, { scope, customerId, type: saving.type }, card, provider)
      : undefined
  const paid = 'token' in attempt.source ? attempt.source.token : saved
  if (paid !== undefined) model.store.update(INTENTS, id, { paidCardTokenId: paid.id })
  if (claim !== undefined) {
    recordAgreement(model, { ...claim, cardTokenId: paid?.id }, provider, isMerchantInitiated)
  }
}

/** Whether the card is saved if the payment succeeds. */
function checkSaveCard({ saving }: Intent, { source, saveCard: isTicked = false }: PayAttempt): boolean {
  const { isAutomatic, isOffered, isMandatory, isAllowedToSdk } = saving
  if ('token' in source) {
    if (isTicked) throw invalid('saveCard', 'is for a card that is not saved yet')
    return false
  }
  if (isMandatory && !isTicked) throw invalid('saveCard', 'must be true: the checkbox is mandatory')
  if (isTicked && ![isAutomatic, isOffered, isMandatory, isAllowedToSdk].includes(true)) {
    throw invalid('saveCard', 'is not offered by this intent: set allow_tokenize_card or show a checkbox')
  }
  return isAutomatic || isTicked
}

/** Whether it is a merchant-initiated charge of an agreement. */
function isUnderAgreement({ isMerchantInitiated, agreementId }: Intent): boolean {
  return isMerchantInitiated && agreementId !== undefined
}

/** The card as a provider gets it, or the reason why the provider cannot get it. */
function cardFor(model: Model, { source }: PayAttempt, provider: Provider): Card | string {
  return 'card' in source ? source.card : cardAt(model, source.token, provider)
}

/**
 * The provider of the charge, and after it those that are tried while the ones before them are down. A provider that cannot get
 * the card is left out, unless it is named or there is no other.
 */
function providersFor(model: Model, intent: Intent, attempt: PayAttempt): readonly Provider[] {
  const named = attempt.providerId ?? intent.providerId
  if (named !== undefined) return [providerOf(named)]
  const possible = PROVIDERS.filter((provider) => typeof cardFor(model, attempt, provider) !== 'string')
  if (possible.length === 0) return [PROVIDERS[0]]

  const { scope, agreementId, routingAction: action } = intent
  const agreement = agreementId === undefined ? undefined : findAgreement(model, scope, agreementId)
  const isCoveredHere = (provider: Provider) => isCovered(agreement, provider)
  const failedAt = action === 'SMART_RECURRING_RECOVERY' ? lastFailure(model, scope, agreementId!) : undefined
  const first = route({ action, possible, isCovered: isCoveredHere, failedAt })
  if (first === undefined) return []
  const others = possible.filter(
    (provider) =>
      provider !== first &&
      // A merchant-initiated charge is declined by a provider that has no coverage.
      (!isUnderAgreement(intent) || isCoveredHere(provider)) &&
      provider.id !== failedAt,
  )
  return [first, ...others]
}

function claimOf(
  { agreementId, scope, customerId }: Intent,
  { source }: PayAttempt,
  card: Card,
): AgreementClaim | undefined {
  if (agreementId === undefined || customerId === undefined) return undefined
  const cardTokenId = 'token' in source ? source.token.id : undefined
  return { agreementId, scope, customerId, cardTokenId, card }
}

function record(
  { store, random, now }: Model,
  intent: Intent,
  provider: Provider,
  failure: string | undefined,
  isSlow = false,
): Transaction {
  const transaction: Transaction = {
    id: random.uuid(),
    operationId: random.id('op'),
    statusId: random.id('st'),
    created: now(),
    providerId: provider.id,
    isSlow,
    failure,
  }
  // An array that grows in place, or is spread, keeps room for 16 more.
  store.update(INTENTS, intent.id, {
    transactions: intent.transactions.concat(transaction),
    ...ended(failure),
  })
  return transaction
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
