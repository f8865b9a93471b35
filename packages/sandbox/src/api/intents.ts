import Type, { type Static } from 'typebox'
import { forAccount } from '../http/auth.js'
import { page, success } from '../http/envelope.js'
import { byId, operation, pageQuery, type App } from '../http/operation.js'
import { oneOf, ref } from '../schema.js'
import { STATUSES, type Intent } from '../store/records.js'
import { createCardTokenIntent } from '../model/card-token-intents.js'
import type { IntentRequest } from '../model/intent-rules.js'
import { createIntent, getIntent, intentsOf } from '../model/intents.js'
import { invalid } from '../model/refusal.js'
import type { Service } from '../service.js'
import { readCvv } from '../vault/vault.js'
import { cardTokenIntentSchema, viewCardTokenIntent } from './card-token-intents.js'
import { chargeToken, intentBody } from './charges.js'
import { intentSchema, viewIntent } from './intent-view.js'

const PATH = '/api/v1.4/payments/intent/'

const intentQuery = Type.Object({
  ...pageQuery.properties,
  status: Type.Optional(oneOf(STATUSES)),
  customer: Type.Optional(Type.String()),
  amount_currency: Type.Optional(Type.String()),
  created_from: Type.Optional(Type.String({ description: 'ISO 8601; this time included' })),
  created_to: Type.Optional(Type.String({ description: 'ISO 8601; this time not included' })),
})

/** Payment intents. */
export function intents(app: App, service: Service): void {
  const onRequest = forAccount(service)

  // Client examples of the service also use v1.1.
  for (const version of ['v1.4', 'v1.1']) {
    app.post(
      `/api/${version}/payments/intent/`,
      {
        onRequest,
        schema: operation({
          id: `createPaymentIntent${version === 'v1.1' ? 'V1_1' : ''}`,
          summary: 'Create a payment intent, or save a card without a payment',
          key: 'account',
          body: intentBody,
          data: Type.Union([ref(intentSchema), ref(cardTokenIntentSchema)]),
          refusals: [404],
        }),
      },
      async ({ body, maker, publicOrigin }) => {
        const { card_token_data, ...request } = body
        const hasCvv = readCvv(card_token_data?.cvv, 'card_token_data.cvv')
        service.targets.check(request.webhook_url)
        if (isCardTokenRequest(request)) {
          return success(viewCardTokenIntent(publicOrigin, createCardTokenIntent(service, maker, request)))
        }
        if (hasCvv && request.card_token === undefined) {
          throw invalid('card_token', 'is needed where card_token_data is given')
        }
        const intent = createIntent(service, maker, request)
        if (intent.cardTokenId !== undefined) {
          await chargeToken(service, intent, intent.cardTokenId, { hasCvv })
        }
        return success(viewIntent(service, publicOrigin, intent))
      },
    )
  }

  app.get(
    PATH,
    {
      onRequest,
      schema: operation({
        id: 'listPaymentIntents',
        summary: 'The payment intents of the account and mode, oldest first',
        isOwn: true,
        key: 'account',
        query: intentQuery,
        data: intentSchema,
        isList: true,
      }),
    },
    ({ query, maker, origin, publicOrigin }) => {
      const found = intentsOf(service, maker.scope).filter(matcherOf(query))
      return page(found, (intent) => viewIntent(service, publicOrigin, intent), origin + PATH, query)
    },
  )

  app.get(
    `${PATH}:id/`,
    {
      onRequest,
      schema: operation({
        id: 'getPaymentIntent',
        summary: 'A payment intent',
        isOwn: true,
        key: 'account',
        params: byId,
        data: intentSchema,
      }),
    },
    ({ params, maker, publicOrigin }) =>
      success(viewIntent(service, publicOrigin, getIntent(service, maker.scope, params.id, 'id'))),
  )
}

/** @throws {Refusal} on a time that is not one */
function matcherOf(query: Static<typeof intentQuery>): (intent: Intent) => boolean {
  const { status, customer, amount_currency } = query
  const from = timeOf(query.created_from, 'created_from') ?? -Infinity
  const to = timeOf(query.created_to, 'created_to') ?? Infinity
  return (intent) =>
    (status === undefined || intent.status === status) &&
    (customer === undefined || intent.customerId === customer) &&
    (amount_currency === undefined || intent.currency === amount_currency) &&
    intent.created >= from &&
    intent.created < to
}

function timeOf(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(time)) throw invalid(field, 'must be a date or a time in ISO 8601, such as 2025-03-27')
  return time
}

/** A request for a standalone card token, which charges nothing: it has a customer, and no field of a payment. */
function isCardTokenRequest(
  request: IntentRequest,
): request is IntentRequest & { readonly customer: string } {
  const { customer, amount, amount_currency, operation, card_token } = request
  return (
    customer !== undefined &&
    [amount, amount_currency, operation, card_token].every((value) => value === undefined)
  )
}
