import { isUtf8 } from 'node:buffer'

/**
 * A strict reader of JSON (RFC 8259) that keeps every token as it stands, and is not core's.
 *
 * @typedef {{ kind: 'token', token: string }
 *   | { kind: 'string', token: string, value: string }
 *   | { kind: 'array', items: Node[] }
 *   | { kind: 'object', members: [key: Text, value: Node][] }} Node
 * @typedef {Extract<Node, { kind: 'string' }>} Text
 */

const MAX_DEPTH = 512
const SPACE = /[ \t\n\r]*/y
const TOKEN = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

/**
 * The text of a body without its byte order mark, or nothing where it is not UTF-8.
 *
 * @param {Uint8Array} body
 */
export function textOf(body) {
  if (!isUtf8(body)) return undefined
  return Buffer.from(body)
    .toString('utf8')
    .replace(/^\ufeff/, '')
}

/**
 * What a body says, or nothing where it is not JSON, or nested deeper than 512 levels.
 *
 * @param {Uint8Array} body
 */
export function readJson(body) {
  const text = textOf(body)
  return text === undefined ? undefined : new Reader(text).document()
}

/**
 * Whether the value of a body can be handed on. What a repeated key hides is not part of it, however deep: v2, which signs
 * the text, is stricter there.
 *
 * @param {Uint8Array} body
 */
export function hasValue(body) {
  try {
    return isWithin(MAX_DEPTH, JSON.parse(textOf(body) ?? ''))
  } catch {
    return false
  }
}

/**
 * @param {number} levels
 * @param {unknown} value
 * @returns {boolean}
 */
function isWithin(levels, value) {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isWithin(levels - 1, item))
}

class Reader {
  #text
  #at = 0

  /** @param {string} text */
  constructor(text) {
    this.#text = text
  }

  /** @returns {Node | undefined} */
  document() {
    const node = this.#value(MAX_DEPTH)
    return this.#at === this.#text.length ? node : undefined
  }

  /**
   * @param {number} levels
   * @returns {Node | undefined}
   */
  #value(levels) {
    this.#match(SPACE)
    const first = this.#text[this.#at]
    const node =
      first === '{' || first === '['
        ? this.#container(first, levels - 1)
        : first === '"'
          ? this.#string()
          : this.#token()
    this.#match(SPACE)
    return node
  }

  /**
   * @param {'{' | '['} first
   * @param {number} levels
   * @returns {Node | undefined}
   */
  #container(first, levels) {
    if (levels < 0) return undefined
    const end = first === '{' ? '}' : ']'
    /** @type {Node[]} */
    const items = []
    /** @type {[Text, Node][]} */
    const members = []
    this.#at++
    this.#match(SPACE)
    let isOpen = !this.#take(end)
    while (isOpen) {
      this.#match(SPACE)
      const key = first === '{' ? this.#string() : undefined
      this.#match(SPACE)
      if (first === '{' && (key === undefined || !this.#take(':'))) return undefined
      const value = this.#value(levels)
      if (value === undefined) return undefined
      if (key === undefined) items.push(value)
      else members.push([key, value])
      if (this.#take(end)) isOpen = false
      else if (!this.#take(',')) return undefined
    }
    return first === '{' ? { kind: 'object', members } : { kind: 'array', items }
  }

  /** @returns {Text | undefined} */
  #string() {
    const token = this.#match(STRING)
    if (token === undefined) return undefined
    return { kind: 'string', token, value: String(JSON.parse(token)) }
  }

  /** @returns {Node | undefined} */
  #token() {
    const token = this.#match(TOKEN)
    return token === undefined ? undefined : { kind: 'token', token }
  }

  /** @param {RegExp} pattern */
  #match(pattern) {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found
  }

  /** @param {string} character */
  #take(character) {
    const isThere = this.#text[this.#at] === character
    if (isThere) this.#at++
    return isThere
  }
}
