import { isoTimestamp } from '../events/timestamps.js'
import { CARD_TOKEN_TYPES, STATUSES, type CardTokenIntent } from '../model/entities.js'
import { embedUrl } from './intent.js'

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }

export const cardTokenIntentSchema = {
  $id: 'CardTokenIntent',
  type: 'object',
  properties: {
    id: text,
    embed_url: { ...nullable, description: 'The hosted form, as long as the customer has something to do' },
    status: { type: 'string', enum: STATUSES },
    failure: nullable,
    customer: text,
    card_token_type: { type: 'string', enum: CARD_TOKEN_TYPES },
    card_token: { ...text, description: 'The card that was saved' },
    webhook_url: nullable,
    is_live: { type: 'boolean' },
    created: text,
  },
  required: [
    'id',
    'embed_url',
    'status',
    'failure',
    'customer',
    'card_token_type',
    'webhook_url',
    'is_live',
    'created',
  ],
  additionalProperties: false,
}

export function viewCardTokenIntent(url: string, intent: CardTokenIntent) {
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
