import Type, { type Static } from 'typebox'
import type { Deliveries } from '../deliveries/deliveries.js'
import type { Delivery } from '../deliveries/delivery.js'
import { FORGERIES, type Forgery } from '../faults/faults.js'
import { page, success } from '../http/envelope.js'
import { byId, operation, pageQuery, type App } from '../http/operation.js'
import { unknown } from '../model/refusal.js'
import { exactly, whole } from '../schema.js'
import type { Service } from '../service.js'
import { deliveryQuery, deliverySearch, findDeliveries } from './delivery-filters.js'
import { deliverySchema, deliverySummarySchema, viewDelivery, viewDeliverySummary } from './delivery-view.js'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** What makes a request a forgery. */
export const forgeryFields = {
  tamper: flag('Change the amount after signing'),
  stale: flag('Sign with a time that is an hour old'),
  wrong_secret: flag('Sign with another secret and another API key'),
  no_signature: flag('Leave out Service-Signature'),
}

const resendBody = exactly(forgeryFields)

const resendAllBody = exactly({ ids: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }) })

/** The deliveries to merchants, and sending some of them again. */
export function deliveries(app: App, service: Service): void {
  const texts = deliverySearch()

  app.get(
    '/deliveries/',
    {
      schema: operation({
        id: 'listDeliveries',
        summary: 'The deliveries, oldest first',
        isOwn: true,
        query: pageQuery,
        data: deliverySummarySchema,
        isList: true,
      }),
    },
    ({ query, origin }) =>
      page(service.deliveries.list(), viewDeliverySummary, `${origin}/_sandbox/deliveries/`, query),
  )

  app.get(
    '/newest/deliveries/',
    {
      schema: operation({
        id: 'listNewestDeliveries',
        summary: 'The deliveries of every account, newest first',
        isOwn: true,
        query: deliveryQuery,
        data: deliverySummarySchema,
        isList: true,
        refusals: [404],
      }),
    },
    ({ query, origin }) => {
      const found = findDeliveries(service.deliveries, query, texts)
      return page(found, viewDeliverySummary, `${origin}/_sandbox/newest/deliveries/`, query)
    },
  )

  app.get(
    '/deliveries/:id/',
    {
      schema: operation({
        id: 'getDelivery',
        summary: 'A delivery with all its attempts, as they were sent',
        isOwn: true,
        params: byId,
        data: deliverySchema,
      }),
    },
    ({ params }) => answerOf(service, getDelivery(service.deliveries, params.id)),
  )

  app.post(
    '/deliveries/:id/resend/',
    {
      // The body may be left out.
      preValidation(request, _reply, done) {
        if ((request.body as unknown) === undefined) request.body = {}
        done()
      },
      schema: operation({
        id: 'resendDelivery',
        summary: 'Send a delivery once more, and wait for the answer',
        isOwn: true,
        params: byId,
        body: resendBody,
        data: deliverySchema,
      }),
    },
    async ({ params, body }) => {
      const delivery = getDelivery(service.deliveries, params.id)
      await service.deliveries.resend(delivery, forgeriesOf(body))
      return answerOf(service, delivery)
    },
  )

  app.post(
    '/deliveries/resend/',
    {
      schema: operation({
        id: 'resendDeliveries',
        summary: 'Send many deliveries once more, 8 at a time; those that are not there are left out',
        isOwn: true,
        body: resendAllBody,
        data: exactly({ resending: whole }),
      }),
    },
    ({ body }) => {
      const { deliveries } = service
      const found = [...new Set(body.ids)].flatMap((id) => deliveries.get(id) ?? [])
      void deliveries.resendAll(found)
      return success({ resending: found.length })
    },
  )
}

function answerOf({ settings }: Service, delivery: Delivery) {
  return success(viewDelivery(delivery, settings.timeScale))
}

/** @throws {Refusal} if the id does not exist */
export function getDelivery(deliveries: Deliveries, id: string): Delivery {
  const delivery = deliveries.get(id)
  if (delivery === undefined) throw unknown('id', 'Delivery not found')
  return delivery
}

export function forgeriesOf(body: Static<typeof resendBody>): readonly Forgery[] {
  const wanted = {
    tamper: body.tamper,
    stale: body.stale,
    'wrong-secret': body.wrong_secret,
    'no-signature': body.no_signature,
  }
  return FORGERIES.filter((forgery) => wanted[forgery] === true)
}
