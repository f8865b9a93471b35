import { causeTitle } from '@service-signature/deliveries'
import Type, { type Static } from 'typebox'
import { CARDS } from '../cards/cards.js'
import { Causes } from '../deliveries/causes.js'
import { DELIVERIES } from '../deliveries/records.js'
import type { Service } from '../deliveries/sending.js'
import { verdictOf, verdictText } from '../deliveries/verdict.js'
import { exactly, oneOf, optionalText, text } from '../http/schema.js'
import { amountText } from '../intents/amounts.js'
import type { Intent } from '../intents/records.js'
import { isoTimestamp } from '../store/clock.js'
import { findAgreement } from './agreements.js'

export const historySchema = Type.Array(
  exactly({
    at: text,
    text,
    outcome: Type.Optional(oneOf(['good', 'bad'], { description: 'Missing on what is neither' })),
    delivery: optionalText('The id of the delivery that it is about'),
    transaction: optionalText('The id of the transaction that it is about'),
  }),
  { description: 'What happened, in order; the newest 1,000 entries' },
)

const MAX_ENTRIES = 1000

/** Something that happened. It follows from what is stored, so there is no second log. */
type Entry = Omit<Static<typeof historySchema>[number], 'at'> & { readonly at: number }

/** What happened to an intent: its charges, what they made, and its deliveries. */
export function historyOf(service: Service, intent: Intent): Static<typeof historySchema> {
  const { amount, amount_currency } = intent.request
  const created = { at: intent.created, text: `Intent of ${amountText(amount, amount_currency)} created` }
  return [created, ...charged(intent), ...made(service, intent), ...sent(service, intent)]
    .sort((a, b) => a.at - b.at)
    .slice(-MAX_ENTRIES)
    .map(({ at, ...entry }) => ({ at: isoTimestamp(at), ...entry }))
}

function charged({ request, transactions }: Intent): readonly Entry[] {
  const amount = amountText(request.amount, request.amount_currency)
  return transactions.map(({ id, created: at, providerId, failure }) => ({
    at,
    text: `Charge of ${amount} at ${providerId} ${failure === undefined ? 'succeeded' : `failed: ${failure}`}`,
    outcome: failure === undefined ? 'good' : 'bad',
    transaction: id,
  }))
}

/** The card that the payment saved, and the agreement that it established. Those that it only used are older. */
function made(
  service: Service,
  { status, scope, request, transactions, paidCardTokenId }: Intent,
): readonly Entry[] {
  if (status !== 'PROCESSED') return []
  const { id, created: at, providerId } = transactions.at(-1)!
  const { agreement_id: agreementId = '', merchant_initiated: isMerchantInitiated } = request
  const entries: Entry[] = []
  const card = service.store.get(CARDS, paidCardTokenId ?? '')
  if (card !== undefined && card.created >= at) {
    entries.push({
      at: card.created,
      text: `Card saved: ${card.card.brand} that ends in ${card.card.lastFour}`,
    })
  }
  const agreement = findAgreement(service, scope, agreementId)
  if (agreement !== undefined && agreement.created >= at && isMerchantInitiated !== true) {
    entries.push({ at, text: `Agreement ${agreementId} established at ${providerId}`, transaction: id })
  }
  return entries
}

/** The events, and the attempts of each, with the cause of a failure. Diagnostic copies are not attempts. */
function sent(service: Service, { id }: Intent): readonly Entry[] {
  const causes = new Causes(service)
  const deliveries = service.store.list(DELIVERIES).filter(({ intentId }) => intentId === id)
  return deliveries.flatMap((delivery) => {
    const { type, url, created, attempts, body } = delivery
    const own = attempts.filter(({ isCheck }) => !isCheck)
    const tried = own.map((attempt, index): Entry => {
      const cause = causes.of(delivery, attempt)
      const sentences = [verdictText(attempt, body), ...(cause ? [causeTitle(cause.title)] : [])]
      // An endpoint must accept each event, and refuse each forgery.
      const outcome = /^(?:accepted|refused-forgery)$/.test(verdictOf(attempt)) ? 'good' : 'bad'
      const text = `${type}, attempt ${index + 1}. ${sentences.join(' ')}`
      return { at: attempt.at, text, outcome, delivery: delivery.id }
    })
    return [{ at: created, text: `${type} for ${url}`, delivery: delivery.id }, ...tried]
  })
}
