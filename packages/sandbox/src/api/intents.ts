import type { FastifyInstance } from 'fastify'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import { createCardTokenIntent } from '../model/card-token-intents.js'
import { isSameScope, type Intent, type Scope } from '../model/entities.js'
import { createIntent } from '../model/intents.js'
import { invalid, unknown } from '../model/refusal.js'
import type { State } from '../model/state.js'
import type { Service } from '../service.js'
import { readCvv } from '../vault/vault.js'
import { viewCardTokenIntent } from '../views/card-token-intent.js'
import { viewIntent } from '../views/intent.js'
import { chargeToken } from './charge.js'
import { intentBody, isCardTokenRequest } from './intent-body.js'
import { checkWebhookUrl } from './webhook-url.js'

/** Payment intents (S4.1). */
export function intents(app: FastifyInstance, service: Service): void {
  const onRequest = forAccount(service)

  // S9: client examples also use v1.1.
  for (const version of ['v1.4', 'v1.1']) {
    app.post<{ Body: Infer<typeof intentBody> }>(
      `/api/${version}/payments/intent/`,
      {
        onRequest,
        schema: operation({
          summary: 'Create a payment intent, or keep a card without a payment',
          key: 'account',
          body: intentBody,
          data: { anyOf: [{ $ref: 'Intent#' }, { $ref: 'CardTokenIntent#' }] },
          refusals: [404],
        }),
      },
      async ({ body, maker, origin }) => {
        const { card_token_data, ...request } = body
        const hasCvv = readCvv(card_token_data?.cvv, 'card_token_data.cvv')
        await checkWebhookUrl(service, request.webhook_url)
        const { state } = service.stage
        if (isCardTokenRequest(request)) {
          const cardTokenIntent = createCardTokenIntent(state, maker.scope, request)
          service.changes.announce('intent', cardTokenIntent.id)
          return success(viewCardTokenIntent(origin, cardTokenIntent))
        }
        if (hasCvv && request.card_token === undefined) {
          throw invalid('card_token', 'is needed where card_token_data is given')
        }
        const intent = createIntent(state, maker, request)
        if (intent.cardTokenId === undefined) service.tell(intent, undefined)
        else chargeToken(service, intent, intent.cardTokenId, { hasCvv })
        return success(viewIntent(state, origin, intent))
      },
    )
  }

  app.get<{ Params: { id: string } }>(
    '/api/v1.4/payments/intent/:id/',
    {
      onRequest,
      schema: operation(
        { summary: 'A payment intent', isOwn: true, key: 'account', data: { $ref: 'Intent#' } },
        'id',
      ),
    },
    ({ params, maker, origin }) => {
      const { state } = service.stage
      return success(viewIntent(state, origin, getIntent(state, maker.scope, params.id, 'id')))
    },
  )
}

/** @throws {Refusal} where there is none of this id in the account and mode */
export function getIntent({ intents }: State, scope: Scope, id: string, field: string): Intent {
  const intent = intents.get(id)
  if (intent === undefined || !isSameScope(intent.scope, scope)) throw unknown(field, 'Intent not found')
  return intent
}
