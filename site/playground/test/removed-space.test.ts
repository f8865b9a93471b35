import { expect, it } from 'vitest'
import { removedSpace, V1_REMOVES, V2_REMOVES } from '../src/removed-space.js'

const removed = (text: string, version = V1_REMOVES) => removedSpace(Buffer.from(text), version)

it('splits the body into what is signed and what is removed', () => {
  expect(removed('{"a": 1,\r\n\t"\u00e9 b":2}').stretches).toEqual([
    { text: '{"a":', isRemoved: false },
    { text: ' ', isRemoved: true },
    { text: '1,', isRemoved: false },
    { text: '\r\n', isRemoved: true },
    { text: '\t"\u00e9', isRemoved: false },
    { text: ' ', isRemoved: true },
    { text: 'b":2}', isRemoved: false },
  ])
})

it('removes tabs for v2 alone', () => {
  expect(removed('[\t1]', V2_REMOVES).stretches[1]).toEqual({ text: '\t', isRemoved: true })
  expect(removed('[\t1]').stretches).toEqual([{ text: '[\t1]', isRemoved: false }])
})

it('has no stretches of an empty body', () => {
  expect(removed('')).toEqual({ stretches: [], sentence: 'There is no white space to remove.' })
})

it.each([
  ['{"a":1}', 'There is no white space to remove.'],
  ['{"a": 1}', '1 space is removed.'],
  [
    '{"a":\n1, "b c":"d \\" e"}\r\n',
    '4 spaces, 2 line feeds and 1 carriage return are removed (3 within strings).',
  ],
])('says how much is removed of %j', (text, sentence) => {
  expect(removed(text).sentence).toBe(sentence)
})

it('counts the tabs that v2 removes', () => {
  expect(removed('[\t1,\t2 ]', V2_REMOVES).sentence).toBe('1 space and 2 tabs are removed.')
})
