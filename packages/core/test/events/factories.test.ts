import { describe, expect, it } from 'vitest'
import { intentEvent, transactionEvent } from '../../src/entries/testing.js'

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
    expect(intent.data.intent.active_transaction!.billing_data).toHaveProperty(
      'email',
      'jane.doe@example.com',
    )
    expect(intentEvent().data.intent.active_transaction!.status).toBe('SUCCESSFUL')
  })

  it('accept overrides at any depth, and keep the rest', () => {
    const given = transactionEvent({ intent: { amount: { value: 7.1 } } })
    const { intent, ...rest } = transactionEvent()
    expect(given).toEqual({ ...rest, intent: { ...intent, amount: { value: 7.1, currency: 'EUR' } } })
  })

  it.each([
    ['transaction.purchase.successful', 'purchase', 'successful'],
    ['transaction.purchase.failed', 'purchase', 'failed'],
    ['transaction.refund.pending', 'refund', 'pending'],
  ] as const)(
    'give a transaction event of the type %s the statuses of that type',
    (type, operation, status) => {
      const { transaction, ...rest } = transactionEvent({ type })
      expect(rest.type).toBe(type)
      expect(transaction.status).toBe(`${operation}.${status}`)
      expect(transaction.operations).toMatchObject([
        { type: operation, status, statuses: [{ value: status }] },
      ])
    },
  )

  it('keep the statuses that are given together with a type', () => {
    const { transaction } = transactionEvent({
      type: 'transaction.purchase.failed',
      transaction: { status: 'purchase.declined' },
    })
    expect(transaction.status).toBe('purchase.declined')
    expect(transaction.operations![0]!.status).toBe('failed')
  })

  it('keep their own statuses with a type that names none', () => {
    expect(transactionEvent({ type: 'transaction.odd' }).transaction.status).toBe('purchase.successful')
    expect(intentEvent({ type: 'intent.' }).data.intent.status).toBe('PROCESSED')
  })

  it('give an intent event the status of its type, and leave its transactions', () => {
    expect(intentEvent({ type: 'intent.processed' })).toEqual(intentEvent())
    const { intent } = intentEvent({ type: 'intent.canceled' }).data
    expect(intent.status).toBe('CANCELED')
    expect(intent.active_transaction!.status).toBe('SUCCESSFUL')
    const given = intentEvent({ type: 'intent.canceled', data: { intent: { status: 'VOID' } } })
    expect(given.data.intent.status).toBe('VOID')
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
