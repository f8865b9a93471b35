import type { FastifyInstance } from 'fastify'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import { createCardTokenIntent } from '../model/card-token-intents.js'
import { CARD_TOKEN_TYPES, isSameScope } from '../model/entities.js'
import { unknown } from '../model/refusal.js'
import type { Service } from '../service.js'
import { viewCardTokenIntent } from '../views/card-token-intent.js'
import { checkWebhookUrl } from './webhook-url.js'

const cardTokenIntentBody = {
  type: 'object',
  properties: {
    customer: { type: 'string' },
    webhook_url: { type: 'string' },
    card_token_type: { type: 'string', enum: CARD_TOKEN_TYPES },
    provider: { type: 'string', description: 'Of the sandbox: the provider that keeps the card' },
  },
  required: ['customer'],
} as const

/** Keeping a card without a payment: standalone, or for the SDK (S4.4). */
export function cardTokenIntents(app: FastifyInstance, service: Service): void {
  const onRequest = forAccount(service)

  app.post<{ Body: Infer<typeof cardTokenIntentBody> }>(
    '/api/v1.4/tokens/cards/',
    {
      onRequest,
      schema: operation({
        summary: 'Create a card token intent',
        isOwn: true,
        key: 'account',
        body: cardTokenIntentBody,
        data: { $ref: 'CardTokenIntent#' },
      }),
    },
    async ({ body, maker, origin }) => {
      await checkWebhookUrl(service, body.webhook_url)
      const intent = createCardTokenIntent(service.stage.state, maker.scope, body)
      service.changes.announce('intent', intent.id)
      return success(viewCardTokenIntent(origin, intent))
    },
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1.4/tokens/cards/intents/:id/',
    {
      onRequest,
      schema: operation(
        {
          summary: 'What came of a card token intent',
          isOwn: true,
          key: 'account',
          data: { $ref: 'CardTokenIntent#' },
        },
        'id',
      ),
    },
    ({ params, maker, origin }) => {
      const intent = service.stage.state.cardTokenIntents.get(params.id)
      if (intent === undefined || !isSameScope(intent.scope, maker.scope)) {
        throw unknown('id', 'Card token intent not found')
      }
      return success(viewCardTokenIntent(origin, intent))
    },
  )
}
