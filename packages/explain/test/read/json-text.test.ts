import { describe, expect, it } from 'vitest'
import { JsonText, LAYOUTS } from '../../src/read/json-text.js'

function jsonOf(text: string): JsonText {
  return JsonText.of(Buffer.from(text))!
}

describe('a parsed JSON text', () => {
  it('prints the same text, including its white space', () => {
    const text = ' { "a" : [ 1.50 , -0e1 ,true\t],\r\n"b\\u00e9\\"":\n{ } } '
    expect(jsonOf(text).restyle({ says: [] })).toBe(text)
  })

  it('is not printed if its depth would make it too long', () => {
    const text = `${'['.repeat(200)}${'1,'.repeat(200)}1${']'.repeat(200)}`
    expect(LAYOUTS.map((layout) => jsonOf(text).print(layout) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('is undefined if it is not JSON, or nested too deep', () => {
    for (const text of ['', '{', '{"a":1,}', '['.repeat(513) + ']'.repeat(513)]) {
      expect(JsonText.of(Buffer.from(text))).toBeUndefined()
    }
  })
})
