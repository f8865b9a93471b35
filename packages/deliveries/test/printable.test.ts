import { describe, expect, it } from 'vitest'
import { printable, printableJson, printableLines, wrapped } from '../src/index.js'

/** What commands a terminal or reorders what it shows: C0 and C1, DEL, directions, separators, tags, half a pair. */
const COMMANDS = [
  ...['\u0000', '\u0007', '\b', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u009d'],
  ...['\u061c', '\u200b', '\u200e', '\u200f', '\u2028', '\u2029', '\u202e', '\u2066', '\u2069', '\ufeff'],
  ...['\u{e0001}', '\ud800'],
]

describe('printable text', () => {
  it.each(COMMANDS)('has a space in place of %j', (character) => {
    expect(printable(`a${character}${character}b`)).toBe('a b')
  })

  it('keeps letters of every alphabet, and pairs of surrogates', () => {
    const text = 'J\u00f5ul \u4e2d\u6587 \u{1f384} a\u0301 "\\'
    expect(printable(text)).toBe(text)
  })

  it('is cut after 200 characters, or as many as are asked for', () => {
    expect(printable('x'.repeat(200))).toBe('x'.repeat(200))
    expect(printable('x'.repeat(201))).toBe(`${'x'.repeat(200)}...`)
    expect(printable('12345', 4)).toBe('1234...')
  })
})

describe('printable lines', () => {
  it('stay lines with their indents, and have a space in place of what commands a terminal', () => {
    expect(printableLines('a\u001b[31m\n  1  b\r\n\u202ec')).toBe('a [31m\n  1  b \n c')
  })
})

describe('printable JSON', () => {
  it.each(COMMANDS)('has %j escaped, and the same value', (character) => {
    const value = { text: `a${character}b` }
    const json = printableJson(value)
    expect(json).not.toContain(`a${character}`)
    expect(json).toMatch(/^\{\n {2}"text": "a\\[^"]+b"\n\}$/)
    expect(JSON.parse(json)).toEqual(value)
  })
})

describe('a wrapped text', () => {
  it.each([
    ['has as many words on a line as fit', 'one two three', 7, ['one two', 'three']],
    ['has a longer word on a line of its own', 'a longer word', 3, ['a', 'longer', 'word']],
    ['is one line if it fits', 'a b', 3, ['a b']],
    ['is one empty line if it is empty', '', 3, ['']],
  ])('%s', (_, text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines)
  })
})
