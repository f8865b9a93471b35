import { isoTimestamp } from '../events/timestamps.js'
import { cardTokensOf } from '../model/card-tokens.js'
import { STATUSES, type Intent } from '../model/entities.js'
import { isForCustomer } from '../model/intents.js'
import type { State } from '../model/state.js'
import { viewCardToken } from './card-token.js'

const text = { type: 'string' }
const flag = { type: 'boolean' }
const nullable = { type: ['string', 'null'] }

const transaction = {
  type: 'object',
  properties: {
    id: text,
    status: { type: 'string', enum: ['SUCCESSFUL', 'FAILED'] },
    provider: text,
    failure: nullable,
    created: text,
  },
  required: ['id', 'status', 'provider', 'failure', 'created'],
  additionalProperties: false,
}

export const intentSchema = {
  $id: 'Intent',
  type: 'object',
  properties: {
    id: text,
    embed_url: { ...nullable, description: 'The hosted form, as long as the customer has something to do' },
    status: { type: 'string', enum: STATUSES },
    failure: { ...nullable, description: 'Why the last attempt failed, in plainer words than a bank has' },
    amount: { type: 'number' },
    amount_currency: text,
    operation: { type: 'string', enum: ['purchase'] },
    customer: nullable,
    card_token: { ...text, description: 'The card that it charges, or that was saved when it was paid' },
    tokenize_card: flag,
    show_save_card_checkbox: flag,
    show_mandatory_save_card_checkbox: flag,
    allow_tokenize_card: flag,
    merchant_initiated: flag,
    agreement_id: nullable,
    saved_cards: {
      type: 'array',
      description: 'What the customer is offered at the form',
      items: { $ref: 'CardToken#' },
    },
    transactions: { type: 'array', items: transaction },
    custom_fields: { type: ['object', 'null'] },
    webhook_url: nullable,
    is_live: flag,
    created: text,
  },
  required: [
    'id',
    'embed_url',
    'status',
    'failure',
    'amount',
    'amount_currency',
    'operation',
    'customer',
    'tokenize_card',
    'show_save_card_checkbox',
    'show_mandatory_save_card_checkbox',
    'allow_tokenize_card',
    'merchant_initiated',
    'agreement_id',
    'saved_cards',
    'transactions',
    'custom_fields',
    'webhook_url',
    'is_live',
    'created',
  ],
  additionalProperties: false,
}

export function viewIntent(state: State, url: string, intent: Intent) {
  const { status, saving } = intent
  const cardToken = intent.paidCardTokenId ?? intent.cardTokenId
  return {
    id: intent.id,
    embed_url: isForCustomer(intent) ? embedUrl(url, intent.id) : null,
    status,
    failure: intent.failure ?? null,
    amount: intent.amount,
    amount_currency: intent.currency,
    operation: 'purchase',
    customer: intent.customerId ?? null,
    ...(cardToken !== undefined && { card_token: cardToken }),
    tokenize_card: saving.isAutomatic,
    show_save_card_checkbox: saving.isOffered,
    show_mandatory_save_card_checkbox: saving.isMandatory,
    allow_tokenize_card: saving.isAllowedToSdk,
    merchant_initiated: intent.isMerchantInitiated,
    agreement_id: intent.agreementId ?? null,
    saved_cards: offersSavedCards(intent) ? cardTokensOf(state, intent.customerId).map(viewCardToken) : [],
    transactions: intent.transactions.map(({ id, failure, providerId, created }) => ({
      id,
      status: failure === undefined ? 'SUCCESSFUL' : 'FAILED',
      provider: providerId,
      failure: failure ?? null,
      created: isoTimestamp(created),
    })),
    custom_fields: intent.customFields,
    webhook_url: intent.webhookUrl ?? null,
    is_live: intent.scope.isLive,
    created: isoTimestamp(intent.created),
  }
}

/** The address of the hosted form: below the vault, since a card number is typed in there. */
export function embedUrl(url: string, id: string): string {
  return `${url}/vault/form/${id}/`
}

/** "Plain payment plus customer and no card_token: every active token is offered" (S4.1). */
function offersSavedCards(intent: Intent): intent is Intent & { readonly customerId: string } {
  return intent.customerId !== undefined && intent.cardTokenId === undefined && isForCustomer(intent)
}
