import { describe, expect, it } from 'vitest'
import { jsonProblem } from '../server/events/json-problem.js'

const early = (line: number, column: number) =>
  `It is not JSON: the text ends too early, at line ${line}, column ${column}.`
const from = (line: number, column: number) => `It is not JSON from line ${line}, column ${column} on.`

describe('jsonProblem', () => {
  it.each([
    ['', early(1, 1)],
    [' \n ', early(2, 2)],
    ['{', early(1, 2)],
    ['{"a"', early(1, 5)],
    ['{"a":', early(1, 6)],
    ['{"a":1', early(1, 7)],
    ['[1,', early(1, 4)],
    ['{"a":1,}', from(1, 8)],
    ['{\n  "a": 1,\n  b: 2\n}', from(3, 3)],
    ['{"a" 1}', from(1, 6)],
    ['{1:1}', from(1, 2)],
    ['[1 2]', from(1, 4)],
    ['[1}', from(1, 3)],
    ['[,]', from(1, 2)],
    ['[1,]', from(1, 4)],
    ['{]', from(1, 2)],
    ['1 2', from(1, 3)],
    ['{} {}', from(1, 4)],
    ["{'a':1}", from(1, 2)],
    ['{"a":"line\nbreak"}', from(1, 6)],
    ['{"a":"\\x"}', from(1, 6)],
    ['[TRUE]', from(1, 2)],
    ['[01]', from(1, 3)],
    ['[1.]', from(1, 3)],
    ['[.5]', from(1, 2)],
    ['[+1]', from(1, 2)],
    ['\ufeff{}', from(1, 1)],
    ['[\u00a01]', from(1, 2)],
  ])('%j', (text, problem) => {
    expect(jsonProblem(text)).toBe(problem)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  })

  it.each([
    '0',
    ' null ',
    '"text \\u00e9 \\" \\\\ \u2028 \u{1f600}"',
    '[]',
    '{}',
    '[[],{}]',
    '{"a":[1,-0.5e+10,true,false,null,{"b":{}}],"a":""}\r\n\t',
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  ])('finds nothing in %j', (text) => {
    expect(jsonProblem(text)).toBeUndefined()
    expect(() => JSON.parse(text) as unknown).not.toThrow()
  })
})
