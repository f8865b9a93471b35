import Type, { type Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { getCardToken, readCvv } from '../cards/cards.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { getCustomer } from '../customers/customers.js'
import type { Service } from '../deliveries/sending.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { invalid } from '../http/refusal.js'
import { ref } from '../http/schema.js'
import { checkOpen, createCardTokenIntent, createIntent, getIntent } from '../intents/intents.js'
import { cardTokenIntentRequest, intentRequest, type Intent } from '../intents/records.js'
import {
  cardTokenIntentSchema,
  intentSchema,
  viewCardTokenIntent,
  viewIntent,
} from '../intents/routes-view.js'
import { deleteCard, pay } from './pay.js'

const CARD_TOKENS_PATH = '/api/v1.4/tokens/cards/'

/** Completes a charge of a saved card. It goes to the vault, and no further. */
const cardTokenData = Type.Optional(Type.Object({ cvv: Type.Optional(Type.String()) }))

/** The fields of a payment intent, with the CVV of its saved card. */
const intentBody = Type.Object({ ...intentRequest.properties, card_token_data: cardTokenData })

const directBody = Type.Object({ card_token: Type.String(), card_token_data: cardTokenData })

/** Payment intents, charges of saved cards, and intents that save a card. How they are read is in intents/routes.ts. */
export function payments(app: App, service: Service): void {
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
      },
      async ({ body, maker, publicOrigin, isTrusted }) => {
        const hasCvv = readCardCvv(body)
        service.targets.check(body.webhook_url, { isTrusted })
        if (isCardTokenRequest(body)) {
          return success(viewCardTokenIntent(publicOrigin, createCardTokenIntent(service, maker, body)))
        }
        if (hasCvv && body.card_token === undefined) {
          throw invalid('card_token', 'is needed where card_token_data is given')
        }
        const intent = createIntent(service, maker, body)
        if (body.card_token !== undefined) await chargeToken(service, intent, body.card_token, { hasCvv })
        return success(viewIntent(service, publicOrigin, intent))
      },
    )
  }

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
      const hasCvv = readCardCvv(body)
      if ((body.card_token ?? id) !== id) throw invalid('card_token', 'must be that of the path, or missing')
      if (body.merchant_initiated === false) {
        throw invalid('merchant_initiated', 'must be true here, or missing')
      }
      service.targets.check(body.webhook_url, { isTrusted })
      const charge = { ...body, card_token: id, merchant_initiated: true }
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
    },
    async ({ params, body, maker, publicOrigin }) => {
      const hasCvv = readCardCvv(body)
      const intent = getIntent(service, maker.scope, params.intent_id, 'intent_id')
      checkOpen(intent)
      const { customer, card_token = body.card_token } = intent.request
      if (customer === undefined) throw invalid('customer', 'is missing on this intent')
      if (card_token !== body.card_token) {
        throw invalid('card_token', 'is settled: the intent charges another saved card')
      }
      await chargeToken(service, intent, card_token, { hasCvv })
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
    },
    ({ body: { customer, to_delete_customer_card_token: id }, maker: { scope } }) => {
      getCustomer(service, scope, customer, 'customer')
      const token = getCardToken(service, { scope, customer }, id, 'to_delete_customer_card_token')
      deleteCard(service, token)
      return success(viewCardToken(token))
    },
  )

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
}

function readCardCvv({ card_token_data }: Pick<IntentBody, 'card_token_data'>): boolean {
  return readCvv(card_token_data?.cvv, 'card_token_data.cvv')
}

/**
 * Pays an intent with a saved card, and notifies the merchant.
 *
 * @throws {Refusal} if the customer has no such card
 */
async function chargeToken(
  service: Service,
  intent: Intent,
  id: string,
  how: { readonly hasCvv: boolean; readonly isUnattended?: boolean },
): Promise<void> {
  const token = getCardToken(service, { scope: intent.scope, customer: intent.request.customer }, id)
  await pay(service, intent, { source: { token }, ...how })
}

type IntentBody = Static<typeof intentBody>

/** A request for a standalone card token, which charges nothing: a customer, and no field of anything else. */
function isCardTokenRequest(body: IntentBody): body is IntentBody & { readonly customer: string } {
  return (
    body.customer !== undefined &&
    Object.keys(body).every((name) => name in cardTokenIntentRequest.properties)
  )
}
