import { intentEvent, transactionEvent } from '@service-signature/core/testing'

export const SIZES = [1_500, 8_000, 64_000, 1_000_000]

const bytesOf = (event) => Buffer.from(JSON.stringify(event))

function labelOf(size) {
  if (size === 1_048_576) return '1 MiB'
  return size < 1_000_000 ? `${size / 1_000} KB` : `${size / 1_000_000} MB`
}

/** An event of an unknown family, because events of known families are longer than this. */
export const SMALL = {
  name: 'other, 300 B',
  shape: 'unrecognized',
  size: 300,
  body: bytesOf({
    type: 'payout.created',
    payout: {
      id: 'po_01jqbz3m8qk4w7v5e2d9xa6h1c',
      created: '2025-03-27 15:41:20.371204+00:00',
      amount: { value: 50.5, currency: 'EUR' },
      custom_fields: { order_id: '2025-03-1001', EXTERNAL_SYSTEM_LINK: 'https://shop.example/orders/1001' },
      status: 'created',
    },
    api_version: '1.1',
  }),
}

const SHAPES = {
  transaction(size) {
    const event = transactionEvent()
    const { operations } = event.transaction
    return grow(event, size, operations, operations[0], event.intent.custom_fields)
  },

  intent(size) {
    const event = intentEvent()
    const { transactions_history: history, custom_fields: fields } = event.data.intent
    return grow(event, size, history, history.splice(0)[0], fields)
  },
}

/** A realistic event of this shape, exactly `size` bytes long. */
export function eventOf(shape, size) {
  return { name: `${shape}, ${labelOf(size)}`, shape, size, body: bytesOf(SHAPES[shape](size)) }
}

/** Events of both shapes in each of these sizes. */
export function eventsOf(sizes) {
  return Object.keys(SHAPES).flatMap((shape) => sizes.map((size) => eventOf(shape, size)))
}

/** Fills an event up to `size` with copies of an item of its list, each with its own id, and then with a note. */
function grow(event, size, list, item, fields) {
  fields.note = ''
  const missing = () => size - bytesOf(event).length
  const count = Math.floor(missing() / (bytesOf(item).length + 1))
  for (let i = 0; i < count; i++) {
    const digits = String(i)
    list.push({ ...item, id: item.id.slice(0, -digits.length) + digits })
  }
  fields.note = ''.padEnd(missing(), 'Two tickets, row 7. ')
  return event
}
