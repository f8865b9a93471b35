import { parseJson } from '@service-signature/core/internal'
import {
  numberStyles,
  stringStyles,
  styled,
  UNCHANGED,
  type JsonStyle,
  type JsonToken,
} from './json-styles.js'

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

/** Which of two keys comes first. */
export type KeyOrder = (a: string, b: string) => number

export const byUnit: KeyOrder = (a, b) => (a < b ? -1 : Number(a > b))

export interface JsonContainer {
  /** The indexes of the tokens that open and close it. */
  readonly at: number
  readonly end: number
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
  /** For each token that opens an array or object, the index of the one that closes it. */
  readonly #closings: Int32Array
  #sorted: readonly JsonToken[] | undefined
  #strings: readonly JsonStyle[] | undefined
  #numbers: readonly JsonStyle[] | undefined

  private constructor(text: string, tokens: readonly JsonToken[]) {
    this.#text = text
    this.tokens = tokens
    this.#closings = closingsOf(tokens)
  }

  /** Undefined if the bytes are not JSON, or nested too deep. A byte order mark is skipped. */
  static of(bytes: Uint8Array): JsonText | undefined {
    try {
      parseJson(bytes)
    } catch {
      return undefined
    }
    const text = new TextDecoder().decode(bytes)
    return new JsonText(text, tokensOf(text))
  }

  get strings(): readonly JsonStyle[] {
    return (this.#strings ??= stringStyles(this.tokens))
  }

  get numbers(): readonly JsonStyle[] {
    return (this.#numbers ??= numberStyles(this.tokens))
  }

  /** How its tokens are separated. */
  get layout(): 'indented' | 'compact' | 'spaced' {
    const trimmed = this.#text.trim()
    if (this.tokens.reduce((length, { text }) => length + text.length, 0) === trimmed.length) return 'compact'
    // Strings contain no line breaks.
    return /[\n\r]/.test(trimmed) ? 'indented' : 'spaced'
  }

  /** In another layout, or undefined if that makes it too long. */
  print(layout: JsonLayout, style: JsonStyle = UNCHANGED): string | undefined {
    return this.#print(this.tokens, layout, style)
  }

  /** The text that v2 signs in another style. */
  canonical(style: JsonStyle): string {
    this.#sorted ??= this.#sortedBy(byUnit)
    return this.#sorted
      .map((token) => styled(style, token))
      .join('')
      .replace(/[ \n\r]/g, '')
  }

  /** The same structure with other tokens in the same order. */
  withTokens(tokens: readonly JsonToken[]): JsonText {
    return new JsonText(this.#text, tokens)
  }

  /** The containers, each with the key before it; an item of an array has that of the array. */
  containers(): readonly JsonContainer[] {
    const found: JsonContainer[] = []
    const open: JsonContainer[] = []
    this.tokens.forEach(({ kind, text, key }, at) => {
      if (kind !== 'mark') return
      if (text === '}' || text === ']') open.pop()
      if (text !== '{' && text !== '[') return
      const parent = open.at(-1)
      const isItem = parent !== undefined && this.tokens[parent.at]!.text === '['
      const container = { at, end: this.#closings[at]!, name: isItem ? parent.name : key.slice(1, -1) }
      found.push(container)
      open.push(container)
    })
    return found
  }

  /** The value of a member, in another layout. */
  printValue({ value, end }: JsonMember, layout: JsonLayout): string | undefined {
    return this.#print(this.tokens.slice(value, end), layout)
  }

  /** The text with the keys of every object in another order, or only those of the outermost object. */
  printSorted(order: KeyOrder, layout: JsonLayout, isDeep = true): string | undefined {
    return this.#print(this.#sortedBy(order, isDeep), layout)
  }

  #sortedBy(order: KeyOrder, isDeep = true): readonly JsonToken[] {
    const sorted: JsonToken[] = []
    this.#sort(0, this.tokens.length, order, isDeep, sorted)
    return sorted
  }

  /** The text in another style, with the white space unchanged. */
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

  /** The members of the object that opens at a token. */
  members(at: number): readonly JsonMember[] {
    const members: JsonMember[] = []
    for (let key = at + 1; key < this.#closings[at]!;) {
      const value = key + 2
      const end = (this.#closings[value]! || value) + 1
      members.push({ name: JSON.parse(this.tokens[key]!.text) as string, key, value, end })
      key = end + 1
    }
    return members
  }

  #sort(from: number, end: number, order: KeyOrder, isDeep: boolean, sorted: JsonToken[]): void {
    for (let at = from; at < end; at++) {
      sorted.push(this.tokens[at]!)
      if (this.tokens[at]!.text !== '{' || (!isDeep && at > 0)) continue
      const members = [...this.members(at)].sort((a, b) => order(a.name, b.name))
      members.forEach(({ key, value, end }, index) => {
        if (index > 0) sorted.push(COMMA)
        sorted.push(this.tokens[key]!, this.tokens[key + 1]!)
        this.#sort(value, end, order, isDeep, sorted)
      })
      at = this.#closings[at]!
      sorted.push(this.tokens[at]!)
    }
  }

  /** Indentation may multiply the length of a deep text. That would cost too much, so printing is given up. */
  #print(
    tokens: readonly JsonToken[],
    { comma, colon, indent }: JsonLayout,
    style = UNCHANGED,
  ): string | undefined {
    const limit = 8 * this.#text.length + 1024
    const newLine = (level: number) => (indent === undefined ? '' : `\n${indent.repeat(level)}`)
    let text = ''
    let level = 0
    let before = ''
    for (const token of tokens) {
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
}

export const COMMA: JsonToken = { kind: 'mark', text: ',', start: 0, key: '' }

/** The tokens of a text that `JSON.parse` accepts. */
function tokensOf(text: string): readonly JsonToken[] {
  const tokens: JsonToken[] = []
  let key = ''
  let lastString = ''
  for (let at = 0; at < text.length;) {
    const start = at
    const kind = kindOf(text.charCodeAt(at++))
    if (kind === 'space') continue
    if (kind === 'string') at = endOfString(text, at)
    else if (kind !== 'mark') while (at < text.length && isWithinWord(text.charCodeAt(at))) at++
    const token = { kind, text: text.slice(start, at), start, key }
    if (kind === 'string') lastString = token.text
    else if (token.text === ':') key = lastString
    tokens.push(token)
  }
  return tokens
}

function kindOf(code: number): JsonToken['kind'] | 'space' {
  if (code === 0x22 /* " */) return 'string'
  if (code <= 0x20) return 'space'
  if (code === 0x2d /* - */ || (code >= 0x30 && code <= 0x39)) return 'number'
  return code >= 0x61 /* a */ && code <= 0x7a /* z */ ? 'literal' : 'mark'
}

function endOfString(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22 /* " */) return at + 1
    if (code === 0x5c /* \ */) at++
  }
}

/** A comma, the end of a container or white space follows a number or literal. */
function isWithinWord(code: number): boolean {
  return code > 0x20 && code !== 0x2c /* , */ && code !== 0x5d /* ] */ && code !== 0x7d /* } */
}

function closingsOf(tokens: readonly JsonToken[]): Int32Array {
  const closings = new Int32Array(tokens.length)
  const open: number[] = []
  tokens.forEach(({ kind, text }, at) => {
    if (kind !== 'mark') return
    if (text === '{' || text === '[') open.push(at)
    else if (text === '}' || text === ']') closings[open.pop()!] = at
  })
  return closings
}
