import { intentEvent } from '@service-signature/core/testing'

const SIZES = [300, 1_500, 8_000, 64_000, 1_000_000]

/** Bodies of the sizes that the design names, with the look of a transaction event (S6.6, shape A). */
export const bodies = bodiesOf(SIZES, transaction)

/** Bodies that are events in full, of both shapes. */
export const events = {
  transaction: bodiesOf(SIZES.slice(1), transaction),
  intent: bodiesOf(SIZES.slice(1), intent),
}

/**
 * @param {number[]} sizes
 * @param {(size: number) => object} event
 */
function bodiesOf(sizes, event) {
  return new Map(sizes.map((size) => [size, Buffer.from(JSON.stringify(event(size)))]))
}

/**
 * The more often it was tried to pay the intent, the longer the event.
 *
 * @param {number} size
 */
function intent(size) {
  const event = intentEvent()
  const { active_transaction: attempt } = event.data.intent
  const left = Math.max(0, size - JSON.stringify(event).length)
  for (let i = 0; i < Math.round(left / JSON.stringify(attempt).length); i++) {
    event.data.intent.transactions_history.push(attempt)
  }
  return event
}

/** @param {number} size */
function transaction(size) {
  const amount = { value: 50.5, currency: 'EUR' }
  const created = '2025-03-27 15:41:20.000000+00:00'
  if (size < 500) return { type: 'transaction.purchase.successful', intent: { id: 'int_1', created, amount } }
  const operation = {
    id: 'op_0198c0ad',
    type: 'purchase',
    status: 'successful',
    amount,
    statuses: [{ id: 'st_0198c0ad', value: 'successful', created }],
  }
  return {
    type: 'transaction.purchase.successful',
    status_id: 'st_0198c0ad',
    intent: {
      id: 'int_0198c0ad-1c3f-7000-8000-5d1c2f3a4b5c',
      created,
      custom_fields: {
        EXTERNAL_SYSTEM_LINK: 'https://shop.example/orders/1001',
        ExtendedDescription: 'Two tickets',
      },
      custom_form_answers: null,
      amount,
    },
    account: { id: 'acc_0198c0ad' },
    transaction: {
      type: 'payment',
      id: '0198c0ad-1c3f-7000-8000-5d1c2f3a4b5d',
      created,
      status: 'purchase.successful',
      billing_data: {
        first_name: 'Jane',
        last_name: 'Doe',
        email: 'jane@example.com',
        phone_number: '+3725555555',
      },
      external_action_message: [],
      operations: Array.from({ length: Math.max(1, Math.round((size - 880) / 187)) }, () => operation),
      custom_message: 'Thank you for your order',
      method: { id: 'card', display_name: 'Credit card', service_provider: { id: 'sp_0198c0ad' } },
    },
    api_version: '1.1',
  }
}
