import { MAX_DEPTH, notJson, tooDeep } from '../json/text.js'
import { inKeyOrder, Output, type Member } from './output.js'

/** Another spelling of a token, in ASCII. A string is given with its quotes. */
export interface Respelling {
  readonly string: (token: Uint8Array) => string
  readonly number: (token: Uint8Array) => string
}

/**
 * The text of S6.4: keys sorted at every level, of a repeated key the last, no spaces and line breaks.
 *
 * It is made in one pass over the source and not from what `JSON.parse` gives, for that has lost how the sender wrote
 * things: `10.0`, `1e5`, `\/`, `\u00e9`. The members of an object are put in order once they are all printed.
 *
 * @param source JSON text (RFC 8259) in valid UTF-8
 * @param respelling for a sender that did not print tokens as they stand in the source
 * @throws {WebhookError} `ERR_BODY_NOT_JSON`
 */
export function canonicalize(source: Uint8Array, respelling?: Respelling): Uint8Array {
  return new Canonicalizer(source, respelling).document()
}

const SHORT_ESCAPES: ReadonlySet<number | undefined> = new Set(
  Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)),
)

class Canonicalizer {
  readonly #source: Uint8Array
  readonly #respelling: Respelling | undefined
  // Tokens as they stand take no more room than in the source; as much again to put members in order.
  readonly #output: Output
  #at = 0

  constructor(source: Uint8Array, respelling: Respelling | undefined) {
    this.#source = source
    this.#respelling = respelling
    this.#output = new Output(2 * source.length)
  }

  document(): Uint8Array {
    this.#value(MAX_DEPTH)
    if (this.#skipSpace() !== undefined) throw this.#unexpected()
    return this.#output.written()
  }

  #value(levels: number): void {
    switch (this.#skipSpace()) {
      case 0x22: // "
        this.#string()
        break
      case 0x7b: // {
        this.#object(levels - 1)
        break
      case 0x5b: // [
        this.#array(levels - 1)
        break
      case 0x74: // t
        this.#literal('true')
        break
      case 0x66: // f
        this.#literal('false')
        break
      case 0x6e: // n
        this.#literal('null')
        break
      default:
        this.#number()
    }
  }

  #object(levels: number): void {
    if (!this.#open(levels, 0x7d /* } */)) return
    const output = this.#output
    const start = output.length
    const members: Member[] = []
    let isLast = false
    while (!isLast) {
      if (this.#skipSpace() !== 0x22 /* " */) throw this.#unexpected()
      const from = output.length
      const keyStart = this.#at
      const isEscaped = this.#string()
      const keyEnd = this.#at
      if (this.#skipSpace() !== 0x3a /* : */) throw this.#unexpected()
      this.#step(0x3a)
      this.#value(levels)
      isLast = this.#separator(0x7d /* } */)
      members.push({ keyStart, keyEnd, isEscaped, from, to: output.length })
    }
    const ordered = inKeyOrder(members, this.#source)
    if (ordered !== undefined) output.rearrange(start, ordered)
    output.bytes[output.length - 1] = 0x7d
  }

  #array(levels: number): void {
    if (!this.#open(levels, 0x5d /* ] */)) return
    let isLast = false
    while (!isLast) {
      this.#value(levels)
      isLast = this.#separator(0x5d /* ] */)
    }
    this.#output.bytes[this.#output.length - 1] = 0x5d
  }

  /** Steps into a container, and also out of it (false) where it is empty. */
  #open(levels: number, end: number): boolean {
    if (levels < 0) throw tooDeep()
    this.#step(this.#source[this.#at]!)
    if (this.#skipSpace() !== end) return true
    this.#step(end)
    return false
  }

  /**
   * Steps over a comma (false) or the end of the container (true). Either is printed as a comma, so that members can
   * change places; who was in the container puts its end there.
   */
  #separator(end: number): boolean {
    const byte = this.#skipSpace()
    if (byte !== 0x2c /* , */ && byte !== end) throw this.#unexpected()
    this.#step(0x2c)
    return byte === end
  }

  #step(printed: number): void {
    this.#at++
    this.#output.bytes[this.#output.length++] = printed
  }

  /** Gives whether there is an escape in it. */
  #string(): boolean {
    const source = this.#source
    const { bytes, length: from } = this.#output
    const start = this.#at
    // Stryker disable next-line BooleanLiteral: decoding keys without an escape gives the same order, only later.
    let isEscaped = false
    let at = start + 1
    let length = from
    bytes[length++] = 0x22
    for (;;) {
      const byte = source[at++]
      // The only space that may stand in a string.
      if (byte === 0x20) continue
      // Stryker disable next-line EqualityOperator: byte <= 0x20 is the same, because a space does not get here.
      if (byte === undefined || byte < 0x20) throw this.#unexpected(at - 1)
      bytes[length++] = byte
      if (byte === 0x22 /* " */) break
      if (byte === 0x5c /* \ */) {
        isEscaped = true
        this.#checkEscape(at)
        // Whatever it is, it does not end the string.
        bytes[length++] = source[at++]!
      }
    }
    this.#at = at
    this.#output.length = length
    if (this.#respelling !== undefined)
      this.#respell(from, this.#respelling.string(source.subarray(start, at)))
    return isEscaped
  }

  #checkEscape(at: number): void {
    const byte = this.#source[at]
    if (byte === 0x75 /* u */) {
      for (let i = at + 1; i <= at + 4; i++) if (!isHexDigit(this.#source[i])) throw this.#unexpected(i)
    } else if (!SHORT_ESCAPES.has(byte)) throw this.#unexpected(at)
  }

  #number(): void {
    const from = this.#output.length
    const start = this.#at
    if (this.#source[this.#at] === 0x2d /* - */) this.#step(0x2d)
    if (this.#source[this.#at] === 0x30 /* 0 */) this.#step(0x30)
    else this.#digits()
    if (this.#source[this.#at] === 0x2e /* . */) {
      this.#step(0x2e)
      this.#digits()
    }
    const e = this.#source[this.#at]
    if (e === 0x65 /* e */ || e === 0x45 /* E */) {
      this.#step(e)
      const sign = this.#source[this.#at]
      if (sign === 0x2b /* + */ || sign === 0x2d /* - */) this.#step(sign)
      this.#digits()
    }
    if (this.#respelling === undefined) return
    this.#respell(from, this.#respelling.number(this.#source.subarray(start, this.#at)))
  }

  /** One or more. */
  #digits(): void {
    if (!isDigit(this.#source[this.#at])) throw this.#unexpected()
    while (isDigit(this.#source[this.#at])) this.#step(this.#source[this.#at]!)
  }

  #literal(text: 'true' | 'false' | 'null'): void {
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i)
      if (this.#source[this.#at] !== letter) throw this.#unexpected()
      this.#step(letter)
    }
  }

  /** Puts another spelling where a token was printed, and makes room for what is still to be read. */
  #respell(from: number, text: string): void {
    const output = this.#output
    output.length = from
    // Stryker disable next-line ArithmeticOperator: reserving more than is needed does not change the output.
    output.reserve(text.length + this.#source.length - this.#at)
    for (let i = 0; i < text.length; i++) {
      const byte = text.charCodeAt(i)
      if (byte !== 0x20) output.bytes[output.length++] = byte
    }
  }

  /** The next byte that is no white space, not yet stepped over. */
  #skipSpace(): number | undefined {
    for (;;) {
      const byte = this.#source[this.#at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.#at++
    }
  }

  #unexpected(at = this.#at): Error {
    return notJson(at < this.#source.length ? `byte ${at} does not belong there` : 'it ends too early')
  }
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isHexDigit(byte = 0): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}
