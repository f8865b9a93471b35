import { describe, expect, it } from 'vitest'
import { pairFields, readJson, type JsonNode } from '../../page/json/json-tree.js'

function treeOf(text: string): JsonNode {
  const read = readJson(text)
  if ('problem' in read) throw new Error(read.problem.message)
  return read.tree
}

describe('readJson', () => {
  it('keeps numbers and texts as they are written', () => {
    const text = ' {"amount": 10.0, "name": "Zo\\u00eb", "list": [1e3, -0, true, null], "empty": {}} '
    expect(treeOf(text)).toEqual({
      kind: 'object',
      entries: [
        { key: '"amount"', value: { kind: 'number', raw: '10.0' } },
        { key: '"name"', value: { kind: 'text', raw: '"Zo\\u00eb"' } },
        {
          key: '"list"',
          value: {
            kind: 'array',
            items: [
              { kind: 'number', raw: '1e3' },
              { kind: 'number', raw: '-0' },
              { kind: 'word', raw: 'true' },
              { kind: 'word', raw: 'null' },
            ],
          },
        },
        { key: '"empty"', value: { kind: 'object', entries: [] } },
      ],
    })
  })

  it('keeps a name that occurs twice', () => {
    expect(treeOf('{"a": 1, "a": 2}')).toMatchObject({ entries: [{ key: '"a"' }, { key: '"a"' }] })
  })

  it.each([
    ['', 'Expected a value, the text ends', 1, 1],
    ['{"a": 1,\n  b: 2}', 'Expected a name in double quotes, got "b"', 2, 3],
    ['{"a" 1}', 'Expected ":", got "1"', 1, 6],
    ['{"a": 1 "b": 2}', 'Expected "," or "}", got "\\""', 1, 9],
    ['[1, 2', 'Expected "," or "]", the text ends', 1, 6],
    ['[1,]', 'Expected a value, got "]"', 1, 4],
    ['{"a": 01}', 'Expected "," or "}", got "1"', 1, 8],
    ["{'a': 1}", 'Expected a name in double quotes, got "\'"', 1, 2],
    ['1 2', 'Expected the end, got "2"', 1, 3],
    ['"a\nb"', 'Expected an escaped character, got "\\n"', 1, 3],
    ['"\\x"', 'Expected a value, got "\\""', 1, 1],
    ['['.repeat(300), 'Nested more than 200 levels deep', 1, 202],
  ])('says what is wrong with %s, and where', (text, message, line, column) => {
    expect(readJson(text)).toEqual({ problem: { message, line, column } })
  })

  it.each([
    '{"a": [1, "x", {"b": null}]}',
    '"text"',
    '12.50',
    '[]',
    '{',
    '{"a": tru}',
    '[1 2]',
    'nul',
    '"\\ud83d"',
  ])('agrees with JSON.parse on whether %s is JSON', (text) => {
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    expect('tree' in readJson(text)).toBe(isJson)
  })
})

describe('pairFields', () => {
  it('pairs every field by its path', () => {
    const left = treeOf('{"id": 1, "data": {"amount": 10.0, "items": [1, 2]}, "none": {}, "list": []}')
    const right = treeOf('{"data": {"amount": 10, "items": [1]}, "id": 1, "none": {}, "x-y": "z"}')
    expect(pairFields(left, right)).toEqual([
      { path: 'id', left: '1', right: '1' },
      { path: 'data.amount', left: '10.0', right: '10' },
      { path: 'data.items[0]', left: '1', right: '1' },
      { path: 'data.items[1]', left: '2', right: undefined },
      { path: 'none', left: '{}', right: '{}' },
      { path: 'list', left: '[]', right: undefined },
      { path: '["x-y"]', left: undefined, right: '"z"' },
    ])
  })

  it('compares values that are not objects as one field without a path', () => {
    expect(pairFields(treeOf('1'), treeOf('"1"'))).toEqual([{ path: '', left: '1', right: '"1"' }])
  })
})
