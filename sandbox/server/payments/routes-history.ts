import Type, { type Static } from 'typebox'
import { isSameScope } from '../accounts/records.js'
import type { CardToken } from '../cards/cards.js'
import { Causes } from '../deliveries/causes.js'
import type { AttemptRecord, Delivery } from '../deliveries/records.js'
import type { Service } from '../deliveries/service.js'
import { isAsItMustBe, verdictText } from '../deliveries/verdict.js'
import type { Model } from '../faults/model.js'
import { exactly, oneOf, optionalText, text } from '../http/schema.js'
import { amountText } from '../intents/amounts.js'
import { INTENTS, type Intent } from '../intents/records.js'
import { chargesOf, type Charge } from '../intents/routes-view.js'
import { isoTimestamp } from '../store/clock.js'
import type { Agreement } from './agreements.js'

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

/** In order, whatever the order of the entries is. */
export function viewHistory(entries: readonly Entry[]): Static<typeof historySchema> {
  return [...entries]
    .sort((a, b) => a.at - b.at)
    .slice(-MAX_ENTRIES)
    .map(({ at, ...entry }) => ({ at: isoTimestamp(at), ...entry }))
}

/** The intents that belong to an agreement, the oldest first. */
export function intentsOfAgreement(
  { store }: Model,
  { scope, agreementId }: Pick<Agreement, 'scope' | 'agreementId'>,
): readonly Intent[] {
  return store
    .list(INTENTS)
    .filter(({ request, scope: own }) => request.agreement_id === agreementId && isSameScope(own, scope))
}

/** The charge that established an agreement: the first that succeeded with the customer present. */
export function firstChargeOf(model: Model, agreement: Agreement): Charge | undefined {
  return intentsOfAgreement(model, agreement)
    .filter(({ request }) => request.merchant_initiated !== true)
    .flatMap(chargesOf)
    .filter(({ transaction }) => transaction.failure === undefined)
    .sort((a, b) => a.transaction.created - b.transaction.created)[0]
}

export function created({ created: at, request }: Intent): Entry {
  return { at, text: `Intent of ${amountText(request.amount, request.amount_currency)} created` }
}

export function charged({ intent, transaction }: Charge): Entry {
  const { id, created: at, providerId, failure } = transaction
  const outcome = failure === undefined ? 'succeeded' : `failed: ${failure}`
  const amount = amountText(intent.request.amount, intent.request.amount_currency)
  return {
    at,
    text: `Charge of ${amount} at ${providerId} ${outcome}`,
    outcome: failure === undefined ? 'good' : 'bad',
    transaction: id,
  }
}

export function saved({ created: at, card }: CardToken): Entry {
  return { at, text: `Card saved: ${card.brand} that ends in ${card.lastFour}` }
}

export function established({ intent, transaction }: Charge): Entry {
  return {
    at: transaction.created,
    text: `Agreement ${intent.request.agreement_id!} established at ${transaction.providerId}`,
    transaction: transaction.id,
  }
}

/**
 * The events that were sent, and the attempts of each, with the cause of a failure; those in a row with the same outcome are one
 * entry, at the time of the last.
 */
export function sent(service: Service, deliveries: readonly Delivery[]): readonly Entry[] {
  const causes = new Causes(service)
  return deliveries.flatMap((delivery) => [
    { at: delivery.created, text: `${delivery.type} for ${delivery.url}`, delivery: delivery.id },
    ...runsOf(delivery).map(([first, last]): Entry => {
      const attempt = delivery.attempts[last]!
      const numbers = first === last ? `attempt ${last + 1}` : `attempts ${first + 1} to ${last + 1}`
      const verdict = verdictText(attempt, delivery.body)
      const cause = causes.of(delivery, attempt)
      return {
        at: attempt.at,
        text: `${delivery.type}, ${numbers}. ${verdict}${cause === undefined ? '' : ` ${sentence(cause.title)}`}`,
        outcome: isAsItMustBe(attempt) ? 'good' : 'bad',
        delivery: delivery.id,
      }
    }),
  ])
}

function sentence(title: string): string {
  return title.endsWith('?') ? title : `${title}.`
}

/** The first and the last index of the attempts in a row that have the same sentence. */
function runsOf({ attempts }: Delivery): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = []
  attempts.forEach((attempt, index) => {
    const run = runs.at(-1)
    if (run !== undefined && isSameOutcome(attempts[run[1]]!, attempt)) run[1] = index
    else runs.push([index, index])
  })
  return runs
}

function isSameOutcome(a: AttemptRecord, b: AttemptRecord): boolean {
  return a.status === b.status && a.error === b.error && a.faults.join() === b.faults.join()
}
