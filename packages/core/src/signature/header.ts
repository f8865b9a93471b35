import { WebhookError } from '../errors.js'
import { isVersion, type Version, VERSION_NAMES } from './names.js'

/** The value of `Service-Signature`, as hosts have it, or all headers of the request. */
export type SignatureHeaderValue = string | readonly string[] | RequestHeaders | null | undefined

/** All headers of a request: a `Headers`, or an object like `req.headers`. The case of names does not matter. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined; readonly get?: never }

/** The content of the header: `t` as sent, because its text is signed, and the digest of each known version. */
export interface SignatureHeader {
  readonly timestamp: string
  readonly signatures: Readonly<Partial<Record<Version, string>>>
}

// The grammar and its limits: see specification, Header.
const MAX_CHARACTERS = 1024
const MAX_ELEMENTS = 16
const NAME = /^[a-z][a-z0-9]*$/
const TIMESTAMP = /^[0-9]{1,12}$/
const DIGEST = /^[0-9a-f]{64}$/
/** The header as the service writes it. Read at once, because the steps of the grammar take twice as long. */
const USUAL = new RegExp(
  // Stryker disable next-line StringLiteral,ArrowFunction: what it does not read, the grammar reads
  `^t=([0-9]{10})${VERSION_NAMES.map((name) => `(?:,${name}=([0-9a-f]{64}))?`).join('')}$`,
)

/**
 * Reads the header by a strict grammar.
 *
 * @example
 * const { timestamp, signatures } = parseSignatureHeader(request.headers['service-signature'])
 *
 * @throws {WebhookError} `ERR_SIGNATURE_MISSING`, `ERR_SIGNATURE_MALFORMED`
 */
export function parseSignatureHeader(header: SignatureHeaderValue): SignatureHeader {
  const text = single(header)
  return usual(text) ?? readElements(text)
}

// Stryker disable BlockStatement,ConditionalExpression,EqualityOperator,ArithmeticOperator: without it, the grammar gives the same.
function usual(text: string): SignatureHeader | undefined {
  // 12 characters for `t`, and 68 for each digest: the attempt costs as much as a refusal.
  if (text.length % 68 !== 12) return undefined
  const found = USUAL.exec(text)
  if (found === null) return undefined
  const signatures: Partial<Record<Version, string>> = {}
  for (let at = 0; at < VERSION_NAMES.length; at++) {
    const digest = found[at + 2]
    if (digest !== undefined) signatures[VERSION_NAMES[at]!] = digest
  }
  return { timestamp: found[1]!, signatures }
}
// Stryker restore BlockStatement,ConditionalExpression,EqualityOperator,ArithmeticOperator

/** The grammar, for any text. @throws {WebhookError} `ERR_SIGNATURE_MALFORMED` */
export function readElements(text: string): SignatureHeader {
  if (text.length > MAX_CHARACTERS) throw malformed(`it is longer than ${MAX_CHARACTERS} characters`)

  let timestamp: string | undefined
  const signatures: Partial<Record<Version, string>> = {}
  let comma = -1
  let count = 0
  do {
    if (++count > MAX_ELEMENTS) throw malformed(`it has more than ${MAX_ELEMENTS} elements`)
    const start = comma + 1
    comma = text.indexOf(',', start)
    const { name, value } = nameAndValue(text, start, comma === -1 ? text.length : comma)
    if (name === 't') {
      if (timestamp !== undefined) throw malformed('duplicate "t"')
      if (!TIMESTAMP.test(value)) throw malformed('"t" is not 1 to 12 digits')
      timestamp = value
    } else if (isVersion(name)) {
      if (signatures[name] !== undefined) throw malformed(`duplicate "${name}"`)
      if (!DIGEST.test(value)) throw malformed(`"${name}" is not 64 lowercase hex digits`)
      signatures[name] = value
    } else if (!NAME.test(name)) {
      throw malformed('an element is not name=value')
    }
  } while (comma !== -1)
  if (timestamp === undefined) throw malformed('it has no "t"')
  return { timestamp, signatures }
}

/**
 * Writes the header; the inverse of {@link parseSignatureHeader}.
 *
 * @example
 * formatSignatureHeader({ timestamp: 1743090080, signatures: { v3: digest } }) // 't=1743090080,v3=ca13...'
 *
 * @throws {TypeError} on a value that the grammar does not allow
 */
export function formatSignatureHeader(header: {
  readonly timestamp: string | number
  readonly signatures: SignatureHeader['signatures']
}): string {
  const timestamp = String(header.timestamp)
  if (!TIMESTAMP.test(timestamp)) {
    throw new TypeError('"timestamp" must be a Unix time in seconds, 1 to 12 digits')
  }
  const unknown = Object.keys(header.signatures).find((name) => !isVersion(name))
  if (unknown !== undefined) {
    const given = JSON.stringify(unknown)
    throw new TypeError(
      `"signatures" contains an unknown version ${given}; expected ${VERSION_NAMES.join(', ')}`,
    )
  }
  let text = `t=${timestamp}`
  for (const name of VERSION_NAMES) {
    const digest = header.signatures[name]
    if (digest === undefined) continue
    if (!DIGEST.test(digest)) throw new TypeError(`"${name}" must be 64 lowercase hex digits`)
    text += `,${name}=${digest}`
  }
  return text
}

function single(header: SignatureHeaderValue): string {
  const value = signatureIn(header)
  if (value === null || value === undefined) throw new WebhookError('ERR_SIGNATURE_MISSING')
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const [text] = values
  if (values.length !== 1) throw malformed(`it was sent ${values.length} times`)
  if (typeof text !== 'string') throw malformed('it is not a string')
  return text
}

export function signatureIn(header: SignatureHeaderValue): string | readonly string[] | null | undefined {
  if (typeof header !== 'object' || header === null || Array.isArray(header)) return header as string
  const headers = header as RequestHeaders
  if (typeof headers.get === 'function') return headers.get('service-signature')
  const named = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'service-signature')
  const values = named.flatMap(([, value]) => value ?? [])
  return values.length === 0 ? undefined : values
}

/** An element, split at its first `=`. Only spaces and tabs may surround it. */
function nameAndValue(text: string, start: number, end: number): { name: string; value: string } {
  while (isBlank(text.charCodeAt(start))) start++
  while (isBlank(text.charCodeAt(end - 1))) end--
  // If this '=' belongs to a later element, the name contains a comma and NAME rejects it.
  const equals = text.indexOf('=', start)
  if (equals === -1) throw malformed('an element is not name=value')
  return { name: text.slice(start, equals), value: text.slice(equals + 1, end) }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function malformed(detail: string): WebhookError {
  return new WebhookError('ERR_SIGNATURE_MALFORMED', { detail })
}
