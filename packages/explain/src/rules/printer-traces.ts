import { once } from '../read/encodings.js'
import { byUnit, type JsonText, type KeyOrder } from '../read/json-text.js'

function tracesOf(json: JsonText) {
  const isIn = (pattern: RegExp) =>
    json.tokens.some(({ kind, text }) => kind === 'string' && pattern.test(text))
  const isSorted = isSortedBy(byUnit, json)
  return {
    isSorted,
    isSortedByLength: !isSorted && isSortedBy(byLength, json),
    /** `<`, `>` and `&` as \u003c. */
    hasHtmlEscapes: isIn(/\\u003[cde]|\\u002[67]/),
    hasUpperCase: isIn(/\\u00(?:22|[0-9a-f]*[A-F])/),
    hasSlashes: isIn(/\\\//),
    hasUnicode: isIn(/\\u[0-9a-f]{4}/),
    /** The number 10.0, which JavaScript cannot print. */
    hasFloats: json.tokens.some(({ kind, text }) => kind === 'number' && text.endsWith('.0')),
  }
}

type Traces = ReturnType<typeof tracesOf>
type Losses = Readonly<Record<'hasNoLists' | 'hasNoObjects', boolean>>

/** The printers and their traces. The first match names the printer. */
const PRINTERS: readonly (readonly [printer: string, fits: (traces: Traces & Losses) => boolean])[] = [
  ['lua-cjson prints', ({ hasNoLists, hasSlashes }) => hasNoLists && hasSlashes],
  ['Lua prints', ({ hasNoLists }) => hasNoLists],
  ['PHP prints', ({ hasNoObjects, hasSlashes, hasUnicode }) => hasNoObjects || (hasSlashes && hasUnicode)],
  ['System.Text.Json prints', ({ hasUpperCase }) => hasUpperCase],
  ['Go prints maps', ({ hasHtmlEscapes, isSorted }) => hasHtmlEscapes && isSorted],
  ['Go and Gson print', ({ hasHtmlEscapes }) => hasHtmlEscapes],
]

const known = new WeakMap<JsonText, Traces>()

function tracesIn(json: JsonText): Traces {
  return once(known, json, () => tracesOf(json))
}

/**
 * The traces in clauses: "with its keys sorted", "as Go prints maps". The service does not print like this, so any of
 * them shows that the body was re-serialized.
 *
 * @param repairs the differences of the signed body
 */
export function printerTraces(json: JsonText, repairs: readonly string[] = []): readonly string[] {
  const traces = tracesIn(json)
  // Whether empty lists arrived as objects, or the reverse.
  const hasNoLists = repairs.some((says) => says.endsWith('{} arrived'))
  const hasNoObjects = repairs.some((says) => says.endsWith('[] arrived'))
  const printer = PRINTERS.find(([, fits]) => fits({ ...traces, hasNoLists, hasNoObjects }))
  return [
    traces.isSorted && 'with its keys sorted',
    traces.isSortedByLength &&
      'with its keys sorted by length, as jsonb of PostgreSQL and JSON of MySQL print',
    traces.hasHtmlEscapes && 'with <, > and & as \\u003c',
    traces.hasUpperCase && 'with \\u escapes in upper case',
    traces.hasSlashes && 'with \\/ for a slash',
    printer && `as ${printer[0]}`,
  ].filter((clause) => typeof clause === 'string')
}

export function arrivalOf(json: JsonText, repairs: readonly string[] = []): string {
  const clauses = printerTraces(json, repairs)
  const isJavaScript = json.layout === 'compact' && clauses.length === 0 && !tracesIn(json).hasFloats
  const layout = json.layout === 'spaced' ? 'with other white space between its tokens' : json.layout
  return [isJavaScript ? 'compact, as JSON.stringify prints' : layout, ...clauses].join(', ')
}

/** As columns of type jsonb in PostgreSQL and JSON in MySQL order them. */
const byLength: KeyOrder = (a, b) => a.length - b.length || byUnit(a, b)

/** Whether the keys of every object are in this order, and there are several objects. */
function isSortedBy(order: KeyOrder, json: JsonText): boolean {
  const lists = json.containers
    .filter(({ at }) => json.tokens[at]!.text === '{')
    .map(({ at }) => json.members(at).map(({ name }) => name))
  const isInOrder = (names: readonly string[]) =>
    names.every((name, i) => i === 0 || order(names[i - 1]!, name) < 0)
  return lists.every(isInOrder) && lists.filter((names) => names.length > 1).length > 1
}
