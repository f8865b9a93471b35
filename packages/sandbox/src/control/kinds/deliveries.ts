import Type from 'typebox'
import { oneOf, ref } from '../../schema.js'
import { DELIVERY_STATUSES, SOURCES, type Delivery } from '../../store/records.js'
import { deliverySchema, deliverySummarySchema, viewDelivery, viewDeliverySummary } from '../delivery-view.js'
import { liveFilter, oneOfFilter, type Kind } from './kind.js'

/** Events that are sent to an endpoint. */
export const deliveries: Kind<Delivery> = {
  title: 'Delivery',
  list: {
    id: 'listNewestDeliveries',
    path: '/newest/deliveries/',
    summary: 'The deliveries of every account, newest first',
    schema: ref(deliverySummarySchema),
  },
  detail: {
    id: 'getDelivery',
    path: '/deliveries/:id/',
    summary: 'A delivery with all its attempts, as they were sent',
    schema: ref(deliverySchema),
  },
  newestFirst: ({ store }) => store.newestFirst('delivery'),
  find: ({ store }, id) => store.get('delivery', id),
  filters: {
    is_live: liveFilter,
    status: oneOfFilter(DELIVERY_STATUSES, ({ status }) => status),
    type: {
      schema: Type.String({ description: 'A type, or a family such as intent.*' }),
      test(wanted) {
        if (!wanted.endsWith('.*')) return ({ type }) => type === wanted
        const family = wanted.slice(0, -1)
        return ({ type }) => type.startsWith(family)
      },
    },
    endpoint: {
      schema: Type.String({ description: 'The address that it is sent to' }),
      test:
        (wanted) =>
        ({ url }) =>
          url === wanted,
    },
    intent: {
      schema: Type.String(),
      test:
        (wanted) =>
        ({ intentId }) =>
          intentId === wanted,
    },
    source: oneOfFilter(SOURCES, ({ source }) => source),
    group: {
      schema: oneOf(['intent'], { description: 'Deliveries of one intent follow each other' }),
      test: () => () => true,
    },
  },
  arrange: ({ group }, found) => (group === undefined ? found : grouped(found)),
  searched: 'the id, type, intent, address or body',
  textsOf: ({ body }) => [['bodies', body]],
  viewer: () => viewDeliverySummary,
  viewDetail: ({ store, settings }, _url, delivery) => viewDelivery(store, delivery, settings.timeScale),
}

/** The groups are ordered by their newest delivery. A delivery without an intent is a group of its own. */
function grouped(deliveries: readonly Delivery[]): readonly Delivery[] {
  const groups = new Map<string, Delivery[]>()
  for (const delivery of deliveries) {
    const name = delivery.intentId ?? delivery.id
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [delivery])
    else group.push(delivery)
  }
  const arranged: Delivery[] = []
  for (const group of groups.values()) arranged.push(...group)
  return arranged
}
