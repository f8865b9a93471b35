import { byUnit, type JsonText, type KeyOrder } from './json-text.js'

/** As columns of type jsonb in PostgreSQL and JSON in MySQL order them. */
const byLength: KeyOrder = (a, b) => a.length - b.length || byUnit(a, b)

export interface Traces {
  readonly isSorted: boolean
  readonly isSortedByLength: boolean
  /** `<`, `>` and `&` as \u003c. */
  readonly hasHtmlEscapes: boolean
  /** Also `=` and `'` as escapes. */
  readonly hasMoreEscapes: boolean
  readonly hasUpperCase: boolean
  readonly hasSlashes: boolean
  readonly hasUnicode: boolean
  /** The number 10.0, which JavaScript cannot print. */
  readonly hasFloats: boolean
}

interface Losses {
  /** Whether empty lists arrived as objects. */
  readonly hasNoLists: boolean
  readonly hasNoObjects: boolean
}

/** The printers and their traces. The first match names the printer. */
const PRINTERS: readonly (readonly [printer: string, fits: (traces: Traces & Losses) => boolean])[] = [
  ['lua-cjson prints', ({ hasNoLists, hasSlashes }) => hasNoLists && hasSlashes],
  ['Lua prints', ({ hasNoLists }) => hasNoLists],
  ['PHP prints', ({ hasNoObjects }) => hasNoObjects],
  ['PHP prints', ({ hasSlashes, hasUnicode }) => hasSlashes && hasUnicode],
  ['System.Text.Json prints', ({ hasUpperCase }) => hasUpperCase],
  ['Gson prints', ({ hasHtmlEscapes, hasMoreEscapes }) => hasHtmlEscapes && hasMoreEscapes],
  ['Go prints maps', ({ hasHtmlEscapes, isSorted }) => hasHtmlEscapes && isSorted],
  ['Go and Gson print', ({ hasHtmlEscapes }) => hasHtmlEscapes],
]

/** Traces of the printer in the received body. */
export function tracesOf(json: JsonText): Traces {
  const isIn = (pattern: RegExp) =>
    json.tokens.some(({ kind, text }) => kind === 'string' && pattern.test(text))
  const isSorted = isSortedBy(byUnit, json)
  return {
    isSorted,
    isSortedByLength: !isSorted && isSortedBy(byLength, json),
    hasHtmlEscapes: isIn(/\\u003[cde]|\\u002[67]/),
    hasMoreEscapes: isIn(/\\u003d|\\u0027/),
    hasUpperCase: isIn(/\\u00(?:22|[0-9a-f]*[A-F])/),
    hasSlashes: isIn(/\\\//),
    hasUnicode: isIn(/\\u[0-9a-f]{4}/),
    hasFloats: json.tokens.some(({ kind, text }) => kind === 'number' && text.endsWith('.0')),
  }
}

/**
 * The traces in clauses: "with its keys sorted", "as Go prints maps". The service does not print like this, so any of
 * them shows that the body was printed again.
 *
 * @param repairs the differences of the signed body
 */
export function traceClauses(traces: Traces, repairs: readonly string[] = []): readonly string[] {
  const losses = {
    hasNoLists: repairs.some((says) => says.endsWith('{} arrived')),
    hasNoObjects: repairs.some((says) => says.endsWith('[] arrived')),
  }
  const printer = PRINTERS.find(([, fits]) => fits({ ...traces, ...losses }))
  return [
    ...(traces.isSorted ? ['with its keys sorted'] : []),
    ...(traces.isSortedByLength
      ? ['with its keys sorted by length, as jsonb of PostgreSQL and JSON of MySQL print']
      : []),
    ...(traces.hasHtmlEscapes ? ['with <, > and & as \\u003c'] : []),
    ...(traces.hasUpperCase ? ['with \\u escapes in upper case'] : []),
    ...(traces.hasSlashes ? ['with \\/ for a slash'] : []),
    ...(printer === undefined ? [] : [`as ${printer[0]}`]),
  ]
}

/** Whether the keys of every object are in this order, and there are several objects. */
function isSortedBy(order: KeyOrder, json: JsonText): boolean {
  const objects = json.containers().filter(({ at }) => json.tokens[at]!.text === '{')
  const lists = objects.map(({ at }) => json.members(at).map(({ name }) => name))
  const isInOrder = lists.every((names) =>
    names.every((name, i) => i === 0 || order(names[i - 1]!, name) < 0),
  )
  return isInOrder && lists.filter((names) => names.length > 1).length > 1
}
