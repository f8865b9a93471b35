import { cardAt, saveCard, type Card, type CardToken } from '../cards/cards.js'
import type { Model } from '../faults/faults.js'
import { PROVIDERS, providerOf, type Provider } from '../faults/providers.js'
import { invalid } from '../http/refusal.js'
import { lastFailure } from '../intents/intents.js'
import {
  CARD_INTENTS,
  INTENTS,
  type CardTokenIntent,
  type Intent,
  type PayAttempt,
  type Transaction,
  type TypedCard,
} from '../intents/records.js'
import type { Charge } from '../intents/routes-view.js'
import {
  agreementProblem,
  findAgreement,
  isCovered,
  recordAgreement,
  type AgreementClaim,
} from './agreements.js'

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
      transactions.push(record(model, intent, provider, unreachable(provider)))
      continue
    }
    const claim = claimOf(intent, attempt, card)
    const failure =
      (step && 'A step of the customer is required, and the customer is not there') ??
      (fault === 'declines' ? `The provider ${provider.id} declined the charge` : undefined) ??
      (fault === 'rejects-stolen' ? 'The card is reported as stolen' : undefined) ??
      declineOf(card, attempt) ??
      (claim && agreementProblem(model, claim, provider, intent.request.merchant_initiated === true))
    transactions.push(record(model, intent, provider, failure, fault === 'slow'))
    if (failure === undefined) {
      const saved = isToBeSaved ? saveCard(model, tokenRequestOf(intent), card, provider) : undefined
      settle(model, intent, provider, claim, 'token' in attempt.source ? attempt.source.token : saved)
    }
    return transactions
  }
  if (transactions.length > 0) return transactions
  return [record(model, intent, PROVIDERS[0], 'There is no other provider that covers this agreement')]
}

/** Tries to save the card of an intent that is open and charges nothing. */
export function tokenizeCard(model: Model, intent: CardTokenIntent, attempt: PayAttempt<TypedCard>): void {
  const { card } = attempt.source
  const step = stepLeft(card, attempt)
  model.store.update(
    CARD_INTENTS,
    intent.id,
    step === undefined ? tokenized(model, intent, attempt) : { status: step, pending: attempt },
  )
}

/** What changes with an attempt for which no step is left. */
function tokenized(model: Model, intent: CardTokenIntent, attempt: PayAttempt<TypedCard>) {
  const { card } = attempt.source
  const declined = declineOf(card, attempt)
  if (declined !== undefined) return ended(declined)
  const provider = providerOf(attempt.providerId ?? intent.request.provider)
  const request = tokenRequestOf(intent)
  if (request.type !== 'UNIVERSAL' && model.faults.provider(provider.id) === 'down') {
    return ended(unreachable(provider))
  }
  const token = saveCard(model, request, card, provider)
  if (token === undefined) return ended('The vault could not be reached')
  return { ...ended(undefined), paidCardTokenId: token.id }
}

/** Ends the charges that wait for a step of the customer, with a card that was deleted. */
export function failWaiting(model: Model, token: CardToken): readonly Charge[] {
  return [...model.store.list(INTENTS)].flatMap((intent) => {
    const { source, providerId = intent.request.provider ?? token.providerId } = intent.pending ?? {}
    if (source === undefined || !('token' in source) || source.token.id !== token.id) return []
    return [
      { intent, transaction: record(model, intent, providerOf(providerId), 'The saved card was deleted') },
    ]
  })
}

/** After a successful charge: stores the card that paid, and the agreement. */
function settle(
  model: Model,
  { id, request }: Intent,
  provider: Provider,
  claim: AgreementClaim | undefined,
  paid: CardToken | undefined,
): void {
  if (paid !== undefined) model.store.update(INTENTS, id, { paidCardTokenId: paid.id })
  if (claim === undefined) return
  recordAgreement(model, { ...claim, cardTokenId: paid?.id }, provider, request.merchant_initiated === true)
}

/** What is saved of an intent. A card is saved only for a customer, which the rules of the request ensure. */
function tokenRequestOf({ scope, request }: Intent | CardTokenIntent) {
  return { scope, customerId: request.customer!, type: request.card_token_type ?? 'UNIVERSAL' }
}

