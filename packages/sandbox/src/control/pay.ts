import Type from 'typebox'
import { cardTokenIntentSchema, viewCardTokenIntent } from '../api/card-token-intents.js'
import { intentSchema, viewIntent } from '../api/intent-view.js'
import { success } from '../http/envelope.js'
import { byId, operation, type App } from '../http/operation.js'
import { ref } from '../schema.js'
import type { Service } from '../service.js'
import { paymentBody, readCardInput } from '../vault/card-input.js'
import { complete, findIntent, isPayment } from '../vault/complete.js'

/** Completes an intent as the customer does at the hosted form. */
export function pay(app: App, service: Service): void {
  app.post(
    '/intents/:id/pay/',
    {
      schema: operation({
        id: 'payIntent',
        summary:
          'Do what the customer does at the hosted form; while a step is left, the missing data is enough',
        isOwn: true,
        params: byId,
        body: paymentBody,
        data: Type.Union([ref(intentSchema), ref(cardTokenIntentSchema)]),
        refusals: [409],
      }),
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
