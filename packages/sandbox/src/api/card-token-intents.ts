import Type, { type Static } from 'typebox'
import { isoTimestamp } from '../events/timestamps.js'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import { byId, operation, type App } from '../http/operation.js'
import { exactly, flag, oneOf, orNull, text, textOrNull } from '../schema.js'
import { cardTokenIntentRequest, createCardTokenIntent } from '../model/card-token-intents.js'
import { CARD_TOKEN_TYPES, STATUSES, isSameScope, type CardTokenIntent } from '../store/records.js'
import { unknown } from '../model/refusal.js'
import type { Service } from '../service.js'
import { embedUrl } from './intent-view.js'

const PATH = '/api/v1.4/tokens/cards/'

export const cardTokenIntentSchema = exactly(
  {
    id: text,
    embed_url: orNull(text, { description: 'The hosted form, as long as the customer has something to do' }),
    status: oneOf(STATUSES),
    failure: textOrNull,
    customer: text,
    card_token_type: oneOf(CARD_TOKEN_TYPES),
    card_token: Type.Optional(Type.String({ description: 'The card that was saved' })),
    webhook_url: textOrNull,
    is_live: flag,
    created: text,
  },
  { $id: 'CardTokenIntent' },
)

/** Saving a card without a payment: standalone, or for the SDK. */
export function cardTokenIntents(app: App, service: Service): void {
  const onRequest = forAccount(service)

  app.post(
    PATH,
    {
      onRequest,
      schema: operation({
        id: 'createCardTokenIntent',
        summary: 'Create a card token intent',
        isOwn: true,
        key: 'account',
        body: cardTokenIntentRequest,
        data: cardTokenIntentSchema,
      }),
    },
    ({ body, maker, publicOrigin }) => {
      service.targets.check(body.webhook_url)
      return success(viewCardTokenIntent(publicOrigin, createCardTokenIntent(service, maker, body)))
    },
  )

  app.get(
    `${PATH}intents/:id/`,
    {
      onRequest,
      schema: operation({
        id: 'getCardTokenIntent',
        summary: 'The outcome of a card token intent',
        isOwn: true,
        key: 'account',
        params: byId,
        data: cardTokenIntentSchema,
      }),
    },
    ({ params, maker, publicOrigin }) => {
      const intent = service.store.get('card-intent', params.id)
      if (intent === undefined || !isSameScope(intent.scope, maker.scope)) {
        throw unknown('id', 'Card token intent not found')
      }
      return success(viewCardTokenIntent(publicOrigin, intent))
    },
  )
}

export function viewCardTokenIntent(
  url: string,
  intent: CardTokenIntent,
): Static<typeof cardTokenIntentSchema> {
  return {
    id: intent.id,
    embed_url: intent.status === 'PROCESSED' ? null : embedUrl(url, intent.id),
    status: intent.status,
    failure: intent.failure ?? null,
    customer: intent.customerId,
    card_token_type: intent.type,
    ...(intent.cardTokenId !== undefined && { card_token: intent.cardTokenId }),
    webhook_url: intent.webhookUrl ?? null,
    is_live: intent.scope.isLive,
    created: isoTimestamp(intent.created),
  }
}
