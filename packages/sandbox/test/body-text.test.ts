import { describe, expect, it } from 'vitest'
import { BodyText } from '../src/deliveries/body-text.js'

const event = (id: string, name = 'Jane') =>
  JSON.stringify({ type: 'intent.processed', version: '1.4', id, customer: { name, note: null }, amount: 10 })

describe('BodyText', () => {
  it.each([
    [''],
    ['{}'],
    ['"'],
    ['""""'],
    ['no JSON at all'],
    [event('int_1')],
    [event('')],
    [event('with "quotes" and \\ and \u20ac')],
    [event('x'.repeat(10_000))],
  ])('is the text that it was made of: %j', (text) => {
    // What came before must not matter.
    for (let count = 0; count < 3; count++) {
      expect(String(new BodyText(text))).toBe(text)
      expect(String(new BodyText(event(`int_${count}`)))).toBe(event(`int_${count}`))
    }
  })

  it('keeps of a body what others of its kind do not have', () => {
    const kind = (own_id: string, own_name = 'Jane') =>
      JSON.stringify({ own_type: 'kept', own_id, own_customer: { own_name, own_note: null }, own_amount: 10 })
    const [, second, third] = ['a', 'b', 'c'].map((id) => new BodyText(kind(id)))
    expect([second!.own, third!.own]).toEqual(['b', 'c'])
    const renamed = new BodyText(kind('d', 'Joe'))
    expect(renamed.own).toBe('d"Joe')
    expect(new BodyText(kind('e')).own).toBe('e"Jane')
    expect([second, third, renamed].map(String)).toEqual([kind('b'), kind('c'), kind('d', 'Joe')])
  })

  it('does not take bodies of different kinds as one, though they have the same number of parts', () => {
    const other = (id: string) => event(id).replaceAll(/[a-z]+/g, (word) => word.toUpperCase())
    const texts = ['1', '2', '3'].flatMap((id) => [event(id), other(id)])
    const bodies = texts.map((text) => new BodyText(text))
    expect(bodies.map(String)).toEqual(texts)
    expect(bodies.slice(-2).map(({ own }) => own.length < 10)).toEqual([true, true])
  })

  it('forgets kinds that have not appeared for long, and still has their bodies', () => {
    const first = ['a', 'b'].map((id) => new BodyText(event(id)))[1]!
    const kinds = Array.from({ length: 150 }, (_, count) => JSON.stringify(Array(count).fill('text')))
    expect(kinds.map((text) => String(new BodyText(text)))).toEqual(kinds)
    expect(String(first)).toBe(event('b'))
    expect(new BodyText(event('after')).own).toBe(event('after'))
  })

  it('has every text without a quotation mark in what is searched', () => {
    for (const text of [event('int_1'), event('int_2'), event('x'.repeat(10_000)), 'plain']) {
      const { own, shared } = new BodyText(text)
      for (const part of text.split('"')) expect(own.includes(part) || shared.includes(part)).toBe(true)
    }
  })
})
