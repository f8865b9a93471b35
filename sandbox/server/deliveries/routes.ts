import Type from 'typebox'
import { VERDICTS, verdictOf } from './verdict.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { exactly, oneOf, ref } from '../http/schema.js'
import type { Service } from './sending.js'
import { DELIVERIES, DELIVERY_STATUSES, findDelivery, SOURCES, type Delivery } from './records.js'
import {
  deliverySchema,
  deliverySummaries,
  deliverySummarySchema,
  forgeriesOf,
  forgeryFields,
  viewDelivery,
} from './routes-view.js'
import { addKind, equalFilter, groupBy, liveFilter, recordsOf, type Kind } from './kind.js'

/** Events that are sent to an endpoint. */
const deliveryKind: Kind<Delivery> = {
  title: 'Delivery',
  plural: 'Deliveries',
  item: ref(deliverySummarySchema),
  detail: ref(deliverySchema),
  ...recordsOf(DELIVERIES),
  filters: {
    is_live: liveFilter,
    status: equalFilter(oneOf(DELIVERY_STATUSES), ({ status }) => status),
    verdict: {
      schema: oneOf(VERDICTS, { description: 'That of one of its attempts' }),
      test: (wanted) => (delivery) => delivery.attempts.some((attempt) => verdictOf(attempt) === wanted),
    },
    type: {
      schema: Type.String({ description: 'A type, or a family such as intent.*' }),
      test(wanted) {
        if (!wanted.endsWith('.*')) return ({ type }) => type === wanted
        const family = wanted.slice(0, -1)
        return ({ type }) => type.startsWith(family)
      },
    },
    endpoint: equalFilter(Type.String({ description: 'The address that it is sent to' }), ({ url }) => url),
    intent: equalFilter(Type.String(), ({ intentId }) => intentId),
    source: equalFilter(oneOf(SOURCES), ({ source }) => source),
    group: {
      schema: oneOf(['intent'], { description: 'Deliveries of one intent follow each other' }),
      test: () => () => true,
    },
  },
  arrange({ group }, found) {
    if (group === undefined) return found
    // The groups are ordered by their newest delivery. A delivery without an intent is a group of its own.
    return [...groupBy(found, ({ id, intentId }) => intentId ?? id).values()].flat()
  },
  searched: 'the id, type, intent, address or body',
  textsOf: ({ id, type, intentId, url, body }) => [id, type, intentId, url, body],
  viewer: deliverySummaries,
  viewDetail: (service, _url, delivery) => viewDelivery(service, delivery),
}

/** The deliveries to merchants in the order of an API, and sending some of them again. */
export function deliveries(app: App, service: Service): void {
  const operations = new Operations(app)
  addKind(app, service, deliveryKind)

  operations.add(
    'POST /deliveries/:id/resend/',
    {
      id: 'resendDelivery',
      summary: 'Send a delivery once more, and wait for the answer',
      params: byId,
      body: exactly(forgeryFields),
      isBodyOptional: true,
      data: deliverySchema,
    },
    async ({ params, body }) => {
      const delivery = findDelivery(service.store, params.id)
      await service.deliveries.resend(delivery, forgeriesOf(body))
      return success(viewDelivery(service, delivery))
    },
  )
  operations.add(
    'POST /deliveries/:id/check/',
    {
      id: 'checkDelivery',
      summary: 'Send a copy for each forgery to find out what the endpoint does, and wait for the answers',
      params: byId,
      data: deliverySchema,
    },
    async ({ params }) => {
      const delivery = findDelivery(service.store, params.id)
      await service.deliveries.check(delivery)
      return success(viewDelivery(service, delivery))
    },
  )
}
