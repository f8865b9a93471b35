import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/exit.js'
import { parseSetting, textWith } from '../../src/send/set.js'

function set(payload: object, ...settings: readonly string[]): string {
  return textWith(payload, settings.map(parseSetting), 'ecmascript')
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
      says: '--set must be path=value, such as intent.amount.value=10.0, and is "a".',
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
    expect(call).toThrow(UsageError)
    expect(call).toThrow(says)
  })
})
