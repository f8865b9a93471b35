import { describe, expect, it } from 'vitest'
import { printJson } from '../../page/parts/json-text.js'

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
})
