import { FAMILY_NAMES, type IntentEvent, type RecognizedEvent, type TransactionEvent } from './event.js'

/**
 * Which events a handler is for: a full type, `*` in the place of a segment (`transaction.*.successful`), a family
 * (`intent.*`: at the end, `*` stands for one segment or more), or `*` alone for every recognized event.
 */
export type EventPattern = '*' | `${'transaction' | 'intent' | '*'}.${string}`

/** The events that a pattern can match. */
export type EventOf<Pattern extends EventPattern> = Pattern extends '*' | `*.${string}`
  ? RecognizedEvent
  : Narrowed<Pattern extends `transaction.${string}` ? TransactionEvent : IntentEvent, Pattern>

type Narrowed<Event extends RecognizedEvent, Pattern extends string> = Pattern extends `${string}*${string}`
  ? Event
  : Event & { readonly type: Pattern }

/**
 * A pattern as a question to a type.
 *
 * @throws {TypeError} on a pattern that can match nothing
 */
export function matcherOf(pattern: unknown): (type: string) => boolean {
  const segments = checkPattern(pattern)
  const isOpen = segments.at(-1) === '*'
  return (type) => {
    const given = type.split('.')
    if (isOpen ? given.length < segments.length : given.length !== segments.length) return false
    return segments.every((segment, i) => segment === '*' || segment === given[i])
  }
}

function checkPattern(pattern: unknown): readonly string[] {
  if (typeof pattern !== 'string')
    throw new TypeError(`A pattern must be a string, and is of type ${typeof pattern}`)
  const segments = pattern.split('.')
  const [family] = segments
  if (family !== '*' && !FAMILY_NAMES.some((name) => name === family)) {
    throw nothing(pattern, `types begin with ${FAMILY_NAMES.map((name) => `"${name}."`).join(' or ')}`)
  }
  if (segments.length === 1 && family !== '*')
    throw nothing(pattern, `for the whole family write "${family}.*"`)
  if (segments.some((segment) => segment === '')) throw nothing(pattern, 'it has an empty segment')
  if (segments.some((segment) => segment.length > 1 && segment.includes('*'))) {
    throw nothing(pattern, '* stands for a whole segment')
  }
  return segments
}

function nothing(pattern: string, why: string): TypeError {
  return new TypeError(`The pattern ${JSON.stringify(pattern)} can match nothing: ${why}`)
}
