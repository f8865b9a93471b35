import { establish, isCovered, misfit } from './agreements.js'
import { checkOpen, declineOf, finish, stepLeft, wait } from './attempts.js'
import { cardAt, saveCard } from './card-tokens.js'
import { isSameScope, type Attempt, type CardToken, type Intent, type Transaction } from './entities.js'
import { route, type Provider } from './providers.js'
import { invalid } from './refusal.js'
import type { State } from './state.js'

/**
 * Tries to pay an intent.
 *
 * @returns the transaction, or undefined if the customer has a step left
 * @throws {Refusal} if it is paid already, or the card cannot be saved as requested
 */
export function payIntent(state: State, intent: Intent, attempt: Attempt): Transaction | undefined {
  checkOpen(intent)
  const isToBeSaved = checkSaveCard(intent, attempt)
  const { source } = attempt
  const token = 'token' in source ? source.token : undefined
  const chosen = chooseProvider(state, intent, attempt, token)
  const provider = chosen ?? state.providers[0]
  if (chosen === undefined) {
    return record(state, intent, provider, 'There is no other provider that covers this agreement')
  }
  const card = 'card' in source ? source.card : cardAt(state, source.token, provider)
  if (typeof card === 'string') return record(state, intent, provider, card)

  // The customer is not present at a merchant-initiated charge.
  const step = intent.isMerchantInitiated ? undefined : stepLeft(card, attempt)
  if (step !== undefined && attempt.isUnattended !== true) {
    wait(intent, step, attempt)
    return undefined
  }
  const claim = claimOf(intent, token)
  const failure =
    (step && 'A step of the customer is required, and the customer is not there') ??
    declineOf(card, attempt) ??
    (claim && misfit(state, claim, provider, intent.isMerchantInitiated))
  const transaction = record(state, intent, provider, failure)
  if (failure !== undefined) return transaction

  const saved =
    isToBeSaved && intent.customerId !== undefined
      ? saveCard(
          state,
          { scope: intent.scope, customerId: intent.customerId, type: intent.saving.type },
          card,
          provider,
        )
      : undefined
  const paid = token ?? saved
  if (paid === undefined) return transaction
  intent.paidCardTokenId = paid.id
  if (claim !== undefined && !intent.isMerchantInitiated) {
    establish(state, { ...claim, cardTokenId: paid.id }, provider)
  }
  return transaction
}

/** Whether the card is saved if the payment succeeds. */
function checkSaveCard({ saving }: Intent, { source, saveCard: isTicked = false }: Attempt): boolean {
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

function chooseProvider(
  state: State,
  intent: Intent,
  attempt: Attempt,
  token: CardToken | undefined,
): Provider | undefined {
  const { providers } = state
  const { scope, agreementId } = intent
  // A token that lives at one provider can be charged only there.
  const wanted =
    attempt.providerId ?? intent.providerId ?? (token?.type === 'PROVIDER' ? token.providerId : undefined)
  return route(providers, {
    action: attempt.providerId === undefined ? intent.routingAction : undefined,
    otherwise: providers.find(({ id }) => id === wanted) ?? providers[0],
    isCovered: (provider) => agreementId !== undefined && isCovered(provider, scope, agreementId),
    failedAt: () => lastFailure(state, intent),
  })
}

/** The id of the provider where the last charge of the agreement failed, if it did. */
function lastFailure({ intents }: State, { scope, agreementId }: Intent): string | undefined {
  const charges = [...intents.values()]
    .filter((intent) => intent.agreementId === agreementId && isSameScope(intent.scope, scope))
    .flatMap(({ transactions }) => transactions)
  const last = charges.at(-1)
  return last?.failure === undefined ? undefined : last.providerId
}

function claimOf({ agreementId, scope, customerId }: Intent, token: CardToken | undefined) {
  return agreementId === undefined || customerId === undefined
    ? undefined
    : { agreementId, scope, customerId, cardTokenId: token?.id }
}

function record(
  { random, now }: State,
  intent: Intent,
  provider: Provider,
  failure: string | undefined,
): Transaction {
  const transaction: Transaction = {
    id: random.uuid(),
    operationId: random.id('op'),
    statusId: random.id('st'),
    created: now(),
    providerId: provider.id,
    ...(failure !== undefined && { failure }),
  }
  intent.transactions.push(transaction)
  finish(intent, failure)
  return transaction
}
