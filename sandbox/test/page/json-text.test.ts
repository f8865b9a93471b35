import { expect, it } from 'vitest'
import { printJson } from '../../page/parts/json-text.js'

const PRINTED = String.raw`{
  "amount": 10.0,
  "name": "Zo\u00eb \"{,}\"",
  "list": [
    1e3,
    -0,
    true
  ],
  "a": 1,
  "a": {},
  "b": []
}`

it('printJson keeps numbers, escapes and a name that occurs twice as they are written', () => {
  expect(printJson(PRINTED)).toBe(PRINTED)
  expect(printJson(PRINTED.replace(/\n */g, '').replace('[]', '[ ]'))).toBe(PRINTED)
})
