import type { FastifyInstance } from 'fastify'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import type { Service } from '../service.js'
import { viewCardTokenIntent } from '../views/card-token-intent.js'
import { viewIntent } from '../views/intent.js'
import { payBody, readBrought } from './brought.js'
import { findIntent, isPayment, payWith } from './pay-with.js'

/** What the hosted form does. An id that cannot be guessed takes the place of a key. */
export function pay(app: FastifyInstance, service: Service): void {
  app.post<{ Params: { id: string }; Body: Infer<typeof payBody> }>(
    '/intents/:id/pay/',
    {
      schema: operation(
        {
          summary:
            'Do what the customer does at the hosted form; while a step is left, what is missing is enough',
          isOwn: true,
          body: payBody,
          data: { anyOf: [{ $ref: 'Intent#' }, { $ref: 'CardTokenIntent#' }] },
          refusals: [409],
        },
        'id',
      ),
    },
    ({ params, body, origin }) => {
      const { state } = service.stage
      const brought = readBrought(body)
      const intent = findIntent(state, params.id)
      payWith(service, intent, brought)
      return success(
        isPayment(intent) ? viewIntent(state, origin, intent) : viewCardTokenIntent(origin, intent),
      )
    },
  )
}
