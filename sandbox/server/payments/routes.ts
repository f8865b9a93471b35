import Type, { type Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { page, success } from '../http/envelope.js'
import { byId, Operations, pageQuery, type App } from '../http/operation.js'
import { cardTokenIntentRequest, createCardTokenIntent } from '../intents/card-token-intents.js'
import { checkOpen, createIntent, getIntent, intentsOf, intentRequest } from '../intents/intents.js'
import { invalid, unknown } from '../http/refusal.js'
import { oneOf, optionalText, ref } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'
import { CARD_INTENTS, STATUSES, type Intent } from '../intents/records.js'
import { isSameScope } from '../accounts/records.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { getCustomer } from '../customers/customers.js'
import { deleteCard, pay } from './pay.js'
import { readCvv } from '../cards/test-cards.js'
import {
  cardTokenIntentSchema,
  intentSchema,
  viewCardTokenIntent,
  viewIntent,
} from '../intents/routes-view.js'
import { getCardToken } from '../cards/cards.js'

const PATH = '/api/v1.4/payments/intent/'
const CARD_TOKENS_PATH = '/api/v1.4/tokens/cards/'

/** Completes a charge of a saved card. It goes to the vault, and no further. */
const cardTokenData = Type.Optional(Type.Object({ cvv: Type.Optional(Type.String()) }))

/** The fields of a payment intent, with the CVV of its saved card. */
const intentBody = Type.Object({ ...intentRequest.properties, card_token_data: cardTokenData })

const directBody = Type.Object({ card_token: Type.String(), card_token_data: cardTokenData })

const intentQuery = Type.Object({
  ...pageQuery.properties,
  status: Type.Optional(oneOf(STATUSES)),
  customer: Type.Optional(Type.String()),
  amount_currency: Type.Optional(Type.String()),
  created_from: optionalText('ISO 8601; this time included'),
  created_to: optionalText('ISO 8601; this time not included'),
})

/** Payment intents. */
export function intents(app: App, service: Service): void {
  const operations = new Operations(app, withKey('account', service))

  // Client examples of the service also use v1.1.
  for (const version of ['v1.4', 'v1.1']) {
    operations.add(
      `POST /api/${version}/payments/intent/`,
      {
        id: `createPaymentIntent${version === 'v1.1' ? 'V1_1' : ''}`,
        summary: 'Create a payment intent, or save a card without a payment',
        hasKnownPath: true,
        body: intentBody,
        data: Type.Union([ref(intentSchema), ref(cardTokenIntentSchema)]),
        refusals: [404],
      },
      async ({ body, maker, publicOrigin, isTrusted }) => {
        const { card_token_data, ...request } = body
        const hasCvv = readCvv(card_token_data?.cvv, 'card_token_data.cvv')
        service.targets.check(request.webhook_url, { isTrusted })
        if (isCardTokenRequest(body)) {
          return success(viewCardTokenIntent(publicOrigin, createCardTokenIntent(service, maker, body)))
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

  operations.add(
    `GET ${PATH}`,
    {
      id: 'listPaymentIntents',
      summary: 'The payment intents of the account and mode, oldest first',
      query: intentQuery,
      items: intentSchema,
    },
    (request) => {
      const found = intentsOf(service, request.maker.scope).filter(matcherOf(request.query))
      return page(request, found, (intent) => viewIntent(service, request.publicOrigin, intent))
    },
  )

  operations.add(
    `GET ${PATH}:id/`,
    { id: 'getPaymentIntent', summary: 'A payment intent', params: byId, data: intentSchema },
    ({ params, maker, publicOrigin }) =>
      success(viewIntent(service, publicOrigin, getIntent(service, maker.scope, params.id, 'id'))),
  )
}

/** The other charges of saved cards, without the customer and on an existing intent; and their end. */
export function charges(app: App, service: Service): void {
  const operations = new Operations(app, withKey('account', service))

  operations.add(
    `POST ${CARD_TOKENS_PATH}:id/charge/`,
    {
      id: 'chargeCardToken',
      summary: 'Charge a saved card, initiated by the merchant',
      params: byId,
      body: intentBody,
      data: intentSchema,
    },
    async ({ params: { id }, body, maker, publicOrigin, isTrusted }) => {
      const { card_token_data, ...request } = body
      const hasCvv = readCvv(card_token_data?.cvv, 'card_token_data.cvv')
      if ((request.card_token ?? id) !== id) {
        throw invalid('card_token', 'must be that of the path, or missing')
      }
      if (request.merchant_initiated === false) {
        throw invalid('merchant_initiated', 'must be true here, or missing')
      }
      service.targets.check(request.webhook_url, { isTrusted })
      const charge = { ...request, card_token: id, merchant_initiated: true }
      const intent = createIntent(service, maker, charge, true)
      // The service documents that the status is returned directly here, instead of an embed_url.
      await chargeToken(service, intent, id, { hasCvv, isUnattended: true })
      return success(viewIntent(service, publicOrigin, intent))
    },
  )

  // The Direct API, which is also the card-token payment on an existing intent. The service documents no bodies for it.
  operations.add(
    'POST /direct/payments/intents/:intent_id/card_token/',
    {
      id: 'chargeCardTokenOnIntent',
      summary: 'Charge a saved card on an intent',
      hasKnownPath: true,
      params: Type.Object({ intent_id: Type.String() }),
      body: directBody,
      data: intentSchema,
      refusals: [409],
    },
    async ({ params, body, maker, publicOrigin }) => {
      const hasCvv = readCvv(body.card_token_data?.cvv, 'card_token_data.cvv')
      const intent = getIntent(service, maker.scope, params.intent_id, 'intent_id')
      checkOpen(intent)
      if (intent.customerId === undefined) throw invalid('customer', 'is missing on this intent')
      if ((intent.cardTokenId ?? body.card_token) !== body.card_token) {
        throw invalid('card_token', 'is settled: the intent charges another saved card')
      }
      await chargeToken(service, intent, body.card_token, { hasCvv })
      return success(viewIntent(service, publicOrigin, intent))
    },
  )

  operations.add(
    `POST ${CARD_TOKENS_PATH}delete/`,
    {
      id: 'deleteCardToken',
      summary: 'Delete a saved card',
      body: Type.Object({ customer: Type.String(), to_delete_customer_card_token: Type.String() }),
      data: cardTokenSchema,
      refusals: [404],
    },
    ({ body: { customer, to_delete_customer_card_token: id }, maker: { scope } }) => {
      getCustomer(service, scope, customer, 'customer')
      const owner = { scope, customerId: customer }
      const token = getCardToken(service, owner, id, 'to_delete_customer_card_token')
      deleteCard(service, token)
      return success(viewCardToken(token))
    },
  )
}

/** Intents that save a card without a payment: standalone, or for the SDK. */
export function cardTokenIntents(app: App, service: Service): void {
  const operations = new Operations(app, withKey('account', service))

  operations.add(
    `POST ${CARD_TOKENS_PATH}`,
    {
      id: 'createCardTokenIntent',
      summary: 'Create a card token intent',
      body: cardTokenIntentRequest,
      data: cardTokenIntentSchema,
    },
    ({ body, maker, publicOrigin, isTrusted }) => {
      service.targets.check(body.webhook_url, { isTrusted })
      return success(viewCardTokenIntent(publicOrigin, createCardTokenIntent(service, maker, body)))
    },
  )

  operations.add(
    `GET ${CARD_TOKENS_PATH}intents/:id/`,
    {
      id: 'getCardTokenIntent',
      summary: 'The outcome of a card token intent',
      params: byId,
      data: cardTokenIntentSchema,
    },
    ({ params, maker, publicOrigin }) => {
      const intent = service.store.get(CARD_INTENTS, params.id)
      if (intent === undefined || !isSameScope(intent.scope, maker.scope)) {
        throw unknown('id', 'Card token intent not found')
      }
      return success(viewCardTokenIntent(publicOrigin, intent))
    },
  )
}

/**
 * Pays an intent with a saved card, and notifies the merchant.
 *
 * @throws {Refusal} if the customer has no such card
 */
async function chargeToken(
  service: Service,
  intent: Intent,
  cardTokenId: string,
  how: { readonly hasCvv: boolean; readonly isUnattended?: boolean },
): Promise<void> {
  const token = getCardToken(service, intent, cardTokenId)
  await pay(service, intent, { source: { token }, ...how })
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

type IntentBody = Static<typeof intentBody>

/** Fields that a standalone card token does not have. */
const PAYMENT_FIELDS = (Object.keys(intentBody.properties) as (keyof IntentBody)[]).filter(
  (name) => !(name in cardTokenIntentRequest.properties),
)

/** A request for a standalone card token, which charges nothing: it has a customer, and no field of a payment. */
function isCardTokenRequest(body: IntentBody): body is IntentBody & { readonly customer: string } {
  return body.customer !== undefined && PAYMENT_FIELDS.every((name) => body[name] === undefined)
}
