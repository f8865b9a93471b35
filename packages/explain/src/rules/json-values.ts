import { asciiJson, pythonNumber } from '@service-signature/core/signature/canonical-json/tokens'
import { once } from '../read/encodings.js'
import {
  tokensOf,
  UNCHANGED,
  type JsonContainer,
  type JsonStyle,
  type JsonText,
  type JsonToken,
} from '../read/json-text.js'

export function combined(strings: JsonStyle, numbers: JsonStyle): JsonStyle {
  return { ...strings, ...numbers, says: [...strings.says, ...numbers.says] }
}

const ESCAPED = 'letters beyond ASCII as \\u escapes'
const COMPOSED = 'letters in one piece (NFC), where letters and marks arrived apart (NFD)'

/** How printers write strings, the likeliest sender first. Styles that would change nothing are left out. */
export function stringStyles({ tokens }: JsonText): readonly JsonStyle[] {
  const isIn = (pattern: RegExp) => tokens.some(({ kind, text }) => kind === 'string' && pattern.test(text))
  const styles: readonly (readonly [isLikely: boolean, says: string, write: (text: string) => string])[] = [
    [isIn(/[\x7f-\uffff]/), ESCAPED, ascii],
    [isIn(/\\u/), 'letters beyond ASCII as they are, without \\u escapes', raw],
    [isIn(/\\u00(?:2[267b]|3[cde])/i), '<, > and & without \\u escapes', ascii],
    [isIn(/\\\//), '/ without a backslash', raw],
    [isIn(/\\\//), '/ without a backslash', ascii],
  ]
  return styles.filter(([isLikely]) => isLikely).map(([, says, write]) => stringStyle(says, write))
}

/**
 * How the sender may have written the strings that v2 signs: with the escapes of Python, or without any. Where the body
 * has combining marks, they were joined to their letters.
 */
export function canonicalStrings({ tokens }: JsonText): readonly JsonStyle[] {
  const strings = tokens.filter(({ kind, text }) => kind === 'string' && !isPlain(text))
  if (strings.length === 0) return [UNCHANGED]
  const text = strings.map((token) => raw(token.text)).join('')
  const escaped = isPlain(text.replaceAll('\\', '')) ? [] : [stringStyle(ESCAPED, ascii)]
  const composed = /[\u0300-\u036f]/.test(text)
    ? [ascii, raw].map((write) => stringStyle(COMPOSED, (each) => write(raw(each).normalize('NFC'))))
    : []
  return [...composed, ...escaped, { ...stringStyle('', raw), says: [] }]
}

function stringStyle(says: string, write: (text: string) => string): JsonStyle {
  // Keys and many values occur more than once.
  const known = new Map<string, string>()
  return {
    says: [says],
    string: ({ text }) => once(known, text, () => write(text)),
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

const AMOUNT = /amount|value|price|total/i

const MAX_KEYS = 5

/**
 * How printers write numbers, the likeliest sender first. Whether a whole number was a float (10.0) cannot be seen, but
 * numbers under one key have one type.
 */
export function numberStyles({ tokens }: JsonText): readonly JsonStyle[] {
  const numbers = tokens.filter(({ kind }) => kind === 'number')
  const floats = floatStyles(numbers.filter(isWhole))
  const isWritten = numbers.some(({ text }) => /[.eE]/.test(text))
  return [
    ...floats,
    ...[UNCHANGED, ...floats].flatMap((style) => unroundedStyles(numbers, style)),
    ...(isWritten ? WRITTEN : []),
  ]
}

function floatStyles(numbers: readonly JsonToken[]): readonly JsonStyle[] {
  const all = [...new Set(numbers.map(({ key }) => key))]
  const amounts = all.filter((key) => AMOUNT.test(key))
  const others = all.filter((key) => !amounts.includes(key)).slice(0, MAX_KEYS)
  const sets = [
    amounts,
    all,
    ...others.map((key) => [...amounts, key]),
    ...others.map((one) => all.filter((key) => key !== one)),
    [],
  ]
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

/** More than 53 bits, as a float prints them. */
export function isRounded({ text }: JsonToken): boolean {
  const size = Math.abs(Number(text))
  return /^-?(?:\d{16,}|\d\.\d+e\+?\d+)$/i.test(text) && Number.isInteger(size) && size >= 2 ** 53
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

/** The JSON as it may have been before a parser and a printer that cannot preserve all of it. */
export interface JsonRepair {
  readonly json: JsonText
  readonly says: readonly string[]
}

/** More tokens than events have take too long to be repaired. */
const MAX_TOKENS = 4096
const MAX_SINGLE = 4
const MAX_REPAIRS = 24

/** Everything that printers and filters are known to lose, the likeliest first. */
export function repairsOf(arrived: JsonText): readonly JsonRepair[] {
  const unchanged = withSnakeCase({ json: arrived, says: [] })
  if (arrived.tokens.length > MAX_TOKENS) return [unchanged]
  let repairs: readonly (JsonRepair & { readonly rank: number })[] = [{ ...unchanged, rank: 0 }]
  for (const step of [emptyRepairs, nullRepairs, textRepairs]) {
    repairs = repairs.flatMap((repair) =>
      step(repair).map((next, index) => ({ ...next, rank: repair.rank + index })),
    )
  }
  return [...repairs].sort((a, b) => a.rank - b.rank).slice(0, MAX_REPAIRS)
}

/** The service has no key in camelCase. Where all are, something renamed them. */
function withSnakeCase(repair: JsonRepair): JsonRepair {
  const keys = repair.json.tokens.map(({ key }) => key)
  if (!keys.some((key) => /[a-z][A-Z]/.test(key)) || keys.some((key) => key.includes('_'))) return repair
  const inSnakeCase = (text: string) =>
    text.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const tokens = repair.json.tokens.map((token, at, all) => {
    const isKey = /^"\w+"$/.test(token.text) && all[at + 1]?.text === ':'
    return isKey ? { ...token, text: inSnakeCase(token.text) } : token
  })
  return {
    json: repair.json.withTokens(tokens),
    says: ['keys in snake_case, which were renamed to camelCase'],
  }
}

/** The members of the events that are objects when they are empty; the others are lists. */
const OBJECT = /fields$|data$|answers$|method$|provider$/

/** Empty lists and objects that were confused: those whose name says so, or a single one. */
function emptyRepairs(repair: JsonRepair): readonly JsonRepair[] {
  const { tokens } = repair.json
  const empty = repair.json.containers.filter(({ at, end }) => end === at + 1)
  // A printer that confuses them prints one kind only. Where there are both, only known names can be wrong.
  const isOneKind = new Set(empty.map(({ at }) => tokens[at]!.text)).size === 1
  const wrong = empty.filter(({ at, name }) => {
    return OBJECT.test(name) ? tokens[at]!.text === '[' : isOneKind && tokens[at]!.text === '{'
  })
  const single = empty.slice(0, isOneKind ? MAX_SINGLE : 0).map((one) => [one])
  const sets = wrong.length === 0 ? [[], ...single] : [wrong, [], ...single]
  return sets.map((set) => withEmpty(repair, set))
}

function withEmpty({ json, says }: JsonRepair, empty: readonly JsonContainer[]): JsonRepair {
  const tokens = [...json.tokens]
  const clauses = empty.map(({ at, end }) => {
    const arrived = tokens[at]!.text === '[' ? '[]' : '{}'
    const signed = arrived === '[]' ? '{}' : '[]'
    tokens[at] = { ...tokens[at]!, text: signed[0]! }
    tokens[end] = { ...tokens[end]!, text: signed[1]! }
    return `${signed} where ${arrived} arrived`
  })
  return { json: json.withTokens(tokens), says: [...says, ...clauses.slice(0, 1)] }
}

/** The members of the events that may be null, by the name of their object (see specification, Payload shapes). */
const PAYMENT = ['custom_fields', 'custom_form_answers', 'billing_data']
const NULLABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ['intent', ['custom_fields', 'custom_form_answers']],
  ['transaction', ['billing_data']],
  ['active_transaction', PAYMENT],
  ['transactions_history', PAYMENT],
])
/** The members of an intent that is the subject of the event, which has a status. */
const NULLABLE_OF_SUBJECT = ['custom_fields', 'billing_data', 'flow']

/** Null members that were dropped: all that may be null, or those of one name. */
function nullRepairs(repair: JsonRepair): readonly JsonRepair[] {
  const { json, says } = repair
  if (json.tokens.some(({ text }) => text === 'null')) return [repair]
  const missing = missingMembers(json)
  const names = [...new Set([...missing.values()].flat())]
  const sets = names.length > 1 ? [names, ...names.map((name) => [name])] : [names]
  const repairs = sets.map((set): JsonRepair => {
    const tokens = json.tokens.flatMap((token, at) => {
      const dropped = missing.get(at)?.filter((name) => set.includes(name)) ?? []
      return [...dropped.flatMap((name) => tokensOf(`,"${name}":null`)), token]
    })
    return { json: json.withTokens(tokens), says: [...says, 'null members, which were dropped'] }
  })
  return names.length === 0 ? [repair] : [repairs[0]!, repair, ...repairs.slice(1)]
}

/** The missing members of the events' objects that may be null, by the token that closes the object. */
function missingMembers(json: JsonText): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>()
  for (const { at, end, name } of json.containers) {
    const nullable = NULLABLE.get(name)
    if (json.tokens[at]!.text !== '{' || nullable === undefined) continue
    const names = new Set(json.members(at).map((member) => member.name))
    const isSubject = name === 'intent' && names.has('status')
    const missing = (isSubject ? NULLABLE_OF_SUBJECT : nullable).filter((key) => !names.has(key))
    if (missing.length > 0 && names.size > 0) found.set(end, missing)
  }
  return found
}

/** The members that hold text, which is empty rather than null. */
const TEXT = /message|note|text|comment|description|name$|email|phone|address|city|street/i

/** Empty texts that a filter made null, as ConvertEmptyStringsToNull of Laravel does. */
function textRepairs(repair: JsonRepair): readonly JsonRepair[] {
  const isNullText = ({ text, key }: JsonToken) => text === 'null' && TEXT.test(key)
  if (!repair.json.tokens.some(isNullText)) return [repair]
  const tokens = repair.json.tokens.map((token) =>
    isNullText(token) ? { ...token, kind: 'string' as const, text: '""' } : token,
  )
  const says = [...repair.says, 'empty texts, which arrived as null']
  return [repair, { json: repair.json.withTokens(tokens), says }]
}
