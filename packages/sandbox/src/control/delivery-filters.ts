import Type, { type Static } from 'typebox'
import type { Deliveries } from '../deliveries/deliveries.js'
import type { Delivery } from '../deliveries/delivery.js'
import { longPageQuery } from '../http/operation.js'
import { unknown } from '../model/refusal.js'
import { oneOf } from '../schema.js'
import { DELIVERY_STATUSES, SOURCES } from './delivery-view.js'
import { TextSearch } from './text-search.js'

/** The filters of a list of deliveries. In a query every value is text. */
export const deliveryFilters = {
  status: Type.Optional(oneOf(DELIVERY_STATUSES)),
  type: Type.Optional(Type.String({ description: 'A type, or a family such as intent.*' })),
  endpoint: Type.Optional(Type.String({ description: 'The address that it is sent to' })),
  intent: Type.Optional(Type.String()),
  is_live: Type.Optional(oneOf(['true', 'false'])),
  source: Type.Optional(oneOf(SOURCES)),
  search: Type.Optional(
    Type.String({ description: 'A text in the id, type, intent, address or body; the case does not matter' }),
  ),
  until: Type.Optional(
    Type.String({ description: 'The id of a delivery: only that one and older ones are listed' }),
  ),
}

export const deliveryQuery = Type.Object({
  ...longPageQuery.properties,
  ...deliveryFilters,
  group: Type.Optional(oneOf(['intent'], { description: 'Deliveries of one intent follow each other' })),
})

export type DeliveryFilters = Omit<Static<typeof deliveryQuery>, 'limit' | 'offset'>

export type DeliverySearch = TextSearch<Delivery>

export function deliverySearch(): DeliverySearch {
  return new TextSearch(({ id, type, intentId = '', url, text }, search) => {
    return search.includes('"')
      ? { texts: [id, intentId, text.toString()], shared: [type, url] }
      : { texts: [id, intentId, text.own], shared: [type, url, text.shared] }
  })
}

/**
 * The deliveries that fit the filters, newest first.
 *
 * @throws {Refusal} if the delivery of `until` does not exist
 */
export function findDeliveries(
  deliveries: Deliveries,
  filters: DeliveryFilters,
  texts: DeliverySearch,
): Iterable<Delivery> {
  const { until, group, search = '' } = filters
  const newest = until === undefined ? undefined : deliveries.get(until)
  if (until !== undefined && newest === undefined) throw unknown('until', 'Delivery not found')
  const all = newest === undefined ? deliveries.newestFirst() : from(newest, deliveries.newestFirst())
  const found = filtered(search === '' ? all : texts.find(all, search), matcherOf(filters))
  return group === undefined ? found : grouped(found)
}

/** Leaves out those that are newer than this one. */
function* from(newest: Delivery, newestFirst: Iterable<Delivery>): Generator<Delivery, void> {
  let isOldEnough = false
  for (const delivery of newestFirst) {
    isOldEnough ||= delivery === newest
    if (isOldEnough) yield delivery
  }
}

function* filtered(
  deliveries: Iterable<Delivery>,
  fits: (delivery: Delivery) => boolean,
): Generator<Delivery, void> {
  for (const delivery of deliveries) if (fits(delivery)) yield delivery
}

function matcherOf(filters: DeliveryFilters): (delivery: Delivery) => boolean {
  const { status, type, endpoint, intent, is_live, source } = filters
  const family = type?.endsWith('.*') === true ? type.slice(0, -1) : undefined
  const isLive = is_live === undefined ? undefined : is_live === 'true'
  return (delivery) =>
    (status === undefined || delivery.status === status) &&
    (type === undefined ||
      (family === undefined ? delivery.type === type : delivery.type.startsWith(family))) &&
    (endpoint === undefined || delivery.url === endpoint) &&
    (intent === undefined || delivery.intentId === intent) &&
    (isLive === undefined || delivery.scope.isLive === isLive) &&
    (source === undefined || delivery.source === source)
}

/** The groups are ordered by their newest delivery. A delivery without an intent is a group of its own. */
function* grouped(deliveries: Iterable<Delivery>): Generator<Delivery, void> {
  const groups = new Map<string, Delivery[]>()
  for (const delivery of deliveries) {
    const name = delivery.intentId ?? delivery.id
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [delivery])
    else group.push(delivery)
  }
  for (const group of groups.values()) yield* group
}
