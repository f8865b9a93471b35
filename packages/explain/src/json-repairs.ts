import type { JsonToken } from './json-styles.js'
import { COMMA, type JsonContainer, type JsonText } from './json-text.js'

/** The JSON as it may have been before a parser and a printer that cannot preserve all of it. */
export interface JsonRepair {
  readonly json: JsonText
  /** The differences of the signed body, in clauses. */
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
/** The members of an intent that is the subject of the event, which has a status. */
const NULLABLE_OF_SUBJECT = ['custom_fields', 'billing_data', 'flow']

/** The members of the events that are objects when they are empty; the others are lists. */
const OBJECT = /fields$|data$|answers$|method$|provider$/

/** More tokens than events have take too long to be repaired. */
const MAX_TOKENS = 4096

/** Empty lists and objects that were confused, and null members that were dropped; the likeliest first. */
export function repairsOf(json: JsonText): readonly JsonRepair[] {
  const unchanged = { json, says: [] }
  if (json.tokens.length > MAX_TOKENS) return [unchanged]
  const containers = json.containers()
  const repaired = emptyRepairs(unchanged, containers)
  // A printer drops all nulls or none.
  const hasNull = json.tokens.some(({ text }) => text === 'null')
  const missing = hasNull ? new Map<JsonContainer, readonly string[]>() : missingMembers(json, containers)
  const names = [...new Set([...missing.values()].flat())]
  const added = [names, ...(names.length > 1 ? names.map((name) => [name]) : [])].flatMap((some) =>
    repaired.slice(0, 2).map((repair) => withNulls(repair, missing, some)),
  )
  // Repairs without a change are the same JSON.
  return [...new Map([...added.slice(0, 2), ...repaired, ...added].map((each) => [each.json, each])).values()]
}

/**
 * A printer that confuses them prints one kind correctly. The names that the events have come first, then single
 * names.
 */
function emptyRepairs(unchanged: JsonRepair, containers: readonly JsonContainer[]): readonly JsonRepair[] {
  const { tokens } = unchanged.json
  const empty = containers.filter(({ at, end }) => end === at + 1)
  const kinds = new Set(empty.map(({ at }) => tokens[at]!.text))
  if (kinds.size !== 1) return [unchanged]
  const other = kinds.has('{') ? '[' : '{'
  const names = [...new Set(empty.map(({ name }) => name))].slice(0, MAX_NAMES)
  const known = names.filter((name) => OBJECT.test(name) === (other === '{'))
  const sets = [...(known.length > 0 ? [known] : []), [], ...names.map((name) => [name]), names]
  const distinct = new Map(sets.map((set) => [set.join(), set]))
  return [...distinct.values()].map((set) =>
    withEmpty(unchanged, empty, (name) => (set.includes(name) ? other : undefined)),
  )
}

const MAX_NAMES = 4

function withEmpty(
  { json, says }: JsonRepair,
  empty: readonly JsonContainer[],
  opening: (name: string) => '[' | '{' | undefined,
): JsonRepair {
  const tokens = [...json.tokens]
  let changed: '[' | '{' | undefined
  for (const { at, end, name } of empty) {
    const open = opening(name)
    if (open === undefined) continue
    changed = open
    tokens[at] = { ...json.tokens[at]!, text: open }
    tokens[end] = { ...json.tokens[end]!, text: open === '[' ? ']' : '}' }
  }
  if (changed === undefined) return { json, says }
  return {
    json: json.withTokens(tokens),
    says: [...says, changed === '[' ? '[] where {} arrived' : '{} where [] arrived'],
  }
}

/** The missing members of the events' objects that may be null. */
function missingMembers(
  json: JsonText,
  containers: readonly JsonContainer[],
): ReadonlyMap<JsonContainer, readonly string[]> {
  const found = new Map<JsonContainer, readonly string[]>()
  for (const container of containers) {
    const nullable = NULLABLE.get(container.name)
    if (json.tokens[container.at]!.text !== '{' || nullable === undefined) continue
    const names = new Set(json.members(container.at).map((member) => member.name))
    const isSubject = container.name === 'intent' && names.has('status')
    const missing = (isSubject ? NULLABLE_OF_SUBJECT : nullable).filter((key) => !names.has(key))
    if (missing.length > 0 && names.size > 0) found.set(container, missing)
  }
  return found
}

function withNulls(
  { json, says }: JsonRepair,
  missing: ReadonlyMap<JsonContainer, readonly string[]>,
  names: readonly string[],
): JsonRepair {
  if (names.length === 0) return { json, says }
  const inserted = new Map(
    Array.from(missing, ([{ end }, keys]) => [end, keys.filter((key) => names.includes(key))] as const),
  )
  const tokens = json.tokens.flatMap((token, at) => [...(inserted.get(at) ?? []).flatMap(nullMember), token])
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
