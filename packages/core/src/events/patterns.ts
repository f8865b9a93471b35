import { editDistance } from '../shared/check-options.js'
import { EVENT_TYPES, FAMILY_NAMES } from './payloads.js'

/** Whether a pattern matches a type. `*` at the end matches one segment or more. */
export function matches(segments: readonly string[], type: string): boolean {
  const given = type.split('.')
  const isOpen = segments.at(-1) === '*'
  if (isOpen ? given.length < segments.length : given.length !== segments.length) return false
  return segments.every((segment, i) => segment === '*' || segment === given[i])
}

/** The segments of a pattern. @throws {TypeError} if it can match nothing, or looks like a known type with a typing error */
export function checkPattern(pattern: unknown): readonly string[] {
  if (typeof pattern !== 'string') {
    throw new TypeError(`The pattern must be a string, got ${typeof pattern}`)
  }
  const segments = pattern.split('.')
  if (pattern === '*') return segments
  if (segments.includes('')) throw refusal(pattern, 'it has an empty segment')
  const meant = suggestionFor(segments)
  if (meant !== undefined) throw refusal(pattern, `did you mean ${JSON.stringify(meant)}?`)
  if (/\s/.test(pattern)) throw refusal(pattern, 'types have no white space')
  if (segments.some((segment) => segment.length > 1 && segment.includes('*'))) {
    throw refusal(pattern, '* stands for a whole segment')
  }
  if (segments.length === 1) throw refusal(pattern, `for the whole family write "${pattern}.*"`)
  return segments
}

function refusal(pattern: string, why: string): TypeError {
  return new TypeError(`The pattern ${JSON.stringify(pattern)} can match nothing: ${why}`)
}

/** The pattern that was probably meant. */
function suggestionFor(pattern: readonly string[]): string | undefined {
  const segments = pattern.length === 1 ? [...pattern, '*'] : pattern
  for (const known of EVENT_TYPES.map((type) => type.split('.'))) {
    const wanted = known.slice(0, segments.length)
    // Where the pattern has "*" it is right, whatever the type has there.
    const given = segments.map((segment, i) => (segment === '*' ? (wanted[i] ?? segment) : segment))
    if (isSlip(given, wanted)) {
      return wanted.map((segment, i) => (segments[i] === '*' ? '*' : segment)).join('.')
    }
    const [type, start] = [known.join('.'), given.join('.')]
    if (type.endsWith(`.${start}`)) return type
    // "transaction.purchase", "transaction.purchase.success"
    const isStart = type !== start && type.startsWith(start) && start.length > known[0]!.length
    if (isStart && segments.at(-1) !== '*') {
      return type.startsWith(`${start}.`) ? `${segments.join('.')}.*` : type
    }
  }
  const [family = '', ...rest] = segments
  const meant = FAMILY_NAMES.find((name) => isSlip([family], [name]))
  return meant && [meant, ...rest].join('.')
}

/**
 * Whether one of them is the other with a typing error: a wrong case, white space, or two letters that differ. Where a
 * segment begins with another letter it is another word, such as "unsuccessful".
 */
function isSlip(given: readonly string[], wanted: readonly string[]): boolean {
  if (given.length !== wanted.length || given.join('.') === wanted.join('.')) return false
  const plain = given.map((segment) => segment.trim().toLowerCase())
  if (plain.some((segment, i) => !segment.startsWith(wanted[i]!.charAt(0)))) return false
  return editDistance(plain.join('.'), wanted.join('.')) <= 2
}
