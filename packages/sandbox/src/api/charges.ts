import Type from 'typebox'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import { byId, operation, type App } from '../http/operation.js'
import { getCardToken } from '../model/card-tokens.js'
import type { Intent } from '../store/records.js'
import { intentRequest } from '../model/intent-rules.js'
import { createIntent, getIntent } from '../model/intents.js'
import { invalid } from '../model/refusal.js'
import type { Service } from '../service.js'
import { readCvv } from '../vault/vault.js'
import { intentSchema, viewIntent } from './intent-view.js'

/** Completes a charge of a saved card. It goes to the vault, and no further. */
const cardTokenData = Type.Optional(Type.Object({ cvv: Type.Optional(Type.String()) }))

/** The fields of a payment intent, with the CVV of its saved card. */
export const intentBody = Type.Object({ ...intentRequest.properties, card_token_data: cardTokenData })

const directBody = Type.Object({ card_token: Type.String(), card_token_data: cardTokenData })

/** The other charges of saved cards: without the customer, and on an existing intent. */
export function charges(app: App, service: Service): void {
  const onRequest = forAccount(service)

  app.post(
    '/api/v1.4/tokens/cards/:id/charge/',
    {
      onRequest,
      schema: operation({
        id: 'chargeCardToken',
        summary: 'Charge a saved card, initiated by the merchant',
        isOwn: true,
        key: 'account',
        params: byId,
        body: intentBody,
        data: intentSchema,
      }),
    },
    async ({ params: { id }, body, maker, publicOrigin }) => {
      const { card_token_data, ...request } = body
      const hasCvv = readCvv(card_token_data?.cvv, 'card_token_data.cvv')
      if ((request.card_token ?? id) !== id)
        throw invalid('card_token', 'must be that of the path, or missing')
      if (request.merchant_initiated === false)
        throw invalid('merchant_initiated', 'must be true here, or missing')
      service.targets.check(request.webhook_url)
      const charge = { ...request, card_token: id, merchant_initiated: true }
      const intent = createIntent(service, maker, charge, true)
      // The service documents that the status is returned directly here, instead of an embed_url.
      await chargeToken(service, intent, id, { hasCvv, isUnattended: true })
      return success(viewIntent(service, publicOrigin, intent))
    },
  )

  // The Direct API, which is also the card-token payment on an existing intent. The service documents no bodies for it.
  app.post(
    '/direct/payments/intents/:intent_id/card_token/',
    {
      onRequest,
      schema: operation({
        id: 'chargeCardTokenOnIntent',
        summary: 'Charge a saved card on an intent',
        key: 'account',
        params: Type.Object({ intent_id: Type.String() }),
        body: directBody,
        data: intentSchema,
        refusals: [409],
      }),
    },
    async ({ params, body, maker, publicOrigin }) => {
      const hasCvv = readCvv(body.card_token_data?.cvv, 'card_token_data.cvv')
      const intent = getIntent(service, maker.scope, params.intent_id, 'intent_id')
      if (intent.customerId === undefined) throw invalid('customer', 'is missing on this intent')
      await chargeToken(service, intent, body.card_token, { hasCvv })
      return success(viewIntent(service, publicOrigin, intent))
    },
  )
}

/**
 * Pays an intent with a saved card, and notifies the merchant.
 *
 * @throws {Refusal} if the customer has no such card, or the intent is paid already
 */
export async function chargeToken(
  service: Service,
  intent: Intent,
  cardTokenId: string,
  how: { readonly hasCvv: boolean; readonly isUnattended?: boolean },
): Promise<void> {
  const token = getCardToken(service, intent, cardTokenId)
  await service.pay(intent, { source: { token }, ...how })
}
