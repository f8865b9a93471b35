import type { FastifyInstance } from 'fastify'
import type { Deliveries } from '../deliveries/deliveries.js'
import type { Delivery } from '../deliveries/delivery.js'
import { page, success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation, pageQuery } from '../http/operation.js'
import { unknown } from '../model/refusal.js'
import type { Service } from '../service.js'
import { viewDelivery, viewDeliverySummary } from '../views/delivery.js'

const resendBody = {
  type: 'object',
  properties: {
    tamper: { type: 'boolean', description: 'Change the amount after signing' },
    stale: { type: 'boolean', description: 'Sign with a time that is an hour old' },
  },
  additionalProperties: false,
} as const

/** What was sent to the merchants (S6.1), and sending it once more. */
export function deliveries(app: FastifyInstance, service: Service): void {
  app.get<{ Querystring: Infer<typeof pageQuery> }>(
    '/deliveries/',
    {
      schema: operation({
        summary: 'The deliveries, oldest first',
        isOwn: true,
        query: pageQuery,
        data: { $ref: 'DeliverySummary#' },
        isList: true,
      }),
    },
    ({ query, origin }) => {
      const address = `${origin}/_sandbox/deliveries/`
      return page(service.stage.deliveries.list(), viewDeliverySummary, address, query)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/deliveries/:id/',
    {
      schema: operation(
        {
          summary: 'A delivery with all its attempts, as they were sent',
          isOwn: true,
          data: { $ref: 'Delivery#' },
        },
        'id',
      ),
    },
    ({ params }) => success(viewDelivery(getDelivery(service.stage.deliveries, params.id))),
  )

  app.post<{ Params: { id: string }; Body: Infer<typeof resendBody> }>(
    '/deliveries/:id/resend/',
    {
      // The body may be left out.
      preValidation(request, _reply, done) {
        if ((request.body as unknown) === undefined) request.body = {}
        done()
      },
      schema: operation(
        {
          summary: 'Send a delivery once more, and wait for the answer',
          isOwn: true,
          body: resendBody,
          data: { $ref: 'Delivery#' },
        },
        'id',
      ),
    },
    async ({ params, body }) => {
      const { deliveries } = service.stage
      const delivery = getDelivery(deliveries, params.id)
      await deliveries.resend(delivery, body)
      return success(viewDelivery(delivery))
    },
  )
}

/** @throws {Refusal} where there is none of this id */
export function getDelivery(deliveries: Deliveries, id: string): Delivery {
  const delivery = deliveries.get(id)
  if (delivery === undefined) throw unknown('id', 'Delivery not found')
  return delivery
}
