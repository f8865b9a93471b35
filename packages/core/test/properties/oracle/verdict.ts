import { createHmac } from 'node:crypto'
import type { CanonicalForm, Version, WebhookErrorCode } from '../../../src/entries/index.js'
import { canonicalText, FORMS } from './canonical.js'
import { hasValue, readJson } from './json.js'

/** The options of a verifier, each with its value. */
export interface Rules {
  readonly secrets: readonly string[]
  readonly apiKey: string
  readonly versions: readonly [Version, ...Version[]]
  readonly toleranceSeconds: number
  readonly futureToleranceSeconds: number
  /** In milliseconds. */
  readonly now: number
}

export type Verdict = { readonly code: WebhookErrorCode } | Acceptance

interface Acceptance {
  readonly timestamp: string
  readonly secretIndex: number
  readonly canonicalForm: CanonicalForm | undefined
}

type Elements = Readonly<Partial<Record<string, string>>>

const DIGEST = /^[0-9a-f]{64}$/
const KNOWN = new Map([
  ['t', /^[0-9]{1,12}$/],
  ['v1', DIGEST],
  ['v2', DIGEST],
  ['v3', DIGEST],
])

/** The known elements of the header by name, or the code of its refusal. */
export function readHeader(given: unknown): Elements | WebhookErrorCode {
  const value = fromHeaders(given)
  if (value === null || value === undefined) return 'ERR_SIGNATURE_MISSING'
  const malformed = 'ERR_SIGNATURE_MALFORMED'
  const [text, ...more] = Array.isArray(value) ? (value as unknown[]) : [value]
  if (typeof text !== 'string' || more.length > 0 || text.length > 1024) return malformed
  const elements = text.split(',')
  if (elements.length > 16) return malformed
  const found: Record<string, string> = {}
  for (const element of elements) {
    const [, name = '', content = ''] = /^[ \t]*([a-z][a-z0-9]*)=([^]*?)[ \t]*$/.exec(element) ?? []
    const rule = KNOWN.get(name)
    if (name === '' || (rule !== undefined && (Object.hasOwn(found, name) || !rule.test(content)))) {
      return malformed
    }
    if (rule !== undefined) found[name] = content
  }
  return 't' in found ? found : malformed
}

/** An object that is not a list is all headers of a request. */
function fromHeaders(given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given
  const names = Object.keys(given).filter((name) => /^service-signature$/i.test(name))
  const values = names
    .map((name) => (given as Record<string, unknown>)[name])
    .filter((value) => value !== undefined)
  return values.length === 0 ? undefined : values.flat()
}

export function withoutSpaces(body: Uint8Array): Uint8Array {
  return body.filter((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d)
}

/** The digest that the service puts into the header, or undefined where v2 has no JSON to sign. */
export function digestOf(
  version: Version,
  key: string,
  body: Uint8Array,
  t: string,
  form: CanonicalForm = 'source',
): string | undefined {
  const messages = {
    v1: () => withoutSpaces(body),
    v2: () => canonicalText(body, form),
    v3: () => Buffer.from(body).toString('base64'),
  }
  const message = messages[version]()
  return message === undefined ? undefined : createHmac('sha256', key).update(message).update(t).digest('hex')
}

/**
 * The required answer of a verifier, computed by an independent implementation.
 *
 * @param needsJson the body is parsed once the signature is valid
 */
export function verdictOn(rules: Rules, body: Uint8Array, header: unknown, needsJson = true): Verdict {
  const elements = readHeader(header)
  if (typeof elements === 'string') return { code: elements }
  const timestamp = elements['t'] ?? ''
  if (rules.versions.some((version) => elements[version] === undefined)) {
    return { code: 'ERR_SIGNATURE_VERSION_MISSING' }
  }
  const age = rules.now - Number(timestamp) * 1000
  if (age > rules.toleranceSeconds * 1000) return { code: 'ERR_TIMESTAMP_TOO_OLD' }
  if (-age > rules.futureToleranceSeconds * 1000) return { code: 'ERR_TIMESTAMP_IN_FUTURE' }

  const isJson = readJson(body) !== undefined
  // A body that is not JSON has no v2, but a wrong digest of another version is reported first.
  const computed = rules.versions.filter((version) => version !== 'v2' || isJson)
  const forms = rules.secrets.map((secret) => formUnder(secret, computed, rules, body, elements))
  const secretIndex = forms.findIndex((form) => form !== 'mismatch')
  if (secretIndex === -1) return { code: 'ERR_SIGNATURE_MISMATCH' }
  if ((needsJson && !hasValue(body)) || (rules.versions.includes('v2') && !isJson)) {
    return { code: 'ERR_BODY_NOT_JSON' }
  }
  const form = forms[secretIndex] as CanonicalForm
  return { timestamp, secretIndex, canonicalForm: rules.versions.includes('v2') ? form : undefined }
}

/** The form under which all versions match. The other versions have one form, named as the first. */
function formUnder(
  secret: string,
  versions: readonly Version[],
  { apiKey }: Rules,
  body: Uint8Array,
  elements: Elements,
): CanonicalForm | 'mismatch' {
  const matches = (version: Version, form: CanonicalForm) =>
    digestOf(version, version === 'v1' ? apiKey : secret, body, elements['t'] ?? '', form) ===
    elements[version]
  return FORMS.find((form) => versions.every((version) => matches(version, form))) ?? 'mismatch'
}
