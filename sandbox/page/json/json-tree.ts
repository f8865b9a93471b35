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
/** Without the quote at its end. Control characters, such as a line break, must be escaped. */
const TEXT = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const MAX_DEPTH = 200

/** Reads a text strictly, as RFC 8259 describes it. */
export function readJson(text: string): JsonResult {
  const reader = new Reader(text)
  try {
    return { tree: reader.document() }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const before = text.slice(0, error.at).split('\n')
    return { problem: { message: error.message, line: before.length, column: before.at(-1)!.length + 1 } }
  }
}

class NotJson extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
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
    const number = this.#match(NUMBER)
    if (number !== undefined) return { kind: 'number', raw: number }
    const word = this.#match(WORD)
    if (word !== undefined) return { kind: 'word', raw: word }
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

  /** A text with its quotes. */
  #quoted(): string | undefined {
    const start = this.#at
    const raw = this.#match(TEXT)
    if (raw === undefined) return undefined
    if (this.#take('"')) return `${raw}"`
    const next = this.#text[this.#at]
    if (next !== undefined && next < ' ') throw this.#unexpected('an escaped character')
    this.#at = start
    return undefined
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

/** A JSON value on several lines. Numbers and texts stay as they are written. */
export function printJson(node: JsonNode, indent = ''): string {
  if (node.kind !== 'object' && node.kind !== 'array') return node.raw
  const inner = `${indent}  `
  const [open, close] = node.kind === 'object' ? '{}' : '[]'
  const lines =
    node.kind === 'object'
      ? node.entries.map(({ key, value }) => `${inner}${key}: ${printJson(value, inner)}`)
      : node.items.map((item) => inner + printJson(item, inner))
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** One field of two JSON texts. A side without it is undefined. */
export interface FieldPair {
  /** Such as `data.items[0].amount`. */
  readonly path: string
  readonly left: string | undefined
  readonly right: string | undefined
}

/** Every field of both, in the order of the first one; those that only the second has come last. */
export function pairFields(left: JsonNode, right: JsonNode): readonly FieldPair[] {
  const first = fieldsOf(left)
  const second = fieldsOf(right)
  const paths = new Set([...first.keys(), ...second.keys()])
  return [...paths].map((path) => ({ path, left: first.get(path), right: second.get(path) }))
}

/** Each value that is not a list or an object, by its path. Of a name that occurs twice, the last one counts. */
function fieldsOf(tree: JsonNode): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  function collect(node: JsonNode, path: string): void {
    if (node.kind === 'object' && node.entries.length > 0) {
      for (const { key, value } of node.entries) collect(value, joined(path, key))
    } else if (node.kind === 'array' && node.items.length > 0) {
      node.items.forEach((item, index) => {
        collect(item, `${path}[${index}]`)
      })
    } else fields.set(path, printJson(node))
  }
  collect(tree, '')
  return fields
}

/** A name that is not a plain word keeps its quotes. */
function joined(path: string, key: string): string {
  const name = key.slice(1, -1)
  if (!/^\w+$/.test(name)) return `${path}[${key}]`
  return path === '' ? name : `${path}.${name}`
}
