import type { FastifyInstance } from 'fastify'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import type { Service } from '../service.js'
import { payBody, readBrought } from './brought.js'
import { entryBody, readEntry } from './entry.js'
import { findIntent, payWith } from './pay-with.js'
import { formSchema, viewForm } from './view-form.js'

const { card, cardToken, cvv, saveCard, challenge } = payBody.properties

/** What the customer sends. To which provider it goes is not theirs to say. */
const formBody = {
  type: 'object',
  properties: { card, cardToken, cvv, saveCard, challenge, ...entryBody.properties },
  additionalProperties: false,
} as const

/** What the hosted form asks of the vault. An id that cannot be guessed takes the place of a key. */
export function form(app: FastifyInstance, service: Service): void {
  app.get<{ Params: { id: string } }>(
    '/form/:id/state/',
    {
      schema: operation({ summary: 'What the hosted form shows', isOwn: true, data: formSchema }, 'id'),
    },
    ({ params }) => {
      const { state } = service.stage
      return success(viewForm(state, findIntent(state, params.id)))
    },
  )

  app.post<{ Params: { id: string }; Body: Infer<typeof formBody> }>(
    '/form/:id/pay/',
    {
      schema: operation(
        {
          summary: 'Pay, or keep a card, at the hosted form; while a step is left, what is missing is enough',
          isOwn: true,
          body: formBody,
          data: formSchema,
          refusals: [409],
        },
        'id',
      ),
    },
    ({ params, body }) => {
      const { state } = service.stage
      readEntry(body, state.now())
      const brought = readBrought(body)
      const intent = findIntent(state, params.id)
      payWith(service, intent, brought)
      return success(viewForm(state, intent))
    },
  )
}
