import Type, { type Static } from 'typebox'
import {
  cardTokenIntentSchema,
  intentSchema,
  viewCardTokenIntent,
  viewIntent,
} from '../intents/routes-view.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { exactly, flag, oneOf, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import { DECIMALS } from '../intents/currencies.js'
import { CARD_INTENTS, INTENTS, STATUSES, type Intent } from '../intents/records.js'
import { customFieldsOf } from '../customers/customers.js'
import { findIntent, isOpen, isPayment, type CustomerIntent } from '../intents/intents.js'
import type { Model } from '../faults/model.js'
import type { Service } from '../deliveries/service.js'
import { sendEmbeddable } from '../http/package-files.js'
import { bodyOf, checkEntry, inputs, paymentBody, readCardInput } from './card-input.js'
import { complete } from './complete.js'
import { cardTokensOf } from '../cards/cards.js'

const { card, cardToken, cvv, saveCard, challenge, expiry, holder } = inputs

/** The provider is not chosen by the customer, so it is missing here. */
const formBody = bodyOf({ card, cardToken, cvv, saveCard, challenge, expiry, holder })

const shownCard = { brand: text, last_four: text }

/** The part of an intent that its customer may see. */
const formSchema = exactly({
  kind: oneOf(['payment', 'card'], { description: 'A payment, or a card to be saved' }),
  status: oneOf(STATUSES),
  is_live: flag,
  is_open: Type.Boolean({ description: 'Whether the customer has something to do' }),
  failure: textOrNull,
  amount: orNull(Type.Number()),
  amount_currency: textOrNull,
  amount_decimals: orNull(whole),
  reference: Type.String({ description: 'The reference of the merchant among its custom fields, or the id' }),
  return_url: orNull(text, { description: 'The way back to the merchant: `custom_fields.return_url`' }),
  save_card: oneOf(['no', 'optional', 'mandatory', 'automatic'], {
    description: 'Whether the card is saved, and whether the customer is asked',
  }),
  is_card_settled: Type.Boolean({ description: 'It charges one saved card, and no other' }),
  card: orNull(exactly(shownCard), { description: 'The card that a step is left for' }),
  saved_cards: Type.Array(exactly({ id: text, ...shownCard })),
})

type Form = Static<typeof formSchema>

/** The hosted form: its page, and the calls that it makes. An id that cannot be guessed takes the place of a key. */
export function hostedForm(app: App, service: Service): void {
  // One page for every intent, which asks the vault what to show.
  app.get<{ Params: { id: string } }>('/form/:id/', { schema: { hide: true } }, ({ params }, reply) => {
    const { store } = service
    const isKnown = (store.get(INTENTS, params.id) ?? store.get(CARD_INTENTS, params.id)) !== undefined
    return sendEmbeddable(reply.code(isKnown ? 200 : 404), 'form/index.html')
  })

  const operations = new Operations(app)

  operations.add(
    'GET /form/:id/state/',
    { id: 'getHostedForm', summary: 'The data of the hosted form', params: byId, data: formSchema },
    ({ params }) => success(viewForm(service, findIntent(service, params.id))),
  )

  operations.add(
    'POST /form/:id/pay/',
    {
      id: 'payAtHostedForm',
      summary: 'Pay, or save a card, at the hosted form; while a step is left, the missing data is enough',
      params: byId,
      body: formBody,
      data: formSchema,
      refusals: [409],
    },
    async ({ params, body }) => {
      checkEntry(body, service.now())
      const input = readCardInput(body)
      const intent = findIntent(service, params.id)
      await complete(service, intent, input)
      return success(viewForm(service, intent))
    },
  )
}

/** Completes an intent as the customer does at the hosted form. */
export function pay(app: App, service: Service): void {
  new Operations(app).add(
    'POST /intents/:id/pay/',
    {
      id: 'payIntent',
      summary:
        'Do what the customer does at the hosted form; while a step is left, the missing data is enough',
      params: byId,
      body: paymentBody,
      data: Type.Union([ref(intentSchema), ref(cardTokenIntentSchema)]),
      refusals: [409],
    },
    async ({ params, body, publicOrigin }) => {
      const input = readCardInput(body)
      const intent = findIntent(service, params.id)
      await complete(service, intent, input)
      return success(
        isPayment(intent)
          ? viewIntent(service, publicOrigin, intent)
          : viewCardTokenIntent(publicOrigin, intent),
      )
    },
  )
}

function viewForm(model: Model, intent: CustomerIntent): Form {
  const { id, status, failure, pending } = intent
  const source = pending?.source
  const waiting = source && ('token' in source ? source.token.card : source.card)
  const customFields = isPayment(intent) ? customFieldsOf(intent) : null
  return {
    kind: isPayment(intent) ? 'payment' : 'card',
    status,
    is_live: intent.scope.isLive,
    is_open: isOpen(intent),
    failure: failure ?? null,
    amount: isPayment(intent) ? intent.amount : null,
    amount_currency: isPayment(intent) ? intent.currency : null,
    amount_decimals: isPayment(intent) ? DECIMALS.get(intent.currency)! : null,
    reference: referenceOf(customFields) ?? id,
    return_url: returnUrlOf(customFields) ?? null,
    save_card: isPayment(intent) ? saveCardOf(intent) : 'automatic',
    is_card_settled: isPayment(intent) && intent.cardTokenId !== undefined,
    card: waiting === undefined ? null : { brand: waiting.brand, last_four: waiting.lastFour },
    saved_cards: isPayment(intent) && isOpen(intent) ? offered(model, intent) : [],
  }
}

type CustomFields = ReturnType<typeof customFieldsOf>

function referenceOf(customFields: CustomFields): string | undefined {
  const reference = customFields?.['reference']
  return typeof reference === 'string' && reference !== '' ? reference : undefined
}

/** The form links to it, so `javascript:` and the like are left out, and so are addresses with a user or a password. */
function returnUrlOf(customFields: CustomFields): string | undefined {
  const given = customFields?.['return_url']
  if (typeof given !== 'string' || !URL.canParse(given)) return undefined
  const { protocol, username, password, href } = new URL(given)
  return /^https?:$/.test(protocol) && username + password === '' ? href : undefined
}

/** `allow_tokenize_card` is for the SDK: the form has no checkbox for it. */
function saveCardOf({ saving: { isAutomatic, isOffered, isMandatory } }: Intent): Form['save_card'] {
  if (isAutomatic) return 'automatic'
  if (isMandatory) return 'mandatory'
  return isOffered ? 'optional' : 'no'
}

/** Every active token of the customer, unless the intent names one. */
function offered(model: Model, { customerId, cardTokenId }: Intent): Form['saved_cards'] {
  if (customerId === undefined || cardTokenId !== undefined) return []
  return cardTokensOf(model, customerId).map(({ id, card }) => ({
    id,
    brand: card.brand,
    last_four: card.lastFour,
  }))
}
