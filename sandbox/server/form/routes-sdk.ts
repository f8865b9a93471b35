import Type, { type Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { byId, Operations, type Access, type App } from '../http/operation.js'
import { success } from '../http/envelope.js'
import { exactly, oneOf, orNull, text, textOrNull } from '../http/schema.js'
import { COLLECTED_CARDS, getCollectedCard, readCard, readCvv } from '../cards/cards.js'
import { isPayment, STATUSES, type CustomerIntent } from '../intents/records.js'
import { isSameScope, type Scope } from '../accounts/records.js'
import { invalid, unknown } from '../http/refusal.js'
import type { Service } from '../deliveries/sending.js'
import { checkEntry, complete, inputs, type CardInput } from './complete.js'
import { findIntent } from '../intents/intents.js'

const { cvv, expiry, holder, cardData, saveCard, challenge } = inputs

const collectBody = exactly({
  card: Type.String({ description: 'A published test number' }),
  cvv,
  expiry,
  holder,
})
const tokenBody = exactly({ cardData, challenge })
const payBody = exactly({ cardData, challenge, saveCard })

const collectedSchema = exactly({ id: text, brand: text, last_four: text })

const resultSchema = exactly({
  id: text,
  status: oneOf(STATUSES),
  failure: textOrNull,
  card_token: orNull(text, { description: 'The card that was saved, if one was' }),
})

/** The calls of the browser SDK to the vault. */
export function sdk(app: App, service: Service): void {
  const access = withKey('public', service)

  // The card form of the SDK is a page of the vault; no other origin may send a card number here.
  new Operations(app, access).add(
    'POST /cards/',
    {
      id: 'collectCard',
      summary: 'Collect a card from the card form of the SDK',
      body: collectBody,
      data: collectedSchema,
    },
    ({ body, maker: { scope } }) => {
      const { store, random, now } = service
      checkEntry(body, now())
      const card = readCard(body.card, 'card')
      const hasCvv = readCvv(body.cvv, 'cvv')
      const { id } = store.insert(COLLECTED_CARDS, { id: random.id('cdt'), scope, card, hasCvv })
      return success({ id, brand: card.brand, last_four: card.lastFour })
    },
  )

  const operations = new Operations(app, fromAnyOrigin(access))
  const completion = { params: byId, data: resultSchema }
  const completed = async (intent: CustomerIntent, body: Static<typeof payBody>) => {
    await complete(service, intent, inputOf(service, intent.scope, body))
    return success(viewResult(intent))
  }

  allowPreflight(app, '/intents/:id/pay/', 'allowPayWithCollectedCard')
  operations.add(
    'POST /intents/:id/pay/',
    {
      ...completion,
      id: 'payWithCollectedCard',
      summary: 'Pay with a collected card; while 3DS is left, its outcome is enough',
      body: payBody,
    },
    ({ params, body, maker }) => {
      const intent = getIntent(service, maker.scope, params.id)
      if (!isPayment(intent)) throw unknown('id', 'This is a card token intent: use createCardToken')
      const { allow_tokenize_card, show_mandatory_save_card_checkbox } = intent.request
      const isToBeSaved = body.saveCard === true || show_mandatory_save_card_checkbox === true
      if (isToBeSaved && allow_tokenize_card !== true) {
        throw invalid('saveCard', 'needs allow_tokenize_card on the intent')
      }
      return completed(intent, body)
    },
  )

  allowPreflight(app, '/card-intents/:id/card-token/', 'allowCardTokenOfCollectedCard')
  operations.add(
    'POST /card-intents/:id/card-token/',
    {
      ...completion,
      id: 'createCardTokenOfCollectedCard',
      summary: 'Make a card token of a collected card; while 3DS is left, its outcome is enough',
      body: tokenBody,
    },
    ({ params, body, maker }) => {
      const intent = getIntent(service, maker.scope, params.id)
      if (isPayment(intent)) throw unknown('id', 'This is a payment intent: use pay')
      return completed(intent, body)
    },
  )
}

/** Browsers send a preflight request, because the key is in a header. */
function allowPreflight(app: App, path: string, id: string): void {
  new Operations(app).add(
    `OPTIONS ${path}`,
    { id, summary: 'Allow pages of every origin to make this call', params: byId },
    (_request, reply) => {
      void reply.headers({
        ...ANY_ORIGIN,
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': 'Content-Type, X-Api-Key',
      })
      return success(null)
    },
  )
}

const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' }

/** The same callers on the page of a merchant, of any origin, which may read a refusal too. No cookie is involved. */
function fromAnyOrigin({ description, check }: Access): Access {
  return {
    description,
    check(request, reply) {
      void reply.headers(ANY_ORIGIN)
      check?.(request, reply)
    },
  }
}

/** @throws {Refusal} if the id does not exist in the account and mode of the public key */
function getIntent(service: Service, scope: Scope, id: string): CustomerIntent {
  const intent = findIntent(service, id)
  if (!isSameScope(intent.scope, scope)) throw unknown('id', 'Intent not found')
  return intent
}

function inputOf(service: Service, scope: Scope, body: Static<typeof payBody>): CardInput {
  const { cardData, saveCard, challenge } = body
  const collected = cardData === undefined ? undefined : getCollectedCard(service, cardData, scope)
  return {
    card: collected?.card,
    hasCvv: collected?.hasCvv ?? false,
    cardToken: undefined,
    collectedCard: cardData,
    saveCard,
    challenge,
  }
}

function viewResult({ id, status, failure, paidCardTokenId }: CustomerIntent): Static<typeof resultSchema> {
  return { id, status, failure: failure ?? null, card_token: paidCardTokenId ?? null }
}
