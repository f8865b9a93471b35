import type { CanonicalForm } from '../names.js'
import {
  comparePlainKeys,
  decodeJson,
  END,
  JsonDocument,
  KIND,
  NODE_SIZE,
  TO,
  TOKEN_KEYS,
} from './document.js'
import { compareCodePoints, compareCodeUnits, type Spelling, Tokens } from './tokens.js'

/** The differences between the forms. */
interface Style {
  readonly compareKeys: (a: string, b: string) => number
  /** Missing where tokens are printed as they are in the source. */
  readonly spell?: (tokens: Tokens) => Spelling
}

// Each is a faithful reading of the documentation (see specification, Canonical forms).
const STYLES: Readonly<Record<CanonicalForm, Style>> = {
  source: { compareKeys: compareCodePoints },
  ecmascript: { compareKeys: compareCodeUnits, spell: (tokens) => tokens.ecmascript() },
  python: { compareKeys: compareCodePoints, spell: (tokens) => tokens.python() },
}

/** The different texts of a body that v2 may have signed, one at a time. @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function* canonicalForms(
  body: Uint8Array,
  forms: readonly CanonicalForm[],
): Generator<{ bytes: Uint8Array; form: CanonicalForm }, void, void> {
  const document = new JsonDocument(withoutByteOrderMark(body))
  if (!document.isAscii) decodeJson(body)
  const tokens = new Tokens(document.source, document.tokens)
  const printed: Uint8Array[] = []
  for (const form of forms) {
    const bytes = new Printer(document, tokens, STYLES[form]).printed()
    if (printed.some((earlier) => isSame(earlier, bytes))) continue
    printed.push(bytes)
    yield { bytes, form }
    // Without tokens, all forms print the same text.
    if (document.tokens.length === 0) return
  }
}

/** The bytes without U+0020, U+000A and U+000D, but with tabs (see specification, Signature v1). */
export function withoutSpaces(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length)
  let length = 0
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d) kept[length++] = byte
  }
  return kept.subarray(0, length)
}

function withoutByteOrderMark(body: Uint8Array): Uint8Array {
  const hasByteOrderMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  return hasByteOrderMark ? body.subarray(3) : body
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** Larger objects are sorted by the platform, which calls back for each comparison, but makes fewer. */
const FEW = 24

/** Sorts in place, and keeps the order of equals. */
function sort(list: number[], compare: (a: number, b: number) => number): void {
  // Stryker disable next-line ConditionalExpression,EqualityOperator,BlockStatement: both ways sort alike.
  if (list.length > FEW) {
    list.sort(compare)
    return
  }
  for (let i = 1; i < list.length; i++) {
    const item = list[i]!
    let to = i
    while (to > 0 && compare(list[to - 1]!, item) > 0) list[to] = list[--to]!
    list[to] = item
  }
}

/** Prints the text without white space and with sorted keys. One walk copies every byte once, however deep it is nested. */
export class Printer {
  readonly #document: JsonDocument
  readonly #tokens: Tokens
  readonly #style: Style
  readonly #spelling: Spelling | undefined
  readonly #bytes: Uint8Array
  #length = 0

  constructor(document: JsonDocument, tokens: Tokens, style: Style) {
    this.#document = document
    this.#tokens = tokens
    this.#style = style
    this.#spelling = style.spell?.(tokens)
    this.#bytes = new Uint8Array(document.source.length + (this.#spelling?.bytes.length ?? 0))
  }

  printed(): Uint8Array {
    const { source, tapeEnd } = this.#document
    this.#stretch(0, source.length, 0, tapeEnd)
    return this.#bytes.subarray(0, this.#length)
  }

  /** A stretch of the source, with the nodes inside of it. */
  #stretch(from: number, to: number, firstNode: number, end: number): void {
    const { source, tape } = this.#document
    const spelling = this.#spelling
    let at = from
    for (let node = firstNode; node < end; node = tape[node + END]!) {
      const kind = tape[node + KIND]!
      if (kind < 0) {
        this.#copy(source, at, tape[node]!)
        this.#members(node, kind)
        at = tape[node + TO]!
      } else if (spelling !== undefined) {
        this.#copy(source, at, tape[node]!)
        this.#copy(spelling.bytes, spelling.starts[kind]!, spelling.starts[kind + 1]! - 2)
        at = tape[node + TO]!
      }
    }
    this.#copy(source, at, to)
  }

  #members(object: number, kind: number): void {
    const { tape } = this.#document
    const members: number[] = []
    const end = tape[object + END]!
    for (let node = object + NODE_SIZE; node < end; node = tape[node + END]!) members.push(node)
    const compare = this.#comparison(kind)
    sort(members, compare)
    for (let i = 0; i < members.length; i++) {
      const member = members[i]!
      // The sort is stable: of a repeated key, the last in the source is the last here, and counts.
      if (i + 1 < members.length && compare(member, members[i + 1]!) === 0) continue
      this.#stretch(tape[member]!, tape[member + TO]!, member + NODE_SIZE, tape[member + END]!)
      this.#bytes[this.#length++] = 0x2c // ,
    }
    this.#length--
  }

  #comparison(kind: number): (a: number, b: number) => number {
    const { source, tape } = this.#document
    if (kind !== TOKEN_KEYS) return (a, b) => comparePlainKeys(source, tape[a]!, tape[b]!)
    const { compareKeys } = this.#style
    const keys = this.#tokens.values as readonly string[]
    return (a, b) => compareKeys(keys[tape[a + KIND]!]!, keys[tape[b + KIND]!]!)
  }

  /** Without white space. No string contains another byte up to U+0020 than spaces, and those go too. */
  #copy(bytes: Uint8Array, from: number, to: number): void {
    const target = this.#bytes
    let length = this.#length
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!
      target[length] = byte
      if (byte > 0x20) length++
    }
    this.#length = length
  }
}
