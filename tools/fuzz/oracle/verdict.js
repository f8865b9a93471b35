import { FORMS } from './canonical.js'
import { hasValue, readJson } from './json.js'
import { digestOf } from './sign.js'

/** @import { Form } from './canonical.js' */
/** @import { Version } from './sign.js' */

/**
 * The rules of a receiver, read once more: a second opinion on every answer of core.
 *
 * @typedef {object} Rules
 * @property {readonly string[]} secrets
 * @property {string} apiKey
 * @property {readonly Version[]} versions
 * @property {number} toleranceSeconds
 * @property {number} futureToleranceSeconds
 * @property {number} now in milliseconds
 *
 * @typedef {{ code: string } | Acceptance} Verdict
 * @typedef {{ timestamp: string, secretIndex: number, canonicalForm: Form | undefined }} Acceptance
 * @typedef {Readonly<Partial<Record<string, string>>>} Elements by their names, unknown ones left out
 */

const KNOWN = new Map([
  ['t', /^[0-9]{1,12}$/],
  ['v1', /^[0-9a-f]{64}$/],
  ['v2', /^[0-9a-f]{64}$/],
  ['v3', /^[0-9a-f]{64}$/],
])

/**
 * The header by the grammar of S6.2, or the code of its refusal.
 *
 * @param {unknown} value
 * @returns {Elements | string}
 */
export function readHeader(value) {
  if (value === null || value === undefined) return 'ERR_SIGNATURE_MISSING'
  const malformed = 'ERR_SIGNATURE_MALFORMED'
  const [text, ...more] = Array.isArray(value) ? /** @type {unknown[]} */ (value) : [value]
  if (typeof text !== 'string' || more.length > 0 || text.length > 1024) return malformed
  const elements = text.split(',')
  if (elements.length > 16) return malformed
  /** @type {Record<string, string>} */
  const found = {}
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

/**
 * @param {Rules} rules
 * @param {Uint8Array} body
 * @param {unknown} header
 * @param {{ needsJson: boolean }} options whether the body is parsed once its signature holds
 * @returns {Verdict}
 */
export function verdictOn(rules, body, header, { needsJson }) {
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
  // A body that is not JSON has no v2. A wrong digest of another version is the graver news.
  const computed = rules.versions.filter((version) => version !== 'v2' || isJson)
  const match = rules.secrets
    .map((secret, index) => matchUnder(secret, index, computed, rules.apiKey, body, elements))
    .find((found) => found !== undefined)
  if (match === undefined) return { code: 'ERR_SIGNATURE_MISMATCH' }
  const isUnread = (needsJson && !hasValue(body)) || (rules.versions.includes('v2') && !isJson)
  if (isUnread) return { code: 'ERR_BODY_NOT_JSON' }
  return { timestamp, ...match }
}

/**
 * @param {string} secret
 * @param {number} index
 * @param {readonly Version[]} versions
 * @param {string} apiKey
 * @param {Uint8Array} body
 * @param {Elements} elements
 */
function matchUnder(secret, index, versions, apiKey, body, elements) {
  const t = elements['t'] ?? ''
  /** @type {Form | undefined} */
  let canonicalForm
  for (const version of versions) {
    const key = version === 'v1' ? apiKey : secret
    const forms = version === 'v2' ? FORMS : FORMS.slice(0, 1)
    const form = forms.find((form) => digestOf(version, key, body, t, form) === elements[version])
    if (form === undefined) return undefined
    if (version === 'v2') canonicalForm = form
  }
  return { secretIndex: index, canonicalForm }
}
