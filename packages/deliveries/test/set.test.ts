import { describe, expect, it } from 'vitest'
import { parseSetting, printedWith, settingsFor, withSettings } from '../src/node.js'

function set(payload: object, ...settings: readonly string[]): string {
  return printedWith(payload, settings.map(parseSetting), 'ecmascript')
}

describe('--set path=value', () => {
  it.each([
    { what: 'a number keeps its digits', setting: 'a=10.0', text: '{"a":10.0,"b":2}' },
    {
      what: 'a number of any size',
      setting: 'a=12345678901234567890e-7',
      text: '{"a":12345678901234567890e-7,"b":2}',
    },
    {
      what: 'JSON as it is written',
      setting: 'a={"x": [1.50, "\\u00e9"]}',
      text: '{"a":{"x": [1.50, "\\u00e9"]},"b":2}',
    },
    { what: 'JSON text', setting: 'a="5"', text: '{"a":"5","b":2}' },
    { what: 'null', setting: 'a=null', text: '{"a":null,"b":2}' },
    { what: 'text', setting: 'a=Jane "J" Doe', text: '{"a":"Jane \\"J\\" Doe","b":2}' },
    { what: 'text with the sign in it', setting: 'a=b=c', text: '{"a":"b=c","b":2}' },
    { what: 'nothing, which is text', setting: 'a=', text: '{"a":"","b":2}' },
    { what: 'what a replacement would take for a pattern', setting: "a=$&$'", text: '{"a":"$&$\'","b":2}' },
    { what: 'a number that is not one in JSON', setting: 'a=007', text: '{"a":"007","b":2}' },
    { what: 'a new field', setting: 'c=1', text: '{"a":1,"b":2,"c":1}' },
    { what: 'a new field in a new object', setting: 'c.d.e=1', text: '{"a":1,"b":2,"c":{"d":{"e":1}}}' },
    { what: 'a field of that name', setting: '__proto__=1', text: '{"a":1,"b":2,"__proto__":1}' },
    {
      what: 'a field in one of that name',
      setting: '__proto__.x=1',
      text: '{"a":1,"b":2,"__proto__":{"x":1}}',
    },
    {
      what: 'a field that every object has',
      setting: 'constructor.x=1',
      text: '{"a":1,"b":2,"constructor":{"x":1}}',
    },
  ])('$what', ({ setting, text }) => {
    expect(set({ a: 1, b: 2 }, setting)).toBe(text)
  })

  it('goes into objects and arrays, and adds to an array', () => {
    const payload = { a: { list: [{ x: 1, y: 2 }, 5] } }
    expect(set(payload, 'a.list.0.y=7', 'a.list.1=6', 'a.list.2=new')).toBe(
      '{"a":{"list":[{"x":1,"y":7},6,"new"]}}',
    )
    expect(payload).toEqual({ a: { list: [{ x: 1, y: 2 }, 5] } })
  })

  it('adds an object to an array', () => {
    expect(set({ list: [] }, 'list.0.id=1')).toBe('{"list":[{"id":1}]}')
  })

  it('of two for one path the last holds, and many do not get in each other\u2019s way', () => {
    const many = Array.from({ length: 12 }, (_, i) => `f${i}=${i}.0`)
    expect(set({}, 'f0=x', ...many)).toBe(
      `{${Array.from({ length: 12 }, (_, i) => `"f${i}":${i}.0`).join()}}`,
    )
  })
})

describe('--set is refused', () => {
  it.each([
    {
      fault: 'no value',
      setting: 'a',
      says: '--set must be path=value, such as intent.amount.value=10.0, got "a".',
    },
    { fault: 'no path', setting: '=5', says: '--set must be path=value' },
    { fault: 'an empty name in the path', setting: 'a..b=5', says: '--set must be path=value' },
    {
      fault: 'a way through a number',
      setting: 'n.x=5',
      says: '--set cannot set "x": its parent is not an object.',
    },
    { fault: 'a way through null', setting: 'z.x.y=5', says: '--set cannot set "x.y"' },
    {
      fault: 'a name in an array',
      setting: 'list.x=5',
      says: '--set cannot go to "x" of an array: it has 2 items, from 0',
    },
    {
      fault: 'a place past the end of an array',
      setting: 'list.3=5',
      says: '--set cannot go to "3" of an array',
    },
    { fault: 'a negative place', setting: 'list.-1=5', says: '--set cannot go to "-1" of an array' },
  ])('$fault', ({ setting, says }) => {
    const call = () => set({ n: 1, z: null, list: [1, 2] }, setting)
    expect(call).toThrow(TypeError)
    expect(call).toThrow(says)
  })
})

/** The event after settings of which each may be a name without a path. */
function setFields(payload: unknown, settings: readonly string[]): unknown {
  return settings.reduce((changed, text) => withSettings(changed, settingsFor(changed, text)), payload)
}

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

describe('settings, one after the other', () => {
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
    ['amount', '--set must be path=value, such as intent.amount.value=10.0, got "amount".'],
    ['=20', '--set must be path=value, such as intent.amount.value=10.0, got "=20".'],
    ['amunt=20', 'The event has no "amunt". Give the whole path, such as --set intent.amount.value=20'],
    ['intent.id.x=1', '--set cannot set "x": its parent is not an object.'],
  ])('refuses %s', (setting, message) => {
    expect(() => setFields(event, [setting])).toThrow(new TypeError(message))
  })
})

it('a name without a path keeps JSON as it is written, but for decimal text', () => {
  const text = printedWith(paid, settingsFor(paid, 'amount=20.00'), 'python')
  expect(text).toContain('"amount":20.00,')
  expect(text).toContain('"active_transaction":{"amount":"20.00",')
})
