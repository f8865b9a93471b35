import type { Attempt, Delivery } from '../deliveries/delivery.js'
import { isoTimestamp } from '../events/timestamps.js'

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }
const whole = { type: 'integer' }

const summary = {
  id: text,
  type: text,
  intent: text,
  url: text,
  status: { type: 'string', enum: ['pending', 'delivered', 'dead'] },
  attempt_count: whole,
  next_attempt_at: nullable,
  created: text,
}

export const deliverySummarySchema = {
  $id: 'DeliverySummary',
  type: 'object',
  properties: summary,
  required: Object.keys(summary),
  additionalProperties: false,
}

const answer = {
  type: ['object', 'null'],
  properties: {
    status: whole,
    headers: { type: 'object' },
    body: { ...text, description: 'The first 4096 bytes' },
  },
  required: ['status', 'headers', 'body'],
  additionalProperties: false,
}

const attempt = {
  at: text,
  headers: { type: 'object', additionalProperties: text },
  body: { ...text, description: 'As it was sent' },
  faults: { type: 'array', items: { type: 'string', enum: ['tamper', 'stale'] } },
  answer,
  error: { ...nullable, description: 'Why there is no answer' },
  duration_ms: { type: 'number' },
}

export const deliverySchema = {
  $id: 'Delivery',
  type: 'object',
  properties: {
    ...summary,
    body: { ...text, description: 'The text whose UTF-8 bytes were signed' },
    attempts: {
      type: 'array',
      items: {
        type: 'object',
        properties: attempt,
        required: Object.keys(attempt),
        additionalProperties: false,
      },
    },
  },
  required: [...Object.keys(summary), 'body', 'attempts'],
  additionalProperties: false,
}

/** How many deliveries there are in each state. */
export const deliveryCounts = {
  pending: { ...whole, description: 'Those that are still tried' },
  delivered: whole,
  dead: whole,
}

export function countDeliveries(deliveries: readonly Delivery[]) {
  const counts = { pending: 0, delivered: 0, dead: 0 }
  for (const { status } of deliveries) counts[status]++
  return counts
}

export function viewDeliverySummary(delivery: Delivery) {
  return {
    id: delivery.id,
    type: delivery.type,
    intent: delivery.intentId,
    url: delivery.url,
    status: delivery.status,
    attempt_count: delivery.attempts.length,
    next_attempt_at: delivery.nextAttemptAt === undefined ? null : isoTimestamp(delivery.nextAttemptAt),
    created: isoTimestamp(delivery.created),
  }
}

export function viewDelivery(delivery: Delivery) {
  return {
    ...viewDeliverySummary(delivery),
    body: delivery.body,
    attempts: delivery.attempts.map(viewAttempt),
  }
}

function viewAttempt({ at, headers, body, faults, answer, error, durationMs }: Attempt) {
  return {
    at: isoTimestamp(at),
    headers,
    body,
    faults,
    answer: answer ?? null,
    error: error ?? null,
    duration_ms: durationMs,
  }
}
