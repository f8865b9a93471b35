import { expect, it } from 'vitest'
import { jsonProblem } from '../../server/events/json-problem.js'

it.each([
  ['', '1 1'],
  [' \n ', '2 2'],
  ['{', '1 2'],
  ['{"a"', '1 5'],
  ['{"a":', '1 6'],
  ['{"a":1', '1 7'],
  ['[1,', '1 4'],
])('a text that ends too early is not JSON: %j, at %s', (text, place) => {
  const [line, column] = place.split(' ')
  expect(jsonProblem(text)).toBe(
    `It is not JSON: the text ends too early, at line ${line}, column ${column}.`,
  )
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
})

it.each([
  ['{"a":1,}', '1 8'],
  ['{\n  "a": 1,\n  b: 2\n}', '3 3'],
  ['{"a" 1}', '1 6'],
  ['{1:1}', '1 2'],
  ['[1 2]', '1 4'],
  ['[1}', '1 3'],
  ['[,]', '1 2'],
  ['{]', '1 2'],
  ['1 2', '1 3'],
  ["{'a':1}", '1 2'],
  ['{"a":"line\nbreak"}', '1 6'],
  ['{"a":"\\x"}', '1 6'],
  ['[TRUE]', '1 2'],
  ['[01]', '1 3'],
  ['[.5]', '1 2'],
  ['\ufeff{}', '1 1'],
])('a text is not JSON from a place on: %j, %s', (text, place) => {
  const [line, column] = place.split(' ')
  expect(jsonProblem(text)).toBe(`It is not JSON from line ${line}, column ${column} on.`)
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
})

it.each([
  ' null ',
  '"text \\u00e9 \\" \\\\ \u2028 \u{1f600}"',
  '{"a":[1,-0.5e+10,true,false,null,{"b":{}}],"a":""}\r\n\t',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
])('JSON has no problem: %j', (text) => {
  expect(jsonProblem(text)).toBeUndefined()
  expect(() => JSON.parse(text) as unknown).not.toThrow()
})
