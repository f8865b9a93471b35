import { MAX_DEPTH, notJson, tooDeep } from '../json/text.js'
import { inKeyOrder } from './order.js'

/**
 * JSON as places in its source, for `JSON.parse` throws away what v2 may need: `10.0`, `1e5`, `\/` and `\u00e9` as
 * the sender wrote them. The members of an object stand in the order of S6.4, each key once.
 */
export type JsonNode = Scalar | JsonArray | JsonObject

export interface Scalar {
  readonly kind: 'string' | 'number' | 'literal'
  readonly start: number
  readonly end: number
  /** A string in which a backslash stands. */
  readonly escaped: boolean
}

export interface JsonArray {
  readonly kind: 'array'
  readonly items: readonly JsonNode[]
}

export interface JsonObject {
  readonly kind: 'object'
  readonly members: readonly Member[]
}

export interface Member {
  readonly key: Scalar
  readonly value: JsonNode
}

const SHORT_ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)))

/** Reads JSON text (RFC 8259) from valid UTF-8. */
export function readTree(bytes: Uint8Array): JsonNode {
  return new TreeReader(bytes).document()
}

class TreeReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  document(): JsonNode {
    const root = this.#value(MAX_DEPTH)
    if (this.#skipSpace() !== undefined) throw this.#unexpected()
    return root
  }

  #value(levels: number): JsonNode {
    switch (this.#skipSpace()) {
      case 0x22: // "
        return this.#string()
      case 0x7b: // {
        return this.#object(levels - 1)
      case 0x5b: // [
        return this.#array(levels - 1)
      case 0x74: // t
        return this.#literal('true')
      case 0x66: // f
        return this.#literal('false')
      case 0x6e: // n
        return this.#literal('null')
      default:
        return this.#number()
    }
  }

  #object(levels: number): JsonObject {
    if (levels < 0) throw tooDeep()
    const members: Member[] = []
    this.#at++
    if (this.#skipSpace() === 0x7d /* } */) {
      this.#at++
      return { kind: 'object', members }
    }
    do {
      if (this.#skipSpace() !== 0x22 /* " */) throw this.#unexpected()
      const key = this.#string()
      if (this.#skipSpace() !== 0x3a /* : */) throw this.#unexpected()
      this.#at++
      members.push({ key, value: this.#value(levels) })
    } while (this.#more(0x7d /* } */))
    return { kind: 'object', members: inKeyOrder(members, this.#bytes) }
  }

  #array(levels: number): JsonArray {
    if (levels < 0) throw tooDeep()
    const items: JsonNode[] = []
    this.#at++
    if (this.#skipSpace() === 0x5d /* ] */) {
      this.#at++
      return { kind: 'array', items }
    }
    do items.push(this.#value(levels))
    while (this.#more(0x5d /* ] */))
    return { kind: 'array', items }
  }

  /** Steps over a comma (true) or over the end of the container (false). */
  #more(end: number): boolean {
    const byte = this.#skipSpace()
    if (byte !== 0x2c /* , */ && byte !== end) throw this.#unexpected()
    this.#at++
    return byte !== end
  }

  #string(): Scalar {
    const bytes = this.#bytes
    const start = this.#at
    let escaped = false
    let at = start + 1
    for (;;) {
      const byte = bytes[at]
      if (byte === 0x22 /* " */) break
      if (byte === 0x5c /* \ */) {
        escaped = true
        at = this.#afterEscape(at + 1)
      } else if (byte === undefined || byte < 0x20) {
        throw this.#unexpected(at)
      } else {
        at++
      }
    }
    this.#at = at + 1
    return { kind: 'string', start, end: at + 1, escaped }
  }

  #afterEscape(at: number): number {
    const byte = this.#bytes[at]
    if (byte === 0x75 /* u */) {
      for (let i = at + 1; i <= at + 4; i++) if (!isHexDigit(this.#bytes[i])) throw this.#unexpected(i)
      return at + 5
    }
    if (byte === undefined || !SHORT_ESCAPES.has(byte)) throw this.#unexpected(at)
    return at + 1
  }

  #number(): Scalar {
    const start = this.#at
    if (this.#bytes[this.#at] === 0x2d /* - */) this.#at++
    if (this.#bytes[this.#at] === 0x30 /* 0 */) this.#at++
    else this.#digits()
    if (this.#bytes[this.#at] === 0x2e /* . */) {
      this.#at++
      this.#digits()
    }
    const e = this.#bytes[this.#at]
    if (e === 0x65 /* e */ || e === 0x45 /* E */) {
      this.#at++
      const sign = this.#bytes[this.#at]
      if (sign === 0x2b /* + */ || sign === 0x2d /* - */) this.#at++
      this.#digits()
    }
    return { kind: 'number', start, end: this.#at, escaped: false }
  }

  #digits(): void {
    this.#one(isDigit)
    while (isDigit(this.#bytes[this.#at])) this.#at++
  }

  #literal(text: 'true' | 'false' | 'null'): Scalar {
    const start = this.#at
    for (let i = 0; i < text.length; i++) {
      if (this.#bytes[this.#at] !== text.charCodeAt(i)) throw this.#unexpected()
      this.#at++
    }
    return { kind: 'literal', start, end: this.#at, escaped: false }
  }

  #one(allowed: (byte: number | undefined) => boolean): void {
    if (!allowed(this.#bytes[this.#at])) throw this.#unexpected()
    this.#at++
  }

  /** The next byte that is no white space, not yet stepped over. */
  #skipSpace(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.#at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.#at++
    }
  }

  #unexpected(at = this.#at): Error {
    return notJson(at < this.#bytes.length ? `byte ${at} does not belong there` : 'it ends too early')
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}
