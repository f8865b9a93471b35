import { asciiJson, pythonNumber } from '@service-signature/core/internal'

export interface JsonToken {
  readonly kind: 'string' | 'number' | 'literal' | 'mark'
  readonly text: string
  /** Where it starts in the text. */
  readonly start: number
  /** The key before it; empty before the first. */
  readonly key: string
}

/** How a printer writes strings and numbers. A missing function leaves them as they are in the body. */
export interface JsonStyle {
  /** The differences from the body, in clauses. */
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
    ...(isRaw ? [stringStyle(ESCAPED, ascii)] : []),
    ...(isIn(/\\u/) ? [stringStyle('letters beyond ASCII as they are, without \\u escapes', raw)] : []),
    ...(isIn(/\\u00(?:2[267b]|3[cde])/i) ? [stringStyle('<, > and & without \\u escapes', ascii)] : []),
    ...(isIn(/\\\//)
      ? [stringStyle('/ without a backslash', raw), stringStyle('/ without a backslash', ascii)]
      : []),
    ...(isIn(/\\u[0-9a-f]*[A-F]/) ? [stringStyle('\\u escapes in lower case', ascii)] : []),
    ...(hasSlash ? [stringStyle('\\/ for a slash', (text) => slashes(raw(text)))] : []),
    ...(hasSlash && isRaw
      ? [stringStyle('\\/ for a slash and \\u escapes, as PHP does', (text) => slashes(ascii(text)))]
      : []),
  ]
}

/**
 * How the sender may have written the strings that v2 signs: with the escapes of Python, or without any. Where the body
 * has combining marks, they were joined to their letters.
 */
export function canonicalStrings(tokens: readonly JsonToken[]): readonly JsonStyle[] {
  const strings = tokens.filter(({ kind, text }) => kind === 'string' && !isPlain(text))
  if (strings.length === 0) return [UNCHANGED]
  const text = strings.map((token) => raw(token.text)).join('')
  const escaped = isPlain(text.replaceAll('\\', '')) ? [] : [stringStyle(ESCAPED, ascii)]
  const composed = /[\u0300-\u036f]/.test(text)
    ? [ascii, raw].map((write) => stringStyle(COMPOSED, (each) => write(raw(each).normalize('NFC'))))
    : []
  return [...composed, ...escaped, { ...stringStyle('', raw), says: [] }]
}

const ESCAPED = 'letters beyond ASCII as \\u escapes'
const COMPOSED = 'letters in one piece (NFC), where letters and marks arrived apart (NFD)'

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

const MAX_KEYS = 5

/**
 * How printers write numbers, the likeliest sender first. Whether a whole number was a float (10.0) cannot be seen, but
 * numbers under one key have one type.
 */
export function numberStyles(tokens: readonly JsonToken[]): readonly JsonStyle[] {
  const numbers = tokens.filter(({ kind }) => kind === 'number')
  const floats = floatStyles(numbers.filter(isWhole))
  const isWritten = numbers.some(({ text }) => /[.eE]/.test(text))
  return [
    ...floats.slice(0, MAX_KEYS),
    ...[UNCHANGED, ...floats.slice(0, MAX_KEYS)].flatMap((style) => unroundedStyles(numbers, style)),
    ...floats.slice(MAX_KEYS),
    ...(isWritten ? WRITTEN : []),
    ...decimals(numbers),
  ]
}

/** The whole numbers under some keys as floats, and those under the others as integers. */
function floatStyles(numbers: readonly JsonToken[]): readonly JsonStyle[] {
  const all = [...new Set(numbers.map(({ key }) => key))]
  const amounts = all.filter((key) => AMOUNT.test(key))
  const others = all.filter((key) => !amounts.includes(key)).slice(0, MAX_KEYS)
  const few = others.map((key) => [key])
  const sets = distinct([
    amounts,
    all,
    ...few.map((keys) => [...amounts, ...keys]),
    ...few.map(([one]) => all.filter((key) => key !== one)),
    ...amounts.slice(0, MAX_KEYS).map((key) => [key]),
    ...few,
    [],
  ])
  return sets.map((keys) => floats(new Set(keys), numbers)).filter(({ says }) => says.length > 0)
}

function floats(keys: ReadonlySet<string>, numbers: readonly JsonToken[]): JsonStyle {
  const lost = new Set(
    numbers.filter((token) => isInteger(token) && keys.has(token.key)).map(({ key }) => key),
  )
  const isAdded = numbers.some((token) => !isInteger(token) && !keys.has(token.key))
  return {
    says: [
      ...(lost.size === 0 ? [] : [`whole numbers ${lost.size === 1 ? 'of one field ' : ''}as 10.0`]),
      ...(isAdded ? ['whole numbers as 10 that arrived as 10.0'] : []),
    ],
    number(token) {
      if (!isWhole(token)) return likePython(token.text)
      const integer = token.text.replace('.0', '')
      return keys.has(token.key) ? likePython(`${integer}.0`) : integer
    },
  }
}

/** Floats keep 53 bits of an integer. What it was can be found if few integers are rounded to the same. */
function unroundedStyles(numbers: readonly JsonToken[], { says, number }: JsonStyle): readonly JsonStyle[] {
  const [large, another] = new Set(numbers.filter(isRounded).map(({ text }) => text))
  if (large === undefined || another !== undefined) return []
  const near = BigInt(Number(large))
  const integers = [1n, -1n, 2n, -2n, 3n, -3n, 4n, -4n].map((step) => near + step)
  return integers
    .filter((integer) => Number(integer) === Number(large) && String(integer) !== large)
    .map((integer) => ({
      says: [...says, 'an integer above 2^53, which was rounded'],
      number: (token) => (token.text === large ? String(integer) : (number?.(token) ?? token.text)),
    }))
}

const WRITTEN: readonly JsonStyle[] = [
  { says: ['numbers as Python prints floats'], number: ({ text }) => likePython(text) },
  { says: ['numbers as JavaScript prints them'], number: ({ text }) => String(Number(text)) },
]

/** Each list once. */
function distinct(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(lists.map((list) => [JSON.stringify([...list].sort()), list])).values()]
}

/** Money with two decimals, as decimal types print it: first only the amounts, then all numbers. */
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

/** More than 53 bits, as a float prints them. */
export function isRounded({ text }: JsonToken): boolean {
  return (
    /^-?(?:\d{16,}|\d\.\d+e\+?\d+)$/i.test(text) &&
    Number.isInteger(Number(text)) &&
    Math.abs(Number(text)) >= 2 ** 53
  )
}

/** `10` or `10.0`, and not so large that floats print it in another way. */
function isWhole({ text }: JsonToken): boolean {
  return /^-?\d{1,17}(?:\.0)?$/.test(text)
}

function isInteger({ text }: JsonToken): boolean {
  return /^-?\d+$/.test(text)
}

function likePython(text: string): string {
  // Most numbers are written like this already.
  if (/^-?(?:[1-9]\d{0,14}|0)(?:\.0|\.\d{0,2}[1-9])?$/.test(text)) return text
  return pythonNumber(text)
}
