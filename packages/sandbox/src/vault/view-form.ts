import { cardTokensOf } from '../model/card-tokens.js'
import { STATUSES, type Intent } from '../model/entities.js'
import { isForCustomer } from '../model/intents.js'
import type { State } from '../model/state.js'
import { isPayment, type CustomerIntent } from './pay-with.js'

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }
const card = {
  type: 'object',
  properties: { brand: text, last_four: text },
  required: ['brand', 'last_four'],
  additionalProperties: false,
}

/** As much of an intent as its customer may see. */
export const formSchema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['payment', 'card'], description: 'A payment, or a card to be kept' },
    status: { type: 'string', enum: STATUSES },
    is_live: { type: 'boolean' },
    is_open: { type: 'boolean', description: 'Whether the customer has something to do' },
    failure: nullable,
    amount: { type: ['number', 'null'] },
    amount_currency: nullable,
    reference: { ...text, description: 'The reference of the merchant among its custom fields, or the id' },
    save_card: {
      type: 'string',
      enum: ['no', 'optional', 'mandatory', 'automatic'],
      description: 'Whether the card is saved, and whether the customer is asked',
    },
    is_card_settled: { type: 'boolean', description: 'It charges one saved card, and no other' },
    card: { ...card, type: ['object', 'null'], description: 'The card that a step is left for' },
    saved_cards: {
      type: 'array',
      items: { ...card, properties: { id: text, ...card.properties }, required: ['id', ...card.required] },
    },
  },
  required: [
    'kind',
    'status',
    'is_live',
    'is_open',
    'failure',
    'amount',
    'amount_currency',
    'reference',
    'save_card',
    'is_card_settled',
    'card',
    'saved_cards',
  ],
  additionalProperties: false,
}

export function viewForm(state: State, intent: CustomerIntent) {
  const { id, status, failure, pending } = intent
  const isOpen = isPayment(intent) ? isForCustomer(intent) : status !== 'PROCESSED'
  const source = pending?.source
  const waiting = source && ('token' in source ? source.token : source.card)
  return {
    kind: isPayment(intent) ? 'payment' : 'card',
    status,
    is_live: intent.scope.isLive,
    is_open: isOpen,
    failure: failure ?? null,
    amount: isPayment(intent) ? intent.amount : null,
    amount_currency: isPayment(intent) ? intent.currency : null,
    reference: (isPayment(intent) ? referenceOf(intent) : undefined) ?? id,
    save_card: isPayment(intent) ? saveCardOf(intent) : 'automatic',
    is_card_settled: isPayment(intent) && intent.cardTokenId !== undefined,
    card: waiting === undefined ? null : { brand: waiting.brand, last_four: waiting.lastFour },
    saved_cards: isPayment(intent) && isOpen ? offered(state, intent) : [],
  }
}

function referenceOf({ customFields }: Intent): string | undefined {
  const reference = customFields?.['reference']
  return typeof reference === 'string' && reference !== '' ? reference : undefined
}

/** `allow_tokenize_card` is for the SDK: the form has no checkbox for it (S2.1). */
function saveCardOf({ saving: { isAutomatic, isOffered, isMandatory } }: Intent): string {
  if (isAutomatic) return 'automatic'
  if (isMandatory) return 'mandatory'
  return isOffered ? 'optional' : 'no'
}

/** Every active token of the customer, unless the intent names one (S4.1). */
function offered(state: State, { customerId, cardTokenId }: Intent) {
  if (customerId === undefined || cardTokenId !== undefined) return []
  return cardTokensOf(state, customerId).map(({ id, brand, lastFour }) => ({
    id,
    brand,
    last_four: lastFour,
  }))
}
