import { describe, expect, it } from 'vitest'
import { jsonProblem, printJson } from '../../page/parts/json-text.js'

describe('printJson', () => {
  it('keeps numbers, escapes and a name that occurs twice as they are written', () => {
    const text =
      ' {"amount": 10.0, "name":"Zo\\u00eb \\"{,}\\"" ,"list": [1e3, -0,true], "a":1,"a":{},"b":[ ]} '
    expect(printJson(text)).toBe(
      [
        '{',
        '  "amount": 10.0,',
        '  "name": "Zo\\u00eb \\"{,}\\"",',
        '  "list": [',
        '    1e3,',
        '    -0,',
        '    true',
        '  ],',
        '  "a": 1,',
        '  "a": {},',
        '  "b": []',
        '}',
      ].join('\n'),
    )
  })

  it.each(['"text"', '12.50', '[]', '{"a": [1, "x, y", {"b": null}]}'])(
    'prints %s as JSON.stringify does, but for its spelling',
    (text) => {
      expect(JSON.parse(printJson(text))).toEqual(JSON.parse(text))
      if (text !== '12.50') expect(printJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
    },
  )
})

describe('jsonProblem', () => {
  it('says what is wrong, and where', () => {
    expect(jsonProblem('{"a": 1,\n  b: 2}')).toMatch(/property name.*position 11/)
    expect(jsonProblem('{"a": 1}')).toBeUndefined()
  })
})
