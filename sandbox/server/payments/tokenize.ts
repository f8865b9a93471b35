import { CARD_INTENTS, type CardTokenIntent, type PayAttempt, type TypedCard } from '../intents/records.js'
import { declineOf, ended, stepLeft } from './charge.js'
import { saveCard } from '../cards/cards.js'
import { providerOf } from '../faults/providers.js'
import type { Model } from '../faults/model.js'

/** Tries to save the card of an intent that is open. */
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
  const provider = providerOf(attempt.providerId ?? intent.providerId)
  if (intent.type !== 'UNIVERSAL' && model.faults.provider(provider.id) === 'down') {
    return ended(`The provider ${provider.id} could not be reached`)
  }
  const token = saveCard(model, intent, card, provider)
  if (token === undefined) return ended('The vault could not be reached')
  return { ...ended(undefined), cardTokenId: token.id }
}
