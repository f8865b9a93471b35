import { intentEvent, transactionEvent } from '@service-signature/core/testing'

/** The bodies that the design names: a small event of no known family, then both shapes of S6.6 in four sizes. */
export const SIZES = [1_500, 8_000, 64_000, 1_000_000]
export const SMALL = { name: 'other, 300 B', shape: 'unrecognized', size: 300, body: bytesOf(payoutEvent()) }

const SHAPES = { transaction: growTransaction, intent: growIntent }

/**
 * Real-looking events of both shapes, of these sizes.
 *
 * @param {number[]} sizes
 */
export function eventsOf(sizes) {
  return Object.keys(SHAPES).flatMap((shape) => sizes.map((size) => eventOf(shape, size)))
}

/**
 * @param {keyof typeof SHAPES} shape
 * @param {number} size
 */
export function eventOf(shape, size) {
  return { name: `${shape}, ${labelOf(size)}`, shape, size, body: bytesOf(SHAPES[shape](size)) }
}

/** @param {number} size */
function labelOf(size) {
  return size < 1_000_000 ? `${size / 1_000} KB` : `${size / 1_000_000} MB`
}

/** @param {object} event */
function bytesOf(event) {
  return Buffer.from(JSON.stringify(event))
}

/** No event of S6.6 is this small. */
function payoutEvent() {
  return {
    type: 'payout.created',
    payout: {
      id: 'po_01jqbz3m8qk4w7v5e2d9xa6h1c',
      created: '2025-03-27 15:41:20.371204+00:00',
      amount: { value: 50.5, currency: 'EUR' },
      custom_fields: { order_id: '2025-03-1001', EXTERNAL_SYSTEM_LINK: 'https://shop.example/orders/1001' },
      status: 'created',
    },
    api_version: '1.1',
  }
}

/**
 * The more operations there were, the longer the event.
 *
 * @param {number} size
 */
function growTransaction(size) {
  const event = transactionEvent()
  const { operations } = event.transaction
  grow(event, size, operations, operations[0], event.intent.custom_fields)
  return event
}

/**
 * The more often it was tried to pay the intent, the longer the event.
 *
 * @param {number} size
 */
function growIntent(size) {
  const event = intentEvent()
  const { transactions_history: history, custom_fields: fields } = event.data.intent
  const [attempt] = history.splice(0)
  grow(event, size, history, attempt, fields)
  return event
}

/**
 * Adds copies of an item, each with an id of its own, and then a note, until the event is as long as it is to be.
 *
 * @param {object} event
 * @param {number} size
 * @param {{ id: string }[]} list
 * @param {{ id: string }} item
 * @param {Record<string, string>} fields
 */
function grow(event, size, list, item, fields) {
  fields.note = ''
  const missing = () => size - JSON.stringify(event).length
  const count = Math.floor(missing() / (JSON.stringify(item).length + 1))
  for (let i = 0; i < count; i++) {
    const digits = String(i)
    list.push({ ...item, id: item.id.slice(0, -digits.length) + digits })
  }
  fields.note = ''.padEnd(missing(), 'Two tickets, row 7. ')
}
