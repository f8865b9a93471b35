/** Bodies of the sizes that the design names, with the look of a transaction event (S6.6). */
export const bodies = new Map(
  [300, 1_500, 8_000, 64_000, 1_000_000].map((size) => [size, Buffer.from(JSON.stringify(event(size)))]),
)

/** @param {number} size */
function event(size) {
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