/** Whether the card is saved if the payment succeeds. */
function checkSaveCard({ request }: Intent, { source, saveCard: isTicked = false }: PayAttempt): boolean {
  const { tokenize_card: isAutomatic = false, show_mandatory_save_card_checkbox: isMandatory } = request
  if ('token' in source) {
    if (isTicked) throw invalid('saveCard', 'is for a card that is not saved yet')
    return false
  }
  if (isMandatory === true && !isTicked) {
    throw invalid('saveCard', 'must be true: the checkbox is mandatory')
  }
  const offers = [isAutomatic, isMandatory, request.show_save_card_checkbox, request.allow_tokenize_card]
  if (isTicked && !offers.includes(true)) {
    throw invalid('saveCard', 'is not offered by this intent: set allow_tokenize_card or show a checkbox')
  }
  return isAutomatic || isTicked
}

/** Whether it is a merchant-initiated charge of an agreement. */
function isUnderAgreement({ request }: Intent): boolean {
  return request.merchant_initiated === true && request.agreement_id !== undefined
}

/** The card as a provider gets it, or the reason why the provider cannot get it. */
function cardFor(model: Model, { source }: PayAttempt, provider: Provider): Card | string {
  return 'card' in source ? source.card : cardAt(model, source.token, provider)
}

/**
 * The provider of the charge, and after it those that are tried while the ones before them are down. A provider that cannot get
 * the card is left out, unless it is named or there is no other. The list is empty if a recovery has no other provider left.
 */
function providersFor(model: Model, intent: Intent, attempt: PayAttempt): readonly Provider[] {
  const { provider: asked, agreement_id: agreementId, routing_action: action } = intent.request
  const named = attempt.providerId ?? asked
  if (named !== undefined) return [providerOf(named)]
  const possible = PROVIDERS.filter((provider) => typeof cardFor(model, attempt, provider) !== 'string')
  if (possible.length === 0) return [PROVIDERS[0]]

  const agreement = agreementId === undefined ? undefined : findAgreement(model, intent.scope, agreementId)
  const isRecovery = action === 'SMART_RECURRING_RECOVERY'
  const failedAt = isRecovery ? lastFailure(model, intent.scope, agreementId!) : undefined
  const isWanted = (provider: Provider) =>
    action === 'SMART_RECURRING_SETUP'
      ? provider.mapsAgreements && !isCovered(agreement, provider)
      : action === undefined || (isCovered(agreement, provider) && provider.id !== failedAt)
  const first = possible.find(isWanted) ?? (isRecovery ? undefined : possible[0])
  if (first === undefined) return []
  const others = possible.filter(
    (provider) =>
      provider !== first &&
      // A merchant-initiated charge is declined by a provider that has no coverage.
      (!isUnderAgreement(intent) || isCovered(agreement, provider)) &&
      provider.id !== failedAt,
  )
  return [first, ...others]
}

function claimOf({ scope, request }: Intent, { source }: PayAttempt, card: Card): AgreementClaim | undefined {
  const { agreement_id: agreementId, customer: customerId } = request
  if (agreementId === undefined) return undefined
  const cardTokenId = 'token' in source ? source.token.id : undefined
  // An agreement needs a customer, which the rules of the request ensure.
  return { agreementId, scope, customerId: customerId!, cardTokenId, card }
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

function unreachable({ id }: Provider): string {
  return `The provider ${id} could not be reached`
}

/** The step that is left before the card can be charged: 3DS, or entering the CVV again. */
function stepLeft(
  card: Card,
  { hasCvv, challenge }: PayAttempt,
): 'AWAITING_CVV' | 'AWAITING_CHALLENGE' | undefined {
  if (card.needsCvv && !hasCvv) return 'AWAITING_CVV'
  if (card.isChallenged && challenge === undefined) return 'AWAITING_CHALLENGE'
  return undefined
}

/** What changes with the end of an attempt. */
function ended(failure: string | undefined) {
  return { status: failure === undefined ? 'PROCESSED' : 'FAILED', pending: undefined, failure } as const
}

/** Why a card is declined after all steps; undefined if it is not. */
function declineOf(card: Card, { challenge, source }: PayAttempt): string | undefined {
  if (card.isChallenged && challenge === 'fail') return 'The challenge was not passed'
  return card.declined ?? ('token' in source ? card.declinedWhenSaved : undefined)
}
