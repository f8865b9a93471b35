import { isUtf8 } from 'node:buffer'
import type { Tree } from '../../support/json.js'

const MAX_DEPTH = 512
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/
const TOKEN = new RegExp(`[ \\t\\n\\r]*([{}[\\],:]|true|false|null|${STRING.source}|${NUMBER.source}|$)`, 'y')

/** The text of a body without its byte order mark, or undefined where it is not UTF-8. */
export function textOf(body: Uint8Array): string | undefined {
  if (!isUtf8(body)) return undefined
  return Buffer.from(body)
    .toString()
    .replace(/^\ufeff/, '')
}

/**
 * Reads JSON (RFC 8259) strictly and keeps every token as it is written. Returns undefined where the body is not JSON,
 * or is nested deeper than 512 levels.
 */
export function readJson(body: Uint8Array): Tree | undefined {
  const tokens = tokensOf(textOf(body) ?? '')
  let at = 0

  function value(levels: number): Tree {
    const token = tokens[at++]
    if (token === '[' && levels > 0) return { items: list(']', () => value(levels - 1)) }
    if (token === '{' && levels > 0) return { members: list('}', () => member(levels - 1)) }
    if (!token || /^[[\]{},:]/.test(token)) throw new SyntaxError('expected a value')
    return { token }
  }

  function member(levels: number): readonly [string, Tree] {
    const key = tokens[at++] ?? ''
    if (!key.startsWith('"') || tokens[at++] !== ':') throw new SyntaxError('expected a key')
    return [key, value(levels)]
  }

  function list<Item>(end: string, next: () => Item): Item[] {
    const items: Item[] = []
    if (tokens[at] === end) {
      at++
      return items
    }
    for (;;) {
      items.push(next())
      const separator = tokens[at++]
      if (separator === end) return items
      if (separator !== ',') throw new SyntaxError('expected a comma')
    }
  }

  try {
    const tree = value(MAX_DEPTH)
    return at === tokens.length ? tree : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Ends with an empty token, which the grammar does not allow, if the text continues with something else. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (found === null) return [...tokens, '']
    if (found[1] !== '') tokens.push(found[1]!)
  }
  return tokens
}

/**
 * Whether the parsed value of a body can be returned to the caller. The hidden values of repeated keys do not count,
 * however deep. v2 is stricter there, because it signs the text.
 */
export function hasValue(body: Uint8Array): boolean {
  try {
    return isWithin(MAX_DEPTH, JSON.parse(textOf(body) ?? ''))
  } catch {
    return false
  }
}

function isWithin(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isWithin(levels - 1, item))
}

/**
 * Whether two bodies have the same value, except for differences that v2 does not detect: spaces in strings, digits
 * that no double holds, and which number is too large for a double (JavaScript prints null for it).
 */
export function haveSameValue(one: Uint8Array, other: Uint8Array): boolean {
  return flatten(JSON.parse(textOf(one) ?? '')) === flatten(JSON.parse(textOf(other) ?? ''))
}

function flatten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatten).join()}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${flatten(key)}:${flatten(item)}`)
    return `{${members.sort().join()}}`
  }
  return JSON.stringify(typeof value === 'string' ? value.replaceAll(' ', '') : value)
}
