import Type, { type Static } from 'typebox'
import type { Deliveries } from '../deliveries/deliveries.js'
import type { Attempt, Delivery } from '../deliveries/delivery.js'
import { isoTimestamp } from '../events/timestamps.js'
import { page, success } from '../http/envelope.js'
import { byId, operation, pageQuery, type App } from '../http/operation.js'
import { exactly, flag, oneOf, orNull, text, textOrNull, whole } from '../schema.js'
import { unknown } from '../model/refusal.js'
import type { Service } from '../service.js'

const summaryFields = {
  id: text,
  type: text,
  intent: text,
  url: text,
  status: oneOf(['pending', 'delivered', 'dead']),
  attempt_count: whole,
  next_attempt_at: textOrNull,
  is_live: flag,
  created: text,
}

export const deliverySummarySchema = exactly(summaryFields, { $id: 'DeliverySummary' })

const answer = exactly({
  status: whole,
  headers: Type.Object({}),
  body: Type.String({ description: 'The first 4096 bytes' }),
})

const attempt = exactly({
  at: text,
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String({ description: 'As it was sent' }),
  faults: Type.Array(oneOf(['tamper', 'stale'])),
  answer: orNull(answer),
  error: orNull(text, { description: 'Why there is no answer' }),
  duration_ms: Type.Number(),
})

export const deliverySchema = exactly(
  {
    ...summaryFields,
    body: Type.String({ description: 'The text whose UTF-8 bytes were signed' }),
    attempts: Type.Array(attempt),
  },
  { $id: 'Delivery' },
)

/** How many deliveries there are in each state. */
export const deliveryCounts = {
  pending: Type.Integer({ description: 'Those that are still retried' }),
  delivered: whole,
  dead: whole,
}

const resendBody = exactly({
  tamper: Type.Optional(Type.Boolean({ description: 'Change the amount after signing' })),
  stale: Type.Optional(Type.Boolean({ description: 'Sign with a time that is an hour old' })),
})

/** The deliveries to merchants, and sending one again. */
export function deliveries(app: App, service: Service): void {
  app.get(
    '/deliveries/',
    {
      schema: operation({
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
    '/deliveries/:id/',
    {
      schema: operation({
        summary: 'A delivery with all its attempts, as they were sent',
        isOwn: true,
        params: byId,
        data: deliverySchema,
      }),
    },
    ({ params }) => success(viewDelivery(getDelivery(service.deliveries, params.id))),
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
        summary: 'Send a delivery once more, and wait for the answer',
        isOwn: true,
        params: byId,
        body: resendBody,
        data: deliverySchema,
      }),
    },
    async ({ params, body }) => {
      const { deliveries } = service
      const delivery = getDelivery(deliveries, params.id)
      await deliveries.resend(delivery, body)
      return success(viewDelivery(delivery))
    },
  )
}

/** @throws {Refusal} if the id does not exist */
export function getDelivery(deliveries: Deliveries, id: string): Delivery {
  const delivery = deliveries.get(id)
  if (delivery === undefined) throw unknown('id', 'Delivery not found')
  return delivery
}

export function countDeliveries(deliveries: readonly Delivery[]) {
  const counts = { pending: 0, delivered: 0, dead: 0 }
  for (const { status } of deliveries) counts[status]++
  return counts
}

export function viewDeliverySummary(delivery: Delivery): Static<typeof deliverySummarySchema> {
  return {
    id: delivery.id,
    type: delivery.type,
    intent: delivery.intentId,
    url: delivery.url,
    status: delivery.status,
    attempt_count: delivery.attempts.length,
    next_attempt_at: delivery.nextAttemptAt === undefined ? null : isoTimestamp(delivery.nextAttemptAt),
    is_live: delivery.scope.isLive,
    created: isoTimestamp(delivery.created),
  }
}

function viewDelivery(delivery: Delivery): Static<typeof deliverySchema> {
  return {
    ...viewDeliverySummary(delivery),
    body: delivery.body,
    attempts: delivery.attempts.map(viewAttempt),
  }
}

function viewAttempt({ at, headers, body, faults, answer, error, durationMs }: Attempt) {
  return {
    at: isoTimestamp(at),
    headers: { ...headers },
    body,
    faults: [...faults],
    answer: answer ?? null,
    error: error ?? null,
    duration_ms: durationMs,
  }
}
