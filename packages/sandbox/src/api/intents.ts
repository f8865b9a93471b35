import Type from 'typebox'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import { byId, operation, type App } from '../http/operation.js'
import { ref } from '../schema.js'
import { createCardTokenIntent } from '../model/card-token-intents.js'
import type { IntentRequest } from '../model/intent-rules.js'
import { createIntent, getIntent } from '../model/intents.js'
import { invalid } from '../model/refusal.js'
import type { Service } from '../service.js'
import { readCvv } from '../vault/vault.js'
import { cardTokenIntentSchema, viewCardTokenIntent } from './card-token-intents.js'
import { chargeToken, intentBody } from './charges.js'
import { intentSchema, viewIntent } from './intent-view.js'

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
          summary: 'Create a payment intent, or save a card without a payment',
          key: 'account',
          body: intentBody,
          data: Type.Union([ref(intentSchema), ref(cardTokenIntentSchema)]),
          refusals: [404],
        }),
      },
      async ({ body, maker, origin }) => {
        const { card_token_data, ...request } = body
        const hasCvv = readCvv(card_token_data?.cvv, 'card_token_data.cvv')
        await service.targets.check(request.webhook_url)
        const { state } = service
        if (isCardTokenRequest(request)) {
          const cardTokenIntent = createCardTokenIntent(state, maker.scope, request)
          service.changes.announce('intent', cardTokenIntent.id)
          return success(viewCardTokenIntent(origin, cardTokenIntent))
        }
        if (hasCvv && request.card_token === undefined) {
          throw invalid('card_token', 'is needed where card_token_data is given')
        }
        const intent = createIntent(state, maker, request)
        if (intent.cardTokenId === undefined) service.notifyMerchant(intent, undefined)
        else chargeToken(service, intent, intent.cardTokenId, { hasCvv })
        return success(viewIntent(state, origin, intent))
      },
    )
  }

  app.get(
    '/api/v1.4/payments/intent/:id/',
    {
      onRequest,
      schema: operation({
        summary: 'A payment intent',
        isOwn: true,
        key: 'account',
        params: byId,
        data: intentSchema,
      }),
    },
    ({ params, maker, origin }) => {
      const { state } = service
      return success(viewIntent(state, origin, getIntent(state, maker.scope, params.id, 'id')))
    },
  )
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
