import type { JsonToken } from './json-styles.js'
import { COMMA, type JsonContainer, type JsonText } from './json-text.js'

/** The JSON as it may have been before a parser and a printer that cannot keep all of it. */
export interface JsonRepair {
  readonly json: JsonText
  /** What was signed otherwise, in clauses. */
  readonly says: readonly string[]
}

/** The members of the events that may be null, by the name of their object (see specification, Payload shapes). */
const PAYMENT = ['custom_fields', 'custom_form_answers', 'billing_data']
const NULLABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ['intent', ['custom_fields', 'custom_form_answers']],
  ['transaction', ['billing_data']],
  ['active_transaction', PAYMENT],
  ['transactions_history', PAYMENT],
])
/** Of an intent that is the subject of the event, which has a status. */
const NULLABLE_OF_SUBJECT = ['custom_fields', 'billing_data', 'flow']

/** The members of the events that are objects; all others that may be empty are lists. */
const OBJECT = /fields$|data$|answers$|method$|provider$/

/** More tokens than events have take too long to be repaired. */
const MAX_TOKENS = 4096

/** Empty lists and objects that were confused, and null members that were dropped; the likeliest first. */
export function repairsOf(json: JsonText): readonly JsonRepair[] {
  if (json.tokens.length > MAX_TOKENS) return [{ json, says: [] }]
  const containers = json.containers()
  const empty = containers.filter(({ at, end }) => end === at + 1)
  const asKnown = (name: string) => (OBJECT.test(name) ? '{' : '[')
  const unchanged = { json, says: [] }
  const known = withEmpty(unchanged, empty, asKnown)
  const added = withNulls(known, containers)
  const list = [
    added,
    known,
    unchanged,
    withEmpty(unchanged, empty, () => '['),
    withEmpty(unchanged, empty, () => '{'),
  ]
  // Each is said by what it changes; the first two are equal where nothing is missing.
  return [...new Map(list.map((repair) => [repair.json, repair])).values()]
}

function withEmpty(
  { json, says }: JsonRepair,
  empty: readonly JsonContainer[],
  opening: (name: string) => '[' | '{',
): JsonRepair {
  const changed = empty.filter(({ at, name }) => json.tokens[at]!.text !== opening(name))
  if (changed.length === 0) return { json, says }
  const tokens = [...json.tokens]
  for (const { at, end, name } of changed) {
    const open = opening(name)
    tokens[at] = { ...json.tokens[at]!, text: open }
    tokens[end] = { ...json.tokens[end]!, text: open === '[' ? ']' : '}' }
  }
  const lists = changed.filter(({ name }) => opening(name) === '[').length
  return {
    json: json.withTokens(tokens),
    says: [
      ...says,
      ...(lists > 0 ? ['[] where {} arrived'] : []),
      ...(lists < changed.length ? ['{} where [] arrived'] : []),
    ],
  }
}

function withNulls({ json, says }: JsonRepair, containers: readonly JsonContainer[]): JsonRepair {
  const inserted = new Map<number, readonly JsonToken[]>()
  for (const { at, end, name } of containers) {
    const nullable = NULLABLE.get(name)
    if (json.tokens[at]!.text !== '{' || nullable === undefined) continue
    const names = new Set(json.members(at).map((member) => member.name))
    const isSubject = name === 'intent' && names.has('status')
    const missing = (isSubject ? NULLABLE_OF_SUBJECT : nullable).filter((key) => !names.has(key))
    if (missing.length > 0 && names.size > 0) inserted.set(end, missing.flatMap(nullMember))
  }
  if (inserted.size === 0) return { json, says }
  const tokens = json.tokens.flatMap((token, at) => [...(inserted.get(at) ?? []), token])
  return { json: json.withTokens(tokens), says: [...says, 'null members, which were dropped'] }
}

function nullMember(name: string): readonly JsonToken[] {
  const key = `"${name}"`
  return [
    COMMA,
    { kind: 'string', text: key, start: 0, key: '' },
    { kind: 'mark', text: ':', start: 0, key },
    { kind: 'literal', text: 'null', start: 0, key },
  ]
}
