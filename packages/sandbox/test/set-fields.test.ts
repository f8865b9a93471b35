import { describe, expect, it } from 'vitest'
import { setFields } from '../src/commands/set-fields.js'

const event = {
  type: 'transaction.purchase.successful',
  intent: { id: 'int_1', amount: { value: 10, currency: 'EUR' } },
  transaction: { operations: [{ amount: { value: 10, currency: 'EUR' } }, null], note: null },
}

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
