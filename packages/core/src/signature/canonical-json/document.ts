import { WebhookError } from '../../errors.js'

/**
 * The fields of a node: where its stretch of the source starts, which is the first field and has no name, where it ends, where
 * the nodes inside of it end, and what it is.
 */
export const TO = 1
export const END = 2
export const KIND = 3
export const NODE_SIZE = 4

/** The kinds of an object. That of a token is its index, and that of a member the index of its key if that is a token. */
const PLAIN_KEYS = -1
/** Some key has an escape or a character beyond ASCII. Forms differ in how they sort these, so all its keys are tokens. */
export const TOKEN_KEYS = -2
/** Instead of the index of a token. */
const NONE = -3

const SHORT_ESCAPES = new Set<number | undefined>(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)))

/** JavaScript may round integers with more digits. */
const MAX_SAFE_DIGITS = 15

/**
 * A JSON text (RFC 8259), checked in one pass that also finds the parts which some form does not print as they are in the
 * source. `JSON.parse` would lose how the sender spelled it: `10.0`, `1e5`, `\/`.
 *
 * The tape lists these parts, each node before those inside of it: objects, their members, and tokens, which are strings
 * and numbers that can be spelled in other ways. An object in order without a token inside leaves no node. It is one array
 * of numbers, because to collect small objects would take too long.
 */
export class JsonDocument {
  readonly source: Uint8Array
  /** If not, it still has to be valid UTF-8. */
  isAscii = true
  tape: Int32Array
  tapeEnd = 0
  /** Where each token starts and ends, in pairs. */
  readonly tokens: number[] = []
  #at = 0

  /** @throws {WebhookError} `ERR_BODY_NOT_JSON` */
  constructor(source: Uint8Array) {
    this.source = source
    // More than most events need.
    // Stryker disable next-line ArithmeticOperator: it grows when that is not enough.
    this.tape = new Int32Array((source.length >> 4) * NODE_SIZE)
    this.#value(MAX_DEPTH)
    if (this.#skipSpace() !== undefined) throw this.#unexpected()
  }

  #value(levels: number): void {
    const byte = this.#skipSpace()
    if (byte === 0x22 /* " */) this.#string()
    else if (byte === 0x7b /* { */) this.#object(levels - 1)
    else if (byte === 0x5b /* [ */) this.#array(levels - 1)
    else if (byte === 0x74 /* t */) this.#literal('true')
    else if (byte === 0x66 /* f */) this.#literal('false')
    else if (byte === 0x6e /* n */) this.#literal('null')
    else this.#number()
  }

