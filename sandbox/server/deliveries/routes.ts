import Type, { type Static } from 'typebox'
import { VERDICTS, verdictOf } from './verdict.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { unknown } from '../http/refusal.js'
import { exactly, oneOf, optionalFlag, ref } from '../http/schema.js'
import type { Service } from './service.js'
import { DELIVERIES, DELIVERY_STATUSES, SOURCES, type Delivery } from './records.js'
import { FORGERIES, type Forgery } from '@service-signature/deliveries'
import { deliverySchema, deliverySummaries, deliverySummarySchema, viewDelivery } from './routes-view.js'
import {
  addKind,
  equalFilter,
  groupBy,
  liveFilter,
  namedOperations,
  oneOfFilter,
  recordsOf,
  type Kind,
} from './kind.js'

/** What makes a request a forgery. */
export const forgeryFields = {
  tamper: optionalFlag('Change the amount after signing'),
  stale: optionalFlag('Sign with a time that is an hour old'),
  wrong_secret: optionalFlag('Sign with another secret and another API key'),
  no_signature: optionalFlag('Leave out Service-Signature'),
}

const resendBody = exactly(forgeryFields)

/** Events that are sent to an endpoint. */
const deliveryKind: Kind<Delivery> = {
  ...namedOperations('Delivery', ref(deliverySummarySchema), ref(deliverySchema), 'Deliveries'),
  detail: {
    id: 'getDelivery',
    path: '/deliveries/:id/',
    summary: 'A delivery with all its attempts, as they were sent',
    data: ref(deliverySchema),
  },
  ...recordsOf(DELIVERIES),
  filters: {
    is_live: liveFilter,
    status: oneOfFilter(DELIVERY_STATUSES, ({ status }) => status),
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
    source: oneOfFilter(SOURCES, ({ source }) => source),
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
      body: resendBody,
      isBodyOptional: true,
      data: deliverySchema,
    },
    async ({ params, body }) => {
      const delivery = getDelivery(service, params.id)
      await service.deliveries.resend(delivery, forgeriesOf(body))
      return success(viewDelivery(service, delivery))
    },
  )
}

/** @throws {Refusal} if the id does not exist */
export function getDelivery({ store }: Service, id: string): Delivery {
  const delivery = store.get(DELIVERIES, id)
  if (delivery === undefined) throw unknown('id', 'Delivery not found')
  return delivery
}

export function forgeriesOf(body: Static<typeof resendBody>): readonly Forgery[] {
  const wanted = {
    tamper: body.tamper,
    stale: body.stale,
    'wrong-secret': body.wrong_secret,
    'no-signature': body.no_signature,
    // It is only sent to find a cause.
    reprinted: false,
  }
  return FORGERIES.filter((forgery) => wanted[forgery] === true)
}
