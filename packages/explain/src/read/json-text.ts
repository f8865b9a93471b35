import { parseJson } from '@service-signature/core/signature/canonical-json/parse-json'
import { ifValid } from './encodings.js'

export interface JsonToken {
  readonly kind: 'string' | 'number' | 'literal' | 'mark'
  readonly text: string
  readonly start: number
  /** The key before it; empty before the first. */
  readonly key: string
}

/** How a printer writes strings and numbers. A missing function leaves them as they are in the body. */
export interface JsonStyle {
  readonly says: readonly string[]
  readonly string?: (token: JsonToken) => string
  readonly number?: (token: JsonToken) => string
}

export const UNCHANGED: JsonStyle = { says: [] }

/** The text that a printer puts between the tokens. */
export interface JsonLayout {
  /** Completes "printed ...". */
  readonly says: string
  readonly comma: string
  readonly colon: string
  /** The indentation of each level; undefined if everything is on one line. */
  readonly indent?: string
}

export const SPACED: JsonLayout = {
  says: 'with ", " and ": " between its tokens, as Python does',
  comma: ', ',
  colon: ': ',
}
export const COMPACT: JsonLayout = { says: 'compact, as JSON.stringify does', comma: ',', colon: ':' }

/** The layouts of common printers, the likeliest sender first. */
export const LAYOUTS: readonly JsonLayout[] = [
  SPACED,
  COMPACT,
  { says: 'indented by two spaces', comma: ',', colon: ': ', indent: '  ' },
  { says: 'indented by four spaces', comma: ',', colon: ': ', indent: '    ' },
  { says: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' },
]

/** The values that v2 has shown: what was signed, and how it was written, as far as v2 depends on it. */
export interface SignedValues {
  readonly json: JsonText
  readonly style: JsonStyle
}

export type KeyOrder = (a: string, b: string) => number

export const byUnit: KeyOrder = (a, b) => (a < b ? -1 : Number(a > b))

export interface JsonContainer {
  /** The indexes of the tokens that open and close it. */
  readonly at: number
  readonly end: number
  /** The key before it. An item of an array has that of the array. */
  readonly name: string
}

export interface JsonMember {
  readonly name: string
  /** The indexes of its first token and of its value, and the one after its last token. */
  readonly key: number
  readonly value: number
  readonly end: number
}

/**
 * The JSON text of a body as tokens, so that it can be printed as other printers would have printed it. `JSON.parse`
 * would lose how numbers and strings are written.
 */
export class JsonText {
  readonly #text: string
  readonly tokens: readonly JsonToken[]
  /** The arrays and objects, each before those in it. */
  readonly containers: readonly JsonContainer[]
  /** For each token that opens one, the index of the token that closes it. */
  readonly #closings: ReadonlyMap<number, number>
  #sorted: readonly JsonToken[] | undefined
  readonly layout: 'indented' | 'compact' | 'spaced'

  private constructor(text: string, tokens: readonly JsonToken[]) {
    this.#text = text
    this.tokens = tokens
    this.containers = containersOf(tokens)
    this.#closings = new Map(this.containers.map(({ at, end }) => [at, end]))
    const trimmed = text.trim()
    const length = tokens.reduce((sum, token) => sum + token.text.length, 0)
    // Strings contain no line breaks.
    this.layout = length === trimmed.length ? 'compact' : /[\n\r]/.test(trimmed) ? 'indented' : 'spaced'
  }

  /** Undefined if the bytes are not JSON, or nested too deep. A byte order mark is skipped. */
  static of(bytes: Uint8Array): JsonText | undefined {
    if (ifValid(() => parseJson(bytes)) === undefined) return undefined
    const text = new TextDecoder().decode(bytes)
    return new JsonText(text, tokensOf(text))
  }

  withTokens(tokens: readonly JsonToken[]): JsonText {
    return new JsonText(this.#text, tokens)
  }

  get ends(): readonly [before: string, after: string] {
    const before = this.#text.length - this.#text.trimStart().length
    return [this.#text.slice(0, before), this.#text.slice(this.#text.trimEnd().length)]
  }

  /** The members of the object that opens at a token. */
  members(at: number): readonly JsonMember[] {
    const members: JsonMember[] = []
    const close = this.#closings.get(at)!
    for (let key = at + 1; key < close;) {
      const value = key + 2
      const end = (this.#closings.get(value) ?? value) + 1
      members.push({ name: JSON.parse(this.tokens[key]!.text) as string, key, value, end })
      key = end + 1
    }
    return members
  }

  slice(from: number, end: number): string {
    const last = this.tokens[end - 1]!
    return this.#text.slice(this.tokens[from]!.start, last.start + last.text.length)
  }

  /**
   * In another layout. Indentation may multiply the length of a deep text. That would cost too much, so printing is
   * given up, and it is undefined.
   */
  print({ comma, colon, indent }: JsonLayout, style: JsonStyle = UNCHANGED): string | undefined {
    const limit = 8 * this.#text.length + 1024
    const newLine = (level: number) => (indent === undefined ? '' : `\n${indent.repeat(level)}`)
    let text = ''
    let level = 0
    let before = ''
    for (const token of this.tokens) {
      const mark = token.kind === 'mark' ? token.text : ''
      const isFirst = before === '{' || before === '['
      const isClosing = mark === '}' || mark === ']'
      if (isClosing) level--
      if (isFirst !== isClosing) text += newLine(level)
      if (mark === ',') text += comma + newLine(level)
      else text += mark === ':' ? colon : styled(style, token)
      if (mark === '{' || mark === '[') level++
      if (text.length > limit) return undefined
      before = mark
    }
    return text
  }

  /** The text that v2 signs in another style. */
  canonical(style: JsonStyle): string {
    this.#sorted ??= this.#sort(0, this.tokens.length, [])
    return this.#sorted
      .map((token) => styled(style, token))
      .join('')
      .replace(/[ \n\r]/g, '')
  }

  /** In another style, with the white space unchanged. */
  restyle(style: JsonStyle): string {
    const parts: string[] = []
    let at = 0
    for (const token of this.tokens) {
      const text = styled(style, token)
      if (text === token.text) continue
      parts.push(this.#text.slice(at, token.start), text)
      at = token.start + token.text.length
    }
    return parts.join('') + this.#text.slice(at)
  }

  /** Adds tokens to a list, the members of each object sorted by their names. */
  #sort(from: number, end: number, sorted: JsonToken[]): readonly JsonToken[] {
    for (let at = from; at < end; at++) {
      sorted.push(this.tokens[at]!)
      if (this.tokens[at]!.text !== '{') continue
      const members = [...this.members(at)].sort((a, b) => byUnit(a.name, b.name))
      members.forEach(({ key, value, end }, index) => {
        if (index > 0) sorted.push(COMMA)
        sorted.push(this.tokens[key]!, this.tokens[key + 1]!)
        this.#sort(value, end, sorted)
      })
      at = this.#closings.get(at)!
      sorted.push(this.tokens[at]!)
    }
    return sorted
  }
}

const COMMA: JsonToken = { kind: 'mark', text: ',', start: 0, key: '' }

function styled(style: JsonStyle, token: JsonToken): string {
  if (token.kind === 'string' && style.string !== undefined) return style.string(token)
  if (token.kind === 'number' && style.number !== undefined) return style.number(token)
  return token.text
}

/** A string, a number, a literal or a mark. A byte order mark and white space are skipped. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[a-z]+|[{}[\]:,]/g

export function tokensOf(text: string): readonly JsonToken[] {
  const tokens: JsonToken[] = []
  let key = ''
  let lastString = ''
  for (const { 0: found, index: start } of text.matchAll(TOKEN)) {
    const token = { kind: kindOf(found.charCodeAt(0)), text: found, start, key }
    if (token.kind === 'string') lastString = found
    else if (found === ':') key = lastString
    tokens.push(token)
  }
  return tokens
}

function kindOf(code: number): JsonToken['kind'] {
  if (code === 0x22 /* " */) return 'string'
  if (code === 0x2d /* - */ || (code >= 0x30 && code <= 0x39)) return 'number'
  return code >= 0x61 /* a */ && code <= 0x7a /* z */ ? 'literal' : 'mark'
}

function containersOf(tokens: readonly JsonToken[]): readonly JsonContainer[] {
  const found: { at: number; end: number; name: string }[] = []
  const open: typeof found = []
  tokens.forEach(({ kind, text, key }, at) => {
    if (kind !== 'mark') return
    if (text === '}' || text === ']') open.pop()!.end = at
    if (text !== '{' && text !== '[') return
    const parent = open.at(-1)
    const isItem = parent !== undefined && tokens[parent.at]!.text === '['
    const container = { at, end: at, name: isItem ? parent.name : key.slice(1, -1) }
    found.push(container)
    open.push(container)
  })
  return found
}
