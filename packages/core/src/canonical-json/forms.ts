import stableStringify from 'fast-json-stable-stringify'
import { decodeJson } from '../json/text.js'
import { pythonText } from './python.js'
import { sourceBytes } from './source.js'
import { withoutSpaces } from './spaces.js'
import { readTree, type JsonNode } from './tree.js'

/** How the sender printed the JSON text that v2 signs, where S6.4 leaves it open. */
export type CanonicalForm = 'source' | 'ecmascript' | 'python'

interface JsonDocument {
  /** Without a byte order mark. */
  readonly bytes: Uint8Array
  readonly text: string
  readonly root: JsonNode
}

/** Each is a faithful reading of S6.4; the likeliest first. All end without spaces and line breaks. */
const FORMS: Readonly<Record<CanonicalForm, (document: JsonDocument) => Uint8Array>> = {
  source: ({ root, bytes }) => sourceBytes(root, bytes),
  ecmascript: ({ text }) => compact(stableStringify(JSON.parse(text))),
  python: ({ root, bytes }) => compact(pythonText(root, bytes)),
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
  const document = read(body)
  const printed: Uint8Array[] = []
  for (const form of forms) {
    const bytes = FORMS[form](document)
    if (printed.some((earlier) => isSame(earlier, bytes))) continue
    printed.push(bytes)
    yield { bytes, form }
  }
}

function read(body: Uint8Array): JsonDocument {
  const text = decodeJson(body)
  const hasByteOrderMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  const bytes = hasByteOrderMark ? body.subarray(3) : body
  return { text, bytes, root: readTree(bytes) }
}

function compact(text: string): Uint8Array {
  return withoutSpaces(new TextEncoder().encode(text))
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
