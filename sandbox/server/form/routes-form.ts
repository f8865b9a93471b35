import Type, { type Static } from 'typebox'
import { answer } from '../accounts/answer.js'
import type { Card } from '../cards/cards.js'
import { customFieldsOf } from '../customers/customers.js'
import type { Service } from '../deliveries/sending.js'
import type { Model } from '../faults/faults.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { sendEmbeddable } from '../http/package-files.js'
import { exactly, flag, oneOf, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import { DECIMALS } from '../intents/amounts.js'
import { findIntent, isOpen } from '../intents/intents.js'
import {
  CARD_INTENTS,
  INTENTS,
  isPayment,
  STATUSES,
  type CustomerIntent,
  type Intent,
} from '../intents/records.js'
import {
  cardTokenIntentSchema,
  intentSchema,
  offeredCards,
  viewCardTokenIntent,
  viewIntent,
} from '../intents/routes-view.js'
import { checkEntry, complete, inputs, paymentBody, readCardInput } from './complete.js'

const { card, cardToken, cvv, saveCard, challenge, expiry, holder } = inputs

/** The provider is not chosen by the customer, so it is missing here. */
const formBody = exactly({ card, cardToken, cvv, saveCard, challenge, expiry, holder })

const shownCard = exactly({ brand: text, last_four: text })
const viewShownCard = (shown: Card) => answer(shownCard, shown)

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
  card: orNull(shownCard, { description: 'The card that a step is left for' }),
  saved_cards: Type.Array(exactly({ id: text, ...shownCard.properties })),
})

/** An intent that saves a card has only some of the fields; the others are null. */
function viewForm(model: Model, intent: CustomerIntent): Static<typeof formSchema> {
  const source = intent.pending?.source
  const shown = {
    is_open: isOpen(intent),
    card: source === undefined ? null : viewShownCard('token' in source ? source.token.card : source.card),
  }
  if (!isPayment(intent)) {
    const noPayment = { reference: intent.id, save_card: 'automatic', saved_cards: [] } as const
    return answer(formSchema, { kind: 'card', ...noPayment, ...intent }, shown)
  }
  return answer(
    formSchema,
    { ...intent.request, ...intent },
    {
      ...shown,
      kind: 'payment',
      amount_decimals: DECIMALS.get(intent.request.amount_currency)!,
      reference: referenceOf(intent) ?? intent.id,
      return_url: returnUrlOf(intent) ?? null,
      save_card: savingOf(intent.request),
      is_card_settled: intent.request.card_token !== undefined,
      saved_cards: offeredCards(model, intent).map(({ id, card }) => ({ id, ...viewShownCard(card) })),
    },
  )
}

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

function referenceOf(payment: Intent): string | undefined {
  const reference = customFieldsOf(payment)?.['reference']
  return typeof reference === 'string' && reference !== '' ? reference : undefined
}

/** The form links to it, so `javascript:` and the like are left out, and so are addresses with a user or a password. */
function returnUrlOf(payment: Intent): string | undefined {
  const given = customFieldsOf(payment)?.['return_url']
  if (typeof given !== 'string' || !URL.canParse(given)) return undefined
  const { protocol, username, password, href } = new URL(given)
  return /^https?:$/.test(protocol) && username + password === '' ? href : undefined
}

/** `allow_tokenize_card` is for the SDK: the form has no checkbox for it. */
function savingOf(request: Intent['request']) {
  if (request.tokenize_card === true) return 'automatic'
  if (request.show_mandatory_save_card_checkbox === true) return 'mandatory'
  return request.show_save_card_checkbox === true ? 'optional' : 'no'
}
