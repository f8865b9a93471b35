import type { FastifyInstance } from 'fastify'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import { invalid } from '../model/refusal.js'
import type { Service } from '../service.js'
import { readCvv } from '../vault/vault.js'
import { viewIntent } from '../views/intent.js'
import { chargeToken } from './charge.js'
import { cardTokenData } from './intent-body.js'
import { getIntent } from './intents.js'

const directBody = {
  type: 'object',
  properties: { card_token: { type: 'string' }, card_token_data: cardTokenData },
  required: ['card_token'],
} as const

/** The Direct API (S4.3), which is also the card-token payment on an intent of S4.4. Its bodies are not shown there. */
export function direct(app: FastifyInstance, service: Service): void {
  app.post<{ Params: { intent_id: string }; Body: Infer<typeof directBody> }>(
    '/direct/payments/intents/:intent_id/card_token/',
    {
      onRequest: forAccount(service),
      schema: operation(
        {
          summary: 'Charge a saved card on an intent',
          key: 'account',
          body: directBody,
          data: { $ref: 'Intent#' },
          refusals: [409],
        },
        'intent_id',
      ),
    },
    ({ params, body, maker, origin }) => {
      const { state } = service.stage
      const hasCvv = readCvv(body.card_token_data?.cvv, 'card_token_data.cvv')
      const intent = getIntent(state, maker.scope, params.intent_id, 'intent_id')
      // S2.1, rule 2.
      if (intent.customerId === undefined) throw invalid('customer', 'is missing on this intent')
      chargeToken(service, intent, body.card_token, { hasCvv })
      return success(viewIntent(state, origin, intent))
    },
  )
}
