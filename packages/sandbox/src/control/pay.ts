import Type from 'typebox'
import { cardTokenIntentSchema, intentSchema, viewCardTokenIntent, viewIntent } from '../api/intent-view.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { ref } from '../schema.js'
import type { Service } from '../service.js'
import { paymentBody, readCardInput } from '../vault/card-input.js'
import { complete, findIntent, isPayment } from '../vault/complete.js'

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
