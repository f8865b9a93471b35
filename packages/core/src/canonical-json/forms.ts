import stableStringify from 'fast-json-stable-stringify'
import { decodeJson, parseJson } from '../json/text.js'
import { canonicalize } from './canonicalize.js'
import { python } from './python.js'
import { withoutSpaces } from './spaces.js'

/** How the sender printed the JSON text that v2 signs, where S6.4 leaves it open. */
export type CanonicalForm = 'source' | 'ecmascript' | 'python'

/** Each is a faithful reading of S6.4; the likeliest first. */
const FORMS: Readonly<Record<CanonicalForm, (body: Uint8Array) => Uint8Array>> = {
  source: (body) => canonicalize(jsonBytes(body)),
  ecmascript: (body) => withoutSpaces(new TextEncoder().encode(stableStringify(parseJson(body)))),
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

/** Valid UTF-8, without a byte order mark. */
function jsonBytes(body: Uint8Array): Uint8Array {
  decodeJson(body)
  const hasByteOrderMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  return hasByteOrderMark ? body.subarray(3) : body
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
