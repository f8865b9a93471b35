import Type, { type Static } from 'typebox'
import { page, success } from '../http/envelope.js'
import { byId, operation, pageQuery, type App } from '../http/operation.js'
import { unknown } from '../model/refusal.js'
import { exactly, whole } from '../schema.js'
import type { Service } from '../service.js'
import { FORGERIES, type Delivery, type Forgery } from '../store/records.js'
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

/** The deliveries to merchants in the order of an API, and sending some of them again. */
export function deliveries(app: App, service: Service): void {
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
      page(service.store.list('delivery'), viewDeliverySummary, `${origin}/_sandbox/deliveries/`, query),
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
      const delivery = getDelivery(service, params.id)
      await service.deliveries.resend(delivery, forgeriesOf(body))
      return success(viewDelivery(service.store, delivery, service.settings.timeScale))
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
      const { deliveries, store } = service
      const found = [...new Set(body.ids)].flatMap((id) => store.get('delivery', id) ?? [])
      deliveries.resendAll(found)
      return success({ resending: found.length })
    },
  )
}

/** @throws {Refusal} if the id does not exist */
export function getDelivery({ store }: Service, id: string): Delivery {
  const delivery = store.get('delivery', id)
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
