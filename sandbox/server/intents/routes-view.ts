import Type, { type Static } from 'typebox'
import { answer } from '../accounts/answer.js'
import { CARD_TOKEN_TYPES, cardTokensOf, type CardToken } from '../cards/cards.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { customFieldsOf } from '../customers/customers.js'
import type { Model } from '../faults/faults.js'
import { exactly, flag, oneOf, optionalText, orNull, ref, text, textOrNull } from '../http/schema.js'
import { isOpen } from './intents.js'
import {
  STATUSES,
  type CardTokenIntent,
  type CustomerIntent,
  type Intent,
  type Transaction,
} from './records.js'

const trySchema = exactly({
  id: text,
  status: oneOf(['SUCCESSFUL', 'FAILED']),
  provider: text,
  failure: textOrNull,
  created: text,
})

/** A transaction, with the fields of its intent that identify it and say how much it is about. */
export const transactionSchema = exactly(
  {
    ...trySchema.properties,
    intent: text,
    account: text,
    amount: Type.Number(),
    amount_currency: text,
    is_live: flag,
  },
  { $id: 'Transaction' },
)

const embedUrl = orNull(text, {
  description: 'The hosted form, as long as the customer has something to do',
})

export const intentSchema = exactly(
  {
    id: text,
    embed_url: embedUrl,
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
    transactions: Type.Array(trySchema),
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
    embed_url: embedUrl,
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

/** The fields of the request are repeated under their names. */
export function viewIntent(model: Model, url: string, intent: Intent): Static<typeof intentSchema> {
  const { request, paidCardTokenId } = intent
  // The card that paid it, or that it must charge.
  const cardToken = paidCardTokenId ?? request.card_token
  return answer(
    intentSchema,
    { ...request, ...intent },
    {
      embed_url: embedUrlOf(url, intent),
      operation: 'purchase',
      ...(cardToken !== undefined && { card_token: cardToken }),
      saved_cards: offeredCards(model, intent).map(viewCardToken),
      transactions: intent.transactions.map((transaction) =>
        answer(trySchema, transaction, endOf(transaction)),
      ),
      custom_fields: customFieldsOf(intent),
    },
  )
}

export function viewCardTokenIntent(
  url: string,
  intent: CardTokenIntent,
): Static<typeof cardTokenIntentSchema> {
  const { request, paidCardTokenId } = intent
  return answer(
    cardTokenIntentSchema,
    { card_token_type: 'UNIVERSAL', ...request, ...intent },
    {
      embed_url: embedUrlOf(url, intent),
      ...(paidCardTokenId !== undefined && { card_token: paidCardTokenId }),
    },
  )
}

/** Below the vault, because a card number is typed in there. */
function embedUrlOf(url: string, intent: CustomerIntent): string | null {
  return isOpen(intent) ? `${url}/vault/form/${intent.id}/` : null
}

/** The saved cards that the customer can choose from: all, unless the intent names one. */
export function offeredCards(model: Model, intent: Intent): readonly CardToken[] {
  const { customer, card_token } = intent.request
  const isOffered = customer !== undefined && card_token === undefined && isOpen(intent)
  return isOffered ? cardTokensOf(model, customer) : []
}

/** A try to pay an intent. */
export interface Charge {
  readonly intent: Intent
  readonly transaction: Transaction
}

export function chargesOf(intent: Intent): readonly Charge[] {
  return intent.transactions.map((transaction) => ({ intent, transaction }))
}

export function viewCharge({ intent, transaction }: Charge): Static<typeof transactionSchema> {
  return answer(
    transactionSchema,
    { ...intent.request, scope: intent.scope, ...transaction },
    { ...endOf(transaction), intent: intent.id },
  )
}

function endOf({ failure, providerId }: Transaction) {
  return { status: failure === undefined ? 'SUCCESSFUL' : 'FAILED', provider: providerId } as const
}
