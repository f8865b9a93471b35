import type { FastifyInstance } from 'fastify'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import { STATUSES, isSameScope, type Scope } from '../model/entities.js'
import { invalid, unknown } from '../model/refusal.js'
import type { State } from '../model/state.js'
import type { Service } from '../service.js'
import { payBody, type Brought } from './brought.js'
import { findIntent, isPayment, payWith, type CustomerIntent } from './pay-with.js'
import { allowAnyOrigin, FOR_BROWSERS, forPublicKey } from './public-key.js'

const { saveCard, challenge } = payBody.properties
const text = { type: 'string' } as const
const cardData = { ...text, description: 'The id of a collected card, which is good for one call' } as const

const tokenBody = {
  type: 'object',
  properties: { cardData, challenge },
  additionalProperties: false,
} as const

const sdkPayBody = { ...tokenBody, properties: { ...tokenBody.properties, saveCard } } as const

const resultSchema = {
  type: 'object',
  properties: {
    id: text,
    status: { type: 'string', enum: STATUSES },
    failure: { type: ['string', 'null'] },
    card_token: { type: ['string', 'null'], description: 'The card that was saved, if one was' },
  },
  required: ['id', 'status', 'failure', 'card_token'],
  additionalProperties: false,
}

/** What the browser SDK asks of the vault, from the pages of merchants (S4.5). */
export function sdk(app: FastifyInstance, service: Service): void {
  const onRequest = [allowAnyOrigin, forPublicKey(service)]

  allowPreflight(app, '/intents/:id/pay/')
  app.post<{ Params: { id: string }; Body: Infer<typeof sdkPayBody> }>(
    '/intents/:id/pay/',
    { onRequest, schema: completion('Pay with a collected card', sdkPayBody) },
    ({ params: { id }, body, publicScope }) => {
      const { state } = service.stage
      const intent = getIntent(state, publicScope, id)
      if (!isPayment(intent)) throw unknown('id', 'This is a card token intent: use createCardToken')
      if (body.saveCard === true && !intent.saving.isAllowedToSdk) {
        throw invalid('saveCard', 'needs allow_tokenize_card on the intent')
      }
      payWith(service, intent, broughtOf(state, publicScope, body))
      return success(viewResult(intent))
    },
  )

  allowPreflight(app, '/card-intents/:id/card-token/')
  app.post<{ Params: { id: string }; Body: Infer<typeof tokenBody> }>(
    '/card-intents/:id/card-token/',
    { onRequest, schema: completion('Make a card token of a collected card', tokenBody) },
    ({ params: { id }, body, publicScope }) => {
      const { state } = service.stage
      const intent = getIntent(state, publicScope, id)
      if (isPayment(intent)) throw unknown('id', 'This is a payment intent: use pay')
      payWith(service, intent, broughtOf(state, publicScope, body))
      return success(viewResult(intent))
    },
  )
}

function completion(what: string, body: object) {
  const summary = `${what}; while 3DS is left, what became of it is enough`
  const schema = operation(
    { summary, isOwn: true, key: 'account', body, data: resultSchema, refusals: [409] },
    'id',
  )
  return { ...schema, description: FOR_BROWSERS }
}

/** Browsers ask first, since the key is in a header. */
function allowPreflight(app: FastifyInstance, path: string): void {
  app.options(
    path,
    {
      onRequest: allowAnyOrigin,
      schema: operation(
        { summary: 'Allow pages of every origin to make this call', isOwn: true, data: { type: 'null' } },
        'id',
      ),
    },
    (_request, reply) => {
      void reply.headers({
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': 'Content-Type, X-Api-Key',
      })
      return success(null)
    },
  )
}

/** @throws {Refusal} where there is none of this id in the account and mode of the public key */
function getIntent(state: State, scope: Scope, id: string): CustomerIntent {
  const intent = findIntent(state, id)
  if (!isSameScope(intent.scope, scope)) throw unknown('id', 'Intent not found')
  return intent
}

function broughtOf(state: State, scope: Scope, body: Infer<typeof sdkPayBody>): Brought {
  const { cardData, saveCard, challenge } = body
  const collected = cardData === undefined ? undefined : state.vault.collected.take(cardData, scope)
  return {
    card: collected?.card,
    hasCvv: collected?.hasCvv ?? false,
    cardToken: undefined,
    saveCard,
    challenge,
  }
}

function viewResult(intent: CustomerIntent) {
  const { id, status, failure = null } = intent
  const cardToken = isPayment(intent) ? intent.paidCardTokenId : intent.cardTokenId
  return { id, status, failure, card_token: cardToken ?? null }
}
