import type { FastifyInstance } from 'fastify'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import { deleteCardToken, getCardToken } from '../model/card-tokens.js'
import { findCustomer } from '../model/customers.js'
import { createIntent } from '../model/intents.js'
import { invalid } from '../model/refusal.js'
import type { Service } from '../service.js'
import { readCvv } from '../vault/vault.js'
import { viewCardToken } from '../views/card-token.js'
import { viewIntent } from '../views/intent.js'
import { chargeToken } from './charge.js'
import { intentBody } from './intent-body.js'
import { checkWebhookUrl } from './webhook-url.js'

const PATH = '/api/v1.4/tokens/cards/'

const deleteBody = {
  type: 'object',
  properties: { customer: { type: 'string' }, to_delete_customer_card_token: { type: 'string' } },
  required: ['customer', 'to_delete_customer_card_token'],
} as const

/** Saved cards (S2.2, S4.4). */
export function cardTokens(app: FastifyInstance, service: Service): void {
  const onRequest = forAccount(service)

  app.get<{ Params: { id: string } }>(
    `${PATH}:id/`,
    {
      onRequest,
      schema: operation(
        { summary: 'A card token', isOwn: true, key: 'account', data: { $ref: 'CardToken#' } },
        'id',
      ),
    },
    ({ params, maker }) => success(viewCardToken(getCardToken(service.stage.state, maker, params.id, 'id'))),
  )

  app.post<{ Params: { id: string }; Body: Infer<typeof intentBody> }>(
    `${PATH}:id/charge/`,
    {
      onRequest,
      schema: operation(
        {
          summary: 'Charge a saved card, while the customer is not there',
          isOwn: true,
          key: 'account',
          body: intentBody,
          data: { $ref: 'Intent#' },
        },
        'id',
      ),
    },
    async ({ params: { id }, body, maker, origin }) => {
      const { card_token_data, ...request } = body
      const hasCvv = readCvv(card_token_data?.cvv, 'card_token_data.cvv')
      if ((request.card_token ?? id) !== id)
        throw invalid('card_token', 'must be that of the path, or missing')
      await checkWebhookUrl(service, request.webhook_url)
      const { state } = service.stage
      const intent = createIntent(state, maker, { ...request, card_token: id })
      // "Returns the payment status directly instead of an embed_url."
      chargeToken(service, intent, id, { hasCvv, isUnattended: true })
      return success(viewIntent(state, origin, intent))
    },
  )

  app.post<{ Body: Infer<typeof deleteBody> }>(
    `${PATH}delete/`,
    {
      onRequest,
      schema: operation({
        summary: 'Delete a saved card',
        isOwn: true,
        key: 'account',
        body: deleteBody,
        data: { $ref: 'CardToken#' },
        refusals: [404],
      }),
    },
    ({ body: { customer, to_delete_customer_card_token: id }, maker: { scope } }) => {
      const { state } = service.stage
      if (findCustomer(state, scope, customer) === undefined) throw invalid('customer', 'Customer not found')
      const owner = { scope, customerId: customer }
      const token = getCardToken(state, owner, id, 'to_delete_customer_card_token')
      deleteCardToken(state, token)
      service.changes.announce('card', id)
      return success(viewCardToken(token))
    },
  )
}
