import Type, { type Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { isSameScope } from '../accounts/records.js'
import type { Model } from '../faults/faults.js'
import { page, success } from '../http/envelope.js'
import { byId, Operations, pageQuery, type App } from '../http/operation.js'
import { invalid, unknown } from '../http/refusal.js'
import { oneOf, optionalText } from '../http/schema.js'
import { getIntent, intentsOf } from './intents.js'
import { CARD_INTENTS, STATUSES, type Intent } from './records.js'
import {
  cardTokenIntentSchema,
  chargesOf,
  intentSchema,
  transactionSchema,
  viewCardTokenIntent,
  viewCharge,
  viewIntent,
} from './routes-view.js'

const PATH = '/api/v1.4/payments/intent/'

const intentQuery = Type.Object({
  ...pageQuery.properties,
  status: Type.Optional(oneOf(STATUSES)),
  customer: Type.Optional(Type.String()),
  amount_currency: Type.Optional(Type.String()),
  created_from: optionalText('ISO 8601; this time included'),
  created_to: optionalText('ISO 8601; this time not included'),
})

const transactionQuery = Type.Object({
  ...pageQuery.properties,
  intent: Type.Optional(Type.String()),
  status: Type.Optional(oneOf(['SUCCESSFUL', 'FAILED'])),
  provider: Type.Optional(Type.String()),
})

/** What an account can read of its payments. How they are made and paid is in payments/routes.ts. */
export function readIntents(app: App, model: Model): void {
  const operations = new Operations(app, withKey('account', model))

  operations.add(
    `GET ${PATH}`,
    {
      id: 'listPaymentIntents',
      summary: 'The payment intents of the account and mode, oldest first',
      query: intentQuery,
      items: intentSchema,
    },
    (request) => {
      const found = intentsOf(model, request.maker.scope).filter(matcherOf(request.query))
      return page(request, found, (intent) => viewIntent(model, request.publicOrigin, intent))
    },
  )

  operations.add(
    `GET ${PATH}:id/`,
    { id: 'getPaymentIntent', summary: 'A payment intent', params: byId, data: intentSchema },
    ({ params, maker, publicOrigin }) =>
      success(viewIntent(model, publicOrigin, getIntent(model, maker.scope, params.id, 'id'))),
  )

  operations.add(
    'GET /api/v1.4/tokens/cards/intents/:id/',
    {
      id: 'getCardTokenIntent',
      summary: 'The outcome of a card token intent',
      params: byId,
      data: cardTokenIntentSchema,
    },
    ({ params, maker, publicOrigin }) => {
      const intent = model.store.get(CARD_INTENTS, params.id)
      if (intent === undefined || !isSameScope(intent.scope, maker.scope)) {
        throw unknown('id', 'Card token intent not found')
      }
      return success(viewCardTokenIntent(publicOrigin, intent))
    },
  )

  operations.add(
    'GET /api/v1.4/transactions/',
    {
      id: 'listTransactions',
      summary: 'The transactions of the account and mode, by intent, oldest first',
      query: transactionQuery,
      items: transactionSchema,
    },
    (request) => {
      const { intent, status, provider } = request.query
      const found = intentsOf(model, request.maker.scope)
        .flatMap(chargesOf)
        .map(viewCharge)
        .filter(
          (view) =>
            (intent === undefined || view.intent === intent) &&
            (status === undefined || view.status === status) &&
            (provider === undefined || view.provider === provider),
        )
      return page(request, found, (view) => view)
    },
  )

  operations.add(
    'GET /api/v1.4/transactions/:id/',
    { id: 'getTransaction', summary: 'A transaction', params: byId, data: transactionSchema },
    ({ params, maker }) => {
      const charges = intentsOf(model, maker.scope).flatMap(chargesOf)
      const found = charges.find(({ transaction }) => transaction.id === params.id)
      if (found === undefined) throw unknown('id', 'Transaction not found')
      return success(viewCharge(found))
    },
  )
}

/** @throws {Refusal} on a time that is not one */
function matcherOf(query: Static<typeof intentQuery>): (intent: Intent) => boolean {
  const { status, customer, amount_currency } = query
  const from = timeOf(query.created_from, 'created_from') ?? -Infinity
  const to = timeOf(query.created_to, 'created_to') ?? Infinity
  return (intent) =>
    (status === undefined || intent.status === status) &&
    (customer === undefined || intent.request.customer === customer) &&
    (amount_currency === undefined || intent.request.amount_currency === amount_currency) &&
    intent.created >= from &&
    intent.created < to
}

function timeOf(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(time)) throw invalid(field, 'must be a date or a time in ISO 8601, such as 2025-03-27')
  return time
}
