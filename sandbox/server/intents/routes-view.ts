import Type, { type Static } from 'typebox'
import { exactly, flag, oneOf, optionalText, orNull, ref, text, textOrNull } from '../http/schema.js'
import { CARD_TOKEN_TYPES, cardTokensOf } from '../cards/cards.js'
import { STATUSES, type CardTokenIntent, type Intent, type Transaction } from './records.js'
import { customFieldsOf } from '../customers/customers.js'
import { isOpen } from './intents.js'
import type { Model } from '../faults/model.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { isoTimestamp } from '../store/clock.js'

export const transactionFields = {
  id: text,
  status: oneOf(['SUCCESSFUL', 'FAILED']),
  provider: text,
  failure: textOrNull,
  created: text,
}

const embedUrlSchema = orNull(text, {
  description: 'The hosted form, as long as the customer has something to do',
})

export const intentSchema = exactly(
  {
    id: text,
    embed_url: embedUrlSchema,
    status: oneOf(STATUSES),
    failure: orNull(text, { description: 'Why the last attempt failed, in plainer words than a bank has' }),
    amount: Type.Number(),
    amount_currency: text,
    operation: oneOf(['purchase']),
    customer: textOrNull,
    card_token: optionalText('The card that it charges, or that was saved when it was paid'),
    tokenize_card: flag,
    show_save_card_checkbox: flag,
    show_mandatory_save_card_checkbox: flag,
    allow_tokenize_card: flag,
    merchant_initiated: flag,
    payment_type: orNull(oneOf(['UNSCHEDULED'])),
    agreement_id: textOrNull,
    saved_cards: Type.Array(ref(cardTokenSchema), { description: 'Offered to the customer at the form' }),
    transactions: Type.Array(exactly(transactionFields)),
    custom_fields: orNull(Type.Object({})),
    webhook_url: textOrNull,
    is_live: flag,
    created: text,
  },
  { $id: 'Intent' },
)

export const cardTokenIntentSchema = exactly(
  {
    id: text,
    embed_url: embedUrlSchema,
    status: oneOf(STATUSES),
    failure: textOrNull,
    customer: text,
    card_token_type: oneOf(CARD_TOKEN_TYPES),
    card_token: optionalText('The card that was saved'),
    webhook_url: textOrNull,
    is_live: flag,
    created: text,
  },
  { $id: 'CardTokenIntent' },
)

export function viewIntent(model: Model, url: string, intent: Intent): Static<typeof intentSchema> {
  const { status, saving } = intent
  const cardToken = intent.paidCardTokenId ?? intent.cardTokenId
  return {
    id: intent.id,
    embed_url: isOpen(intent) ? embedUrl(url, intent.id) : null,
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
    payment_type: intent.paymentType ?? null,
    agreement_id: intent.agreementId ?? null,
    saved_cards: offersSavedCards(intent) ? cardTokensOf(model, intent.customerId).map(viewCardToken) : [],
    transactions: intent.transactions.map(viewTransaction),
    custom_fields: customFieldsOf(intent),
    webhook_url: intent.webhookUrl ?? null,
    is_live: intent.scope.isLive,
    created: isoTimestamp(intent.created),
  }
}

export function viewCardTokenIntent(
  url: string,
  intent: CardTokenIntent,
): Static<typeof cardTokenIntentSchema> {
  return {
    id: intent.id,
    embed_url: isOpen(intent) ? embedUrl(url, intent.id) : null,
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

export function viewTransaction({ id, failure, providerId, created }: Transaction) {
  return {
    id,
    status: failure === undefined ? ('SUCCESSFUL' as const) : ('FAILED' as const),
    provider: providerId,
    failure: failure ?? null,
    created: isoTimestamp(created),
  }
}

/** The address of the hosted form: below the vault, because a card number is typed in there. */
function embedUrl(url: string, id: string): string {
  return `${url}/vault/form/${id}/`
}

/** For a payment with a customer and without a card token, every active token is offered. */
function offersSavedCards(intent: Intent): intent is Intent & { readonly customerId: string } {
  return intent.customerId !== undefined && intent.cardTokenId === undefined && isOpen(intent)
}
