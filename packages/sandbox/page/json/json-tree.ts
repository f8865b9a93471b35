/** A value of a JSON text with its numbers and texts as they are written there, such as `10.0`. */
export type JsonNode =
  | { readonly kind: 'object'; readonly entries: readonly JsonEntry[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'number'; readonly raw: string }
  | { readonly kind: 'word'; readonly raw: string }

export interface JsonEntry {
  /** With its quotes, as it is written. */
  readonly key: string
  readonly value: JsonNode
}

/** Why a text is not JSON, and where: lines and columns are counted from 1. */
export interface JsonProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

export type JsonResult = { readonly tree: JsonNode } | { readonly problem: JsonProblem }

const SPACE = /[ \t\n\r]*/y
const TEXT = /"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const MAX_DEPTH = 200

/** Reads a text strictly, as RFC 8259 describes it. */
export function readJson(text: string): JsonResult {
  const reader = new Reader(text)
  try {
    return { tree: reader.document() }
  } catch (error) {
    if (error instanceof NotJson) return { problem: problemAt(text, error.at, error.message) }
    throw error
  }
}

class NotJson extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

function problemAt(text: string, at: number, message: string): JsonProblem {
  const before = text.slice(0, at).split('\n')
  return { message, line: before.length, column: before.at(-1)!.length + 1 }
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): JsonNode {
    const tree = this.#value(0)
    if (this.#at < this.#text.length) throw this.#unexpected('the end')
    return tree
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw new NotJson(`Nested more than ${MAX_DEPTH} levels deep`, this.#at)
    this.#match(SPACE)
    const node = this.#nodeAt(depth)
    this.#match(SPACE)
    return node
  }

  #nodeAt(depth: number): JsonNode {
    if (this.#take('{')) return { kind: 'object', entries: this.#list('}', () => this.#entry(depth)) }
    if (this.#take('[')) return { kind: 'array', items: this.#list(']', () => this.#value(depth + 1)) }
    const text = this.#quoted()
    if (text !== undefined) return { kind: 'text', raw: text }
    for (const [kind, pattern] of [
      ['number', NUMBER],
      ['word', WORD],
    ] as const) {
      const raw = this.#match(pattern)
      if (raw !== undefined) return { kind, raw }
    }
    throw this.#unexpected('a value')
  }

  #entry(depth: number): JsonEntry {
    this.#match(SPACE)
    const key = this.#quoted()
    if (key === undefined) throw this.#unexpected('a name in double quotes')
    this.#match(SPACE)
    if (!this.#take(':')) throw this.#unexpected('":"')
    return { key, value: this.#value(depth + 1) }
  }

  #list<Item>(end: '}' | ']', next: () => Item): readonly Item[] {
    const items: Item[] = []
    this.#match(SPACE)
    if (this.#take(end)) return items
    do {
      items.push(next())
      this.#match(SPACE)
    } while (this.#take(','))
    if (!this.#take(end)) throw this.#unexpected(`"," or "${end}"`)
    return items
  }

  /** A text with its quotes. Control characters, such as a line break, must be escaped in it. */
  #quoted(): string | undefined {
    const start = this.#at
    const raw = this.#match(TEXT)
    const control = raw === undefined ? -1 : Array.from(raw).findIndex((letter) => letter < ' ')
    if (control === -1) return raw
    this.#at = start + Array.from(raw!).slice(0, control).join('').length
    throw this.#unexpected('an escaped character')
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at = pattern.lastIndex
    return found
  }

  #unexpected(expected: string): NotJson {
    const found = this.#text[this.#at]
    const got = found === undefined ? 'the text ends' : `got ${JSON.stringify(found)}`
    return new NotJson(`Expected ${expected}, ${got}`, this.#at)
  }
}
