import { describe, expect, it } from 'vitest'
import { intentEvent, transactionEvent } from '../../src/testing.js'

describe('event factories', () => {
  it('return an equal payload every time, as a new object', () => {
    const first = transactionEvent()
    expect(transactionEvent()).toEqual(first)
    first.intent.amount.value = 1
    first.transaction.billing_data = null
    expect(first.transaction.operations![0]!.amount.value).toBe(50.5)
    expect(transactionEvent().intent.amount.value).toBe(50.5)

    const intent = intentEvent()
    intent.data.intent.active_transaction!.status = 'FAILED'
    intent.data.intent.billing_data!.email = null
    expect(intent.data.intent.transactions_history![0]!.status).toBe('SUCCESSFUL')
    expect(intent.data.intent.active_transaction!.billing_data!.email).toBe('jane.doe@example.com')
    expect(intentEvent().data.intent.active_transaction!.status).toBe('SUCCESSFUL')
  })

  it('accept overrides at any depth, and keep the rest', () => {
    const given = transactionEvent({
      type: 'transaction.purchase.failed',
      intent: { amount: { value: 7.1 } },
    })
    const { type, intent, ...rest } = transactionEvent()
    expect(type).toBe('transaction.purchase.successful')
    expect(given).toEqual({
      ...rest,
      type: 'transaction.purchase.failed',
      intent: { ...intent, amount: { value: 7.1, currency: 'EUR' } },
    })
  })

  it('replace a field with a list or null as a whole', () => {
    expect(transactionEvent({ transaction: { operations: [] } }).transaction.operations).toEqual([])
    expect(
      intentEvent({ data: { intent: { active_transaction: null } } }).data.intent.active_transaction,
    ).toBe(null)
  })

  it('keep fields of any name', () => {
    const custom_fields = JSON.parse('{"__proto__":{"a":1},"10":2}') as Record<string, unknown>
    const { intent } = transactionEvent({ intent: { custom_fields } })
    expect(JSON.stringify(intent.custom_fields)).toBe(
      '{"10":2,"order_id":"1001","EXTERNAL_SYSTEM_LINK":"https://shop.example/orders/1001","__proto__":{"a":1}}',
    )
    expect(Object.hasOwn({}, 'a')).toBe(false)
  })
})
