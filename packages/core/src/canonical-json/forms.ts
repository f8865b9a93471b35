import { decodeJson, parseJson } from '../json/text.js'
import { canonicalize, type Respelling } from './canonicalize.js'
import { decodeString } from './output.js'

/** How the sender printed the JSON text that v2 signs, where S6.4 leaves it open. */
export type CanonicalForm = 'source' | 'ecmascript' | 'python'

/** As Python's `json.dumps(json.loads(body))` spells it. */
export const python: Respelling = {
  string: (token) => pythonString(decodeString(token)),
  number: (token) => pythonNumber(new TextDecoder().decode(token)),
}

/** Each is a faithful reading of S6.4; the likeliest first. */
const FORMS: Readonly<Record<CanonicalForm, (body: Uint8Array) => Uint8Array>> = {
  source: (body) => canonicalize(jsonBytes(body)),
  ecmascript: (body) => withoutSpaces(new TextEncoder().encode(sortedJson(parseJson(body)))),
  python: (body) => canonicalize(jsonBytes(body), python),
}

export const CANONICAL_FORMS = Object.keys(FORMS) as readonly CanonicalForm[]

/**
 * The texts of a body that v2 may have signed before `t`, one at a time, for printing the second costs as much as
 * the first. A form that prints what an earlier one printed is left out.
 *
 * @throws {WebhookError} `ERR_BODY_NOT_JSON`
 */
export function* canonicalForms(
  body: Uint8Array,
  forms: readonly CanonicalForm[],
): Generator<{ bytes: Uint8Array; form: CanonicalForm }, void, void> {
  const printed: Uint8Array[] = []
  for (const form of forms) {
    const bytes = FORMS[form](body)
    if (printed.some((earlier) => isSame(earlier, bytes))) continue
    printed.push(bytes)
    yield { bytes, form }
  }
}

/** The bytes without what S6.4 and S6.5 call spaces and line breaks: U+0020, U+000A, U+000D. A tab is none. */
export function withoutSpaces(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length)
  let length = 0
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d) kept[length++] = byte
  }
  return kept.subarray(0, length)
}

/** Valid UTF-8, without a byte order mark. */
function jsonBytes(body: Uint8Array): Uint8Array {
  decodeJson(body)
  const hasByteOrderMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  return hasByteOrderMark ? body.subarray(3) : body
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** `JSON.stringify` with sorted keys. Not by way of a sorted object, in which "2" comes before "10". */
function sortedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`
  const fields = value as Readonly<Record<string, unknown>>
  const members = Object.keys(fields)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(fields[key])}`)
  return `{${members.join()}}`
}

/** JSON.stringify escapes as Python does, but leaves U+007F and what is beyond ASCII alone. */
function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** An integer keeps its digits, however many; anything else is a float. */
function pythonNumber(source: string): string {
  if (!/[.eE]/.test(source)) return source === '-0' ? '0' : source
  return pythonFloat(Number(source))
}

/** What `json.dumps` prints: the same shortest digits as in JavaScript (and `Infinity`), with the exponent at other bounds. */
function pythonFloat(value: number): string {
  const exponential = value.toExponential()
  const exponent = Number(exponential.slice(exponential.indexOf('e') + 1))
  if (exponent < -4 || exponent >= 16) return exponential.replace(/(?<=e[+-])\d$/, '0$&')
  const sign = Object.is(value, -0) ? '-' : ''
  return `${sign}${value}${Number.isInteger(value) ? '.0' : ''}`
}