  #object(levels: number): void {
    if (!this.#open(levels, 0x7d /* } */)) return
    const object = this.#begin()
    let kind = PLAIN_KEYS
    let isInOrder = true
    let previous = object
    let count = 0
    do {
      if (this.#skipSpace() !== 0x22 /* " */) throw this.#unexpected()
      const member = this.#begin()
      const key = this.#string()
      if (this.#skipSpace() !== 0x3a /* : */) throw this.#unexpected()
      this.#at++
      this.#value(levels)
      this.#end(member, this.#at, key)
      if (key !== NONE) kind = TOKEN_KEYS
      else if (count > 0)
        isInOrder &&= comparePlainKeys(this.source, this.tape[previous]!, this.tape[member]!) < 0
      previous = member
      count++
    } while (!this.#separator(0x7d /* } */))
    this.#end(object, this.#at - 1, kind)
    if (kind === TOKEN_KEYS) this.#makeKeysTokens(object)
    // All forms print a node whose only contents are members in order as it is.
    if (isInOrder && this.tapeEnd === object + (1 + count) * NODE_SIZE) this.tapeEnd = object
  }

  #array(levels: number): void {
    if (!this.#open(levels, 0x5d /* ] */)) return
    do this.#value(levels)
    while (!this.#separator(0x5d /* ] */))
  }

  /** Steps into a container, and also out of it (false) where it is empty. */
  #open(levels: number, end: number): boolean {
    if (levels < 0) throw tooDeep()
    this.#at++
    if (this.#skipSpace() !== end) return true
    this.#at++
    return false
  }

  /** Steps over a comma (false) or the end of the container (true). */
  #separator(end: number): boolean {
    const byte = this.#skipSpace()
    if (byte !== 0x2c /* , */ && byte !== end) throw this.#unexpected()
    this.#at++
    return byte === end
  }

  /** Returns the index of the token that it is, if it has an escape or a character beyond ASCII. */
  #string(): number {
    const source = this.source
    const from = this.#at
    let isPlain = true
    let at = from + 1
    for (;;) {
      const byte = source[at++]
      if (byte === undefined || byte < 0x20) throw this.#unexpected(at - 1)
      if (byte === 0x22 /* " */) break
      if (byte === 0x5c /* \ */) {
        isPlain = false
        this.#checkEscape(at)
        // The escaped character never ends the string.
        at++
      } else if (byte >= 0x7f) {
        isPlain = false
        if (byte > 0x7f) this.isAscii = false
      }
    }
    this.#at = at
    return isPlain ? NONE : this.#token(from)
  }

  #checkEscape(at: number): void {
    const byte = this.source[at]
    if (byte === 0x75 /* u */) {
      for (let i = at + 1; i <= at + 4; i++) if (!isHexDigit(this.source[i])) throw this.#unexpected(i)
    } else if (!SHORT_ESCAPES.has(byte)) throw this.#unexpected(at)
  }

  #number(): void {
    const source = this.source
    const from = this.#at
    if (source[from] === 0x2d /* - */) this.#at++
    const isZero = source[this.#at] === 0x30 /* 0 */
    if (isZero) this.#at++
    else this.#digits()
    const integerTo = this.#at
    if (source[this.#at] === 0x2e /* . */) {
      this.#at++
      this.#digits()
    }
    const e = source[this.#at]
    if (e === 0x65 /* e */ || e === 0x45 /* E */) {
      this.#at++
      const sign = source[this.#at]
      if (sign === 0x2b /* + */ || sign === 0x2d /* - */) this.#at++
      this.#digits()
    }
    const isNegativeZero = isZero && integerTo - from === 2
    if (this.#at > integerTo || integerTo - from > MAX_SAFE_DIGITS || isNegativeZero) this.#token(from)
  }

  #digits(): void {
    if (!isDigit(this.source[this.#at])) throw this.#unexpected()
    while (isDigit(this.source[this.#at])) this.#at++
  }

  #literal(text: 'true' | 'false' | 'null'): void {
    for (let i = 0; i < text.length; i++) {
      if (this.source[this.#at] !== text.charCodeAt(i)) throw this.#unexpected()
      this.#at++
    }
  }

  /** A node that starts here. */
  #begin(): number {
    const node = this.tapeEnd
    this.tapeEnd += NODE_SIZE
    // Stryker disable next-line EqualityOperator: it may grow one node too early.
    if (this.tapeEnd > this.tape.length) {
      const longer = new Int32Array(2 * this.tapeEnd)
      longer.set(this.tape)
      this.tape = longer
    }
    this.tape[node] = this.#at
    return node
  }

  #end(node: number, to: number, kind: number): void {
    this.tape[node + TO] = to
    this.tape[node + END] = this.tapeEnd
    this.tape[node + KIND] = kind
  }

  #token(from: number): number {
    const index = this.tokens.push(from, this.#at) / 2 - 1
    const node = this.#begin()
    this.tape[node] = from
    this.#end(node, this.#at, index)
    return index
  }

  #makeKeysTokens(object: number): void {
    const tape = this.tape
    for (let member = object + NODE_SIZE; member < this.tapeEnd; member = tape[member + END]!) {
      if (tape[member + KIND] !== NONE) continue
      const from = tape[member]!
      tape[member + KIND] = this.tokens.push(from, this.source.indexOf(0x22, from + 1) + 1) / 2 - 1
    }
  }

  /** The next byte that is not white space, not yet stepped over. */
  #skipSpace(): number | undefined {
    for (;;) {
      const byte = this.source[this.#at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.#at++
    }
  }

  #unexpected(at = this.#at): Error {
    return notJson(at < this.source.length ? `byte ${at} does not belong there` : 'it ends too early')
  }
}

/** The order of two keys that start at these places, in ASCII and without escapes. */
export function comparePlainKeys(source: Uint8Array, a: number, b: number): number {
  for (let i = 1; ; i++) {
    const byteA = source[a + i]!
    const byteB = source[b + i]!
    if (byteA === byteB && byteA !== 0x22 /* " */) continue
    return byteA === byteB ? 0 : byteA === 0x22 ? -1 : byteB === 0x22 ? 1 : byteA - byteB
  }
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isHexDigit(byte = 0): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}

/** Deeper than any event, and far from where a recursive reader runs out of stack. */
export const MAX_DEPTH = 512

export function notJson(detail: string): WebhookError {
  return new WebhookError('ERR_BODY_NOT_JSON', { detail })
}

export function tooDeep(): WebhookError {
  return notJson(`it is nested deeper than ${MAX_DEPTH} levels`)
}

// Kept, because making one takes longer than decoding an event; each decoding starts over. Not made before the first
// body, because Jest's jsdom has no TextDecoder, and tests there may load a module that they never call.
let decoder: InstanceType<typeof TextDecoder> | undefined

/**
 * The JSON text of a body (RFC 8259, 8.1). Bytes that are not UTF-8 are refused and not replaced, or else two bodies could
 * read alike. A byte order mark is passed over.
 */
export function decodeJson(bytes: Uint8Array): string {
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: it is made in one test, and others fail without it.
  decoder ??= new TextDecoder('utf-8', { fatal: true })
  try {
    return decoder.decode(bytes)
  } catch {
    throw notJson('it is not valid UTF-8')
  }
}
