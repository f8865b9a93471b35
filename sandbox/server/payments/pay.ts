import { CARDS, COLLECTED_CARDS, type CardToken } from '../cards/cards.js'
import type { Delivery } from '../deliveries/records.js'
import type { Service } from '../deliveries/sending.js'
import { cardTokenEvent, eventsOf, subjectOf, type Event } from '../events/events.js'
import { SLOW_PROVIDER_MS } from '../faults/providers.js'
import type {
  CardTokenIntent,
  CustomerIntent,
  Intent,
  PayAttempt,
  Transaction,
  TypedCard,
} from '../intents/records.js'
import { failWaiting, payIntent, tokenizeCard } from './charge.js'

/** How the events of payments are sent. */
const OF_A_PAYMENT = { source: 'payment', forgeries: [], isRetried: true } as const

/**
 * Tries to pay an intent that is open, and sends the events of that. Resolves when the providers have answered; the events do not wait for
 * a slow one.
 *
 * @throws {Refusal} if the card cannot be saved as requested
 */
export async function pay(service: Service, intent: Intent, attempt: PayAttempt): Promise<void> {
  const transactions = payIntent(service, intent, attempt)
  useUp(service, attempt)
  service.deliveries.send(addPaymentDeliveries(service, intent, transactions))
  const slow = transactions.filter(({ isSlow }) => isSlow).length
  if (slow > 0) await service.deliveries.pause(slow * SLOW_PROVIDER_MS)
}

/** Saves the card of an intent that charges nothing, and sends the event of that, if that option is on. */
export function saveCard(service: Service, intent: CardTokenIntent, attempt: PayAttempt<TypedCard>): void {
  const { random, settings } = service
  tokenizeCard(service, intent, attempt)
  useUp(service, attempt)
  const isSaved = intent.paidCardTokenId !== undefined && settings.cardTokenEvents
  const events = isSaved ? [cardTokenEvent(random, intent, settings.bodyStyle)] : []
  service.deliveries.send(addDeliveries(service, intent, events))
}

/** A card of the SDK is good for one attempt. A call that is refused is not an attempt. */
function useUp({ store }: Service, { collectedCard }: PayAttempt): void {
  if (collectedCard !== undefined) store.remove(COLLECTED_CARDS, collectedCard)
}

/** Deletes a saved card. A charge of it that waits for the customer fails, and the event of that is sent. */
export function deleteCard(service: Service, token: CardToken): void {
  service.store.remove(CARDS, token.id)
  const deliveries = failWaiting(service, token).flatMap(({ intent, transaction }) =>
    addPaymentDeliveries(service, intent, [transaction]),
  )
  service.deliveries.sendAsPlanned(deliveries, { isAtOnce: true })
}

function addPaymentDeliveries(
  service: Service,
  intent: Intent,
  transactions: readonly Transaction[],
): readonly Delivery[] {
  const subject = subjectOf(service, intent)
  const events = transactions.flatMap((each) => eventsOf(subject, each, service.settings.bodyStyle))
  return addDeliveries(service, intent, events)
}

/** Stores the events of an intent for its address, if it has one. */
function addDeliveries(
  service: Service,
  { id: intentId, scope, keyId, isOwn, request }: CustomerIntent,
  events: readonly Event[],
): readonly Delivery[] {
  const url = request.webhook_url ?? service.deliveries.defaultEndpoint
  if (url === undefined || events.length === 0) return []
  return service.deliveries.add(events, { intentId, url, scope, keyId, isOwn, ...OF_A_PAYMENT })
}
