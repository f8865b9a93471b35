import { describe, expect, it } from 'vitest'
import { setFields } from '../src/commands/set-fields.js'

const event = {
  type: 'transaction.purchase.successful',
  intent: { id: 'int_1', amount: { value: 10, currency: 'EUR' } },
  transaction: { operations: [{ amount: { value: 10, currency: 'EUR' } }, null], note: null },
}

const transaction = { amount: '10.50', amount_currency: 'EUR', message: '10.50 EUR' }
const paid = {
  type: 'intent.processed',
  data: {
    intent: {
      amount: 10.5,
      is_live: false,
      custom_fields: { order: '1001', amount: '10.50 EUR', note: null },
      active_transaction: transaction,
      transactions_history: [transaction, { ...transaction, amount: '1050' }],
    },
  },
}

describe('a name without a path', () => {
  it('changes a number where there is a number, keeps decimal text as text with its decimals, and leaves other text', () => {
    const changed = { ...transaction, amount: '20.00' }
    expect(setFields(paid, ['amount=20'])).toEqual({
      ...paid,
      data: {
        intent: {
          ...paid.data.intent,
          amount: 20,
          active_transaction: changed,
          transactions_history: [changed, { ...transaction, amount: '20' }],
        },
      },
    })
  })

  it('keeps a decimal text decimal, and changes other text', () => {
    const changed = setFields(paid, ['amount=abc']) as typeof paid
    expect(changed.data.intent.active_transaction).toEqual(transaction)
    expect(changed.data.intent.custom_fields.amount).toBe('abc')
    expect(setFields(paid, ['amount="7.00"'])).toMatchObject({
      data: { intent: { amount: 10.5, active_transaction: { amount: '7.00' } } },
    })
  })

  it('leaves an amount whose value has another kind', () => {
    expect(() => setFields(event, ['amount=abc'])).toThrow('no "amount" of the event is a text')
  })

  it.each([
    ['a number that is text', 'order=1002', { custom_fields: { order: '1002' } }],
    ['text by text', 'order=A-1', { custom_fields: { order: 'A-1' } }],
    ['a flag by a flag', 'is_live=true', { is_live: true }],
    ['nothing by anything', 'note=7', { custom_fields: { note: 7 } }],
    ['anything by nothing', 'active_transaction=null', { active_transaction: null }],
    ['an object by an object', 'custom_fields={"a":1}', { custom_fields: { a: 1 } }],
    ['a list by a list', 'transactions_history=[]', { transactions_history: [] }],
  ])('changes %s', (_what, setting, intent) => {
    expect(setFields(paid, [setting])).toMatchObject({ data: { intent } })
  })

  it.each([
    [
      'is_live=1',
      '--set is_live=1: no "is_live" of the event is a number. Give the whole path to change its kind.',
    ],
    [
      'is_live=no',
      '--set is_live=no: no "is_live" of the event is a text. Give the whole path to change its kind.',
    ],
    [
      'message=7',
      '--set message=7: no "message" of the event is a number. Give the whole path to change its kind.',
    ],
    [
      'message=true',
      '--set message=true: no "message" of the event is a boolean. Give the whole path to change its kind.',
    ],
    [
      'custom_fields=[]',
      '--set custom_fields=[]: no "custom_fields" of the event is a list. Give the whole path to change its kind.',
    ],
    [
      'transactions_history={}',
      '--set transactions_history={}: no "transactions_history" of the event is an object. Give the whole path to change its kind.',
    ],
    [
      'active_transaction=x',
      '--set active_transaction=x: no "active_transaction" of the event is a text. Give the whole path to change its kind.',
    ],
    ['amount=20.555', '--set amount=20.555 has more decimals than "10.50" of the event'],
    ['amount=1e30', '--set amount=1e30 is too large for "10.50" of the event'],
  ])('is an error if no field has the kind of the value: %s', (setting, message) => {
    expect(() => setFields(paid, [setting])).toThrow(new TypeError(message))
  })
})

describe('setFields', () => {
  it('changes an amount wherever it appears, and keeps its currency', () => {
    expect(setFields(event, ['amount=20'])).toEqual({
      ...event,
      intent: { id: 'int_1', amount: { value: 20, currency: 'EUR' } },
      transaction: { operations: [{ amount: { value: 20, currency: 'EUR' } }, null], note: null },
    })
    expect(event.intent.amount.value).toBe(10)
  })

  it('takes JSON, and text that is not JSON as text', () => {
    const settings = ['amount={"value":1}', 'note=it is = here', 'intent.id="7"', 'type=']
    expect(setFields(event, settings)).toMatchObject({
      type: '',
      intent: { id: '7', amount: { value: 1 } },
      transaction: { note: 'it is = here' },
    })
  })

  it('changes a field at the top by its name alone', () => {
    expect(setFields(event, ['type=dispute.opened', 'intent=null'])).toMatchObject({
      type: 'dispute.opened',
      intent: null,
    })
  })

  it('follows a path, into lists too, and adds what is missing', () => {
    expect(setFields(event, ['transaction.operations.1=2', 'intent.custom.order=7'])).toMatchObject({
      intent: { id: 'int_1', custom: { order: 7 } },
      transaction: { operations: [{}, 2] },
    })
  })

  it('treats __proto__ as a field', () => {
    const changed = setFields(event, ['intent.__proto__=1']) as typeof event
    expect(Object.hasOwn(changed.intent, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(changed.intent)).toBe(Object.prototype)
  })

  it.each([
    ['amount', '--set must be path=value, such as amount=20, got "amount"'],
    ['=20', '--set must be path=value, such as amount=20, got "=20"'],
    ['amunt=20', 'The event has no "amunt". Give the whole path, such as --set intent.amount.value=20'],
    ['intent.id.x=1', '--set cannot change "intent.id.x": "x" is not in an object'],
  ])('refuses %s', (setting, message) => {
    expect(() => setFields(event, [setting])).toThrow(new TypeError(message))
  })
})
