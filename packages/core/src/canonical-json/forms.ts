import { decodeJson } from '../json.js'
import { readDocument } from './document.js'
import { print, type Style } from './print.js'
import { compareCodePoints, compareCodeUnits, Tokens } from './tokens.js'

/** How the sender printed the JSON text that v2 signs, where the documentation of the service leaves it open. */
export type CanonicalForm = 'source' | 'ecmascript' | 'python'

// Each is a faithful reading of the documentation; the likeliest first (see specification, Canonical forms).
const STYLES: Readonly<Record<CanonicalForm, Style>> = {
  source: { compareKeys: compareCodePoints },
  ecmascript: { compareKeys: compareCodeUnits, spell: (tokens) => tokens.ecmascript() },
  python: { compareKeys: compareCodePoints, spell: (tokens) => tokens.python() },
}

export const CANONICAL_FORMS = Object.keys(STYLES) as readonly CanonicalForm[]

/** The different texts of a body that v2 may have signed, one at a time. @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function* canonicalForms(
  body: Uint8Array,
  forms: readonly CanonicalForm[],
): Generator<{ bytes: Uint8Array; form: CanonicalForm }, void, void> {
  const document = readDocument(withoutByteOrderMark(body))
  if (!document.isAscii) decodeJson(body)
  const tokens = new Tokens(document)
  const printed: Uint8Array[] = []
  for (const form of forms) {
    const bytes = print(document, tokens, STYLES[form])
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
