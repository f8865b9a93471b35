import { asciiJson, pythonNumber } from '@service-signature/core/internal'

export interface JsonToken {
  readonly kind: 'string' | 'number' | 'literal' | 'mark'
  readonly text: string
  /** Where it starts in the text. */
  readonly start: number
  /** The key before it; empty before the first. */
  readonly key: string
}

/** How a printer writes strings and numbers; as in the body, where a function is missing. */
export interface JsonStyle {
  /** What differs from the body, in clauses. */
  readonly says: readonly string[]
  readonly string?: (token: JsonToken) => string
  readonly number?: (token: JsonToken) => string
}

export const UNCHANGED: JsonStyle = { says: [] }

export function styled(style: JsonStyle, token: JsonToken): string {
  if (token.kind === 'string' && style.string !== undefined) return style.string(token)
  if (token.kind === 'number' && style.number !== undefined) return style.number(token)
  return token.text
}

/** The strings of one style with the numbers of another. */
export function combined(strings: JsonStyle, numbers: JsonStyle): JsonStyle {
  return { ...strings, ...numbers, says: [...strings.says, ...numbers.says] }
}

/** How printers write strings, the likeliest sender first. Styles that would change nothing are left out. */
export function stringStyles(tokens: readonly JsonToken[]): readonly JsonStyle[] {
  const isIn = (pattern: RegExp) => tokens.some(({ kind, text }) => kind === 'string' && pattern.test(text))
  const isRaw = isIn(/[\x7f-\uffff]/)
  const hasSlash = isIn(/\//)
  return [
    ...(isRaw ? [stringStyle('letters beyond ASCII as \\u escapes', ascii)] : []),
    ...(isIn(/\\u/) ? [stringStyle('letters beyond ASCII as they are, without \\u escapes', raw)] : []),
    ...(isIn(/\\\//) ? [stringStyle('/ without a backslash', raw)] : []),
    ...(hasSlash ? [stringStyle('\\/ for a slash', (text) => slashes(raw(text)))] : []),
    ...(hasSlash && isRaw
      ? [stringStyle('\\/ for a slash and \\u escapes, as PHP does', (text) => slashes(ascii(text)))]
      : []),
  ]
}

function stringStyle(says: string, write: (text: string) => string): JsonStyle {
  // Keys and many values occur more than once.
  const known = new Map<string, string>()
  return {
    says: [says],
    string({ text }) {
      const written = known.get(text) ?? write(text)
      known.set(text, written)
      return written
    },
  }
}

function ascii(text: string): string {
  return isPlain(text) ? text : new TextDecoder().decode(asciiJson(raw(text)))
}

function raw(text: string): string {
  return isPlain(text) ? text : JSON.stringify(JSON.parse(text))
}

/** All printers write it like this. */
function isPlain(text: string): boolean {
  return /^[\x20-\x5b\x5d-\x7e]*$/.test(text)
}

function slashes(text: string): string {
  return text.replaceAll('/', '\\/')
}

/** The fields that hold an amount. */
const AMOUNT = /amount|value|price|total/i

const MAX_KEYS = 4

/**
 * How printers write numbers, the likeliest sender first. Which integers were floats cannot be seen, but numbers under
 * one key have one type.
 */
export function numberStyles(tokens: readonly JsonToken[]): readonly JsonStyle[] {
  const numbers = tokens.filter(({ kind }) => kind === 'number')
  const integers = [...new Set(numbers.filter(isInteger).map(({ key }) => key))]
  const few = integers.slice(0, MAX_KEYS)
  const sets = distinct([
    integers,
    integers.filter((key) => AMOUNT.test(key)),
    ...few.map((key) => [key]),
    ...few.map((key) => integers.filter((other) => other !== key)),
  ])
  const isWritten = numbers.some(({ text }) => /[.eE]/.test(text))
  return [...sets.map(floats), ...(isWritten ? WRITTEN : []), ...decimals(numbers)]
}

const WRITTEN: readonly JsonStyle[] = [
  { says: ['numbers as Python prints floats'], number: ({ text }) => likePython(text) },
  { says: ['numbers as JavaScript prints them'], number: ({ text }) => String(Number(text)) },
]

/** The lists that are not empty, each once. */
function distinct(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(lists.filter((list) => list.length > 0).map((list) => [list.join('\0'), list])).values()]
}

function floats(list: readonly string[]): JsonStyle {
  const keys = new Set(list)
  return {
    says: [keys.size === 1 ? 'whole numbers of one field as 10.0' : 'whole numbers as 10.0'],
    number: (token) => likePython(isInteger(token) && keys.has(token.key) ? `${token.text}.0` : token.text),
  }
}

/** Money with two decimals, as decimal types print it: the amounts alone, then all numbers. */
function decimals(numbers: readonly JsonToken[]): readonly JsonStyle[] {
  const money = numbers.filter(isMoney)
  const amounts = money.filter(({ key }) => AMOUNT.test(key))
  const isMixed = amounts.length > 0 && amounts.length < money.length
  return [...(isMixed ? [cents(AMOUNT)] : []), ...(money.length > 0 ? [cents(/(?:)/)] : [])]
}

function cents(keys: RegExp): JsonStyle {
  return {
    says: ['numbers with two decimals, as 10.00'],
    number: (token) => (isMoney(token) && keys.test(token.key) ? Number(token.text).toFixed(2) : token.text),
  }
}

function isMoney({ text }: JsonToken): boolean {
  return /^-?\d{1,12}(?:\.\d)?$/.test(text)
}

function isInteger({ text }: JsonToken): boolean {
  return /^-?\d+$/.test(text)
}

function likePython(text: string): string {
  // Most numbers are written like this already.
  if (/^-?(?:[1-9]\d{0,14}|0)(?:\.0|\.\d{0,2}[1-9])?$/.test(text)) return text
  return pythonNumber(text)
}
