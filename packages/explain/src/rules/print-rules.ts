import type { Version } from '@service-signature/core'
import {
  askedOf,
  bodyRule,
  isBodyRight,
  SEE_CONTENT,
  SEE_WHITE_SPACE,
  shows,
  type BodyRow,
} from './body-rules.js'
import type { BodyView } from '../read/body-view.js'
import type { HypothesisName } from './fault-names.js'
import {
  COST,
  isV2Open,
  type Advice,
  type Candidate,
  type Cost,
  type Rule,
  type State,
  rulesOf,
} from './fault-rule.js'
import {
  byUnit,
  COMPACT,
  LAYOUTS,
  SPACED,
  UNCHANGED,
  type JsonLayout,
  type JsonStyle,
  type JsonText,
  type KeyOrder,
  type SignedValues,
} from '../read/json-text.js'
import { canonicalStrings, combined, numberStyles, repairsOf, stringStyles } from './json-values.js'

interface PrintRule extends Pick<Rule, 'name' | 'versions'> {
  readonly printed: (json: JsonText, arrived: BodyView, state: State) => readonly Candidate[]
  /** Whether the rule is about this state. */
  readonly isFor: (state: State) => boolean
  readonly cost: Cost
}

const PARSED_AND_PRINTED: Advice = {
  where:
    'After express.json() and the like, with JSON.stringify(req.body) passed to the verifier; in a forwarder, tunnel or ' +
    'queue that parses what it passes on; in a log or database from which a delivery is replayed.',
  fix:
    "Verify the bytes that arrived, before any JSON parser: app.post('/webhooks', serviceSignature({ secret }), handler) " +
    'above app.use(express.json()); elsewhere, pass request.arrayBuffer(), rawBody or the stream to verify, never JSON.stringify(body).',
}

const LETTERS = {
  'body-unicode-form': {
    where: 'In a file name, form or database of macOS, or in code that calls normalize() on the text.',
    fix: 'Do not normalize the body before it is verified: verify the bytes that arrived.',
    trace: shows(/[\u0080-\uffff]/),
    *bodies({ text = '' }) {
      const plain = text.replace(/[\u201c\u201d\u201e]/g, '"').replace(/[\u2018\u2019]/g, "'")
      const nfd = 'the body was signed with composed letters (NFC), and arrived decomposed (NFD)'
      const nfc = 'the body was signed with decomposed letters (NFD), and arrived composed (NFC)'
      yield [text.normalize('NFC'), nfd]
      yield [plain, 'the body was signed with plain quotes, and arrived with typographic ones (U+201C)']
      const spaced = plain.replaceAll('\u00a0', ' ')
      yield [spaced, 'the body was signed with plain spaces, and arrived with no-break spaces (U+00A0)']
      yield [text.normalize('NFD'), nfc, COST.unusual]
    },
  },
} satisfies Partial<Record<HypothesisName, BodyRow>>

/** The JSON is the same, and was printed in another way, or with other letters. */
export const PRINT_FAULTS = {
  ...LETTERS,
  'body-reserialized': PARSED_AND_PRINTED,
  'body-reindented': {
    where: 'In an editor that formats on save, a tool that "beautifies" JSON, jq, or a copied fixture.',
    fix: 'Keep the body in a file as it arrived, and send it as bytes: curl --data-binary @body.json. Exclude fixtures from formatting (.prettierignore, .editorconfig).',
  },
  'body-not-verbatim': PARSED_AND_PRINTED,
} satisfies Partial<Record<HypothesisName, Advice>>

/** A rule that changes how the JSON of the body is printed. */
function printRule({ printed, isFor, cost, ...rule }: PrintRule): Rule {
  return {
    ...rule,
    changes: 'print',
    likely(state) {
      const { body } = state
      if (!isFor(state)) return undefined
      // More than its first character would take a parser.
      return /^\s*[\d"{[tfn-]/.test(body.text ?? '') ? cost : undefined
    },
    exact: (state) => (state.body.json === undefined ? [] : printed(state.body.json, state.body, state)),
  }
}

const layoutOnly: PrintRule['printed'] = (json, arrived, { listed }) =>
  layoutsIn(UNCHANGED, LAYOUTS, json, arrived, askedOf(SEE_WHITE_SPACE, listed))

/** The JSON was parsed and printed again: its bytes, or also how its values are written. */
export const printRules: readonly Rule[] = [
  ...rulesOf<BodyRow>(LETTERS, bodyRule),
  // The likeliest where v2 can show the values, whatever else has changed.
  printRule({
    name: 'body-reserialized',
    versions: SEE_CONTENT,
    cost: COST.seen,
    isFor: (state) => state.body.values !== undefined || (isV2Open(state) && !isBodyRight(state)),
    printed: (json, arrived) =>
      arrived.values === undefined
        ? arrived.once(valuesShownByV2, () => valuesShownByV2(json, arrived))
        : bytesOfValues(arrived.values, arrived),
  }),
  printRule({
    name: 'body-reserialized',
    versions: SEE_WHITE_SPACE,
    cost: COST.usual,
    isFor: (state) => !isBodyRight(state, true),
    printed: (json, ...rest) => (json.layout === 'indented' ? [] : layoutOnly(json, ...rest)),
  }),
  printRule({
    name: 'body-reindented',
    versions: SEE_WHITE_SPACE,
    cost: COST.usual,
    isFor: (state) => !isBodyRight(state, true) && /[\n\r]/.test(state.body.text?.trim() ?? ''),
    printed: layoutOnly,
  }),
  // Numbers, strings and layout at once, as a parser and a printer of another language change them.
  printRule({
    name: 'body-reserialized',
    versions: SEE_CONTENT,
    cost: COST.usual,
    isFor: (state) => !isBodyRight(state) && !isV2Open(state),
    printed: stylesShownByBytes,
  }),
]

/** More would be guesses of guesses. */
const MAX_VALUES = 40
/** So many are among the likeliest. */
const MAX_LIKELY = 12

/**
 * The text that v2 signs does not depend on the layout or the order of keys. So v2 shows the values that were signed,
 * whatever else has changed, and then it is worth trying how they were printed.
 */
function valuesShownByV2(json: JsonText, arrived: BodyView): readonly Candidate[] {
  const strings = canonicalStrings(json)
  const numbers = [UNCHANGED, ...numberStyles(json)]
  return repairsOf(json)
    .map((repair) => ({ ...repair, arrival: arrivalOf(json, arrived, repair.says) }))
    .flatMap((repair, i) => numbers.map((style, j) => ({ repair, style, rank: i + j })))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_VALUES)
    .flatMap(({ repair, style }) => strings.map((each) => ({ repair, style: combined(each, style) })))
    .map(({ repair, style }, index) => {
      const values = { ...repair, style }
      const says = [...repair.says, ...style.says]
      const how = says.length === 0 ? '' : `was signed with ${says.join(', with ')}, and `
      return {
        // The bytes are lost, so only v2 can be computed.
        change: { body: arrived.withValues(values) },
        happened: `${PRINTED} ${how}arrived ${repair.arrival}`,
        versions: ['v2'],
        explains: ['v1', 'v3'],
        cost: index < MAX_LIKELY ? COST.seen : COST.unusual,
      }
    })
}

/** How the sender may have printed the values that v2 has shown. */
function bytesOfValues(
  { json, says, style, arrival }: SignedValues,
  arrived: BodyView,
): readonly Candidate[] {
  const asSigned = { ...style, says: [...says, ...style.says] }
  return [
    ...(says.length === 0 ? inLayoutOfArrival([style], json, arrived, ['v3']) : []),
    ...layoutsIn(asSigned, LAYOUTS, json, arrived, ['v3'], arrival),
  ]
}

/** Where the values are known already, or no version depends on them alone. */
function stylesShownByBytes(
  json: JsonText,
  arrived: BodyView,
  { listed, proven }: State,
): readonly Candidate[] {
  const asked = askedOf(SEE_CONTENT, listed)
  const strings = stringStyles(json)
  const numbers = numberStyles(json)
  const styles = proven.includes('v2') ? strings : likelyStyles(strings, numbers)
  const candidates = [
    ...inLayoutOfArrival([...numbers.slice(0, 4), ...strings], json, arrived, asked),
    ...[SPACED, COMPACT].flatMap((layout) =>
      styles.flatMap((style) => layoutsIn(style, [layout], json, arrived, asked)),
    ),
    ...inLayoutOfArrival(numbers.slice(4), json, arrived, asked),
    ...LAYOUTS.slice(0, 3).map((layout) => {
      const how = `with its keys sorted, ${layout.says}, and arrived with them in another order`
      return printedAgain(() => json.printSorted(layout), arrived, how, asked)
    }),
  ]
  const costs = [COST.usual, COST.unusual, COST.rare]
  return candidates.map((each, index) => ({
    ...each,
    cost: costs[Math.floor(index / MAX_LIKELY)] ?? COST.rare,
  }))
}

const MAX_STYLES = 16

function likelyStyles(strings: readonly JsonStyle[], numbers: readonly JsonStyle[]): readonly JsonStyle[] {
  const both = strings.slice(0, 1).flatMap((one) => numbers.slice(0, 4).map((other) => combined(one, other)))
  const likely = [...both, ...strings.slice(0, 3), ...numbers.slice(0, 4)]
  return [...likely, ...strings.slice(3), ...numbers.slice(4)].slice(0, MAX_STYLES)
}

const PRINTED = 'the body was printed again: it'

/** Printed only when it is compared. A body that would get too long stays as it arrived. */
function printedAgain(
  print: () => string | undefined,
  arrived: BodyView,
  how: string,
  versions: readonly Version[],
  cost: Cost = COST.usual,
): Candidate {
  const body = arrived.variant(() => print() ?? arrived.bytes)
  return { change: { body }, happened: `${PRINTED} was signed ${how}`, versions, cost }
}

/** In other layouts, with the white space at its ends as it arrived, or without. */
function layoutsIn(
  style: JsonStyle,
  layouts: readonly JsonLayout[],
  json: JsonText,
  arrived: BodyView,
  versions: readonly Version[],
  arrival = arrivalOf(json, arrived),
): readonly Candidate[] {
  const [before, after] = json.ends
  const ends = before + after === '' ? [''] : ['', ', and with white space at its ends that was not signed']
  return layouts
    .filter((layout) => style !== UNCHANGED || layout !== COMPACT || json.layout !== 'compact')
    .flatMap((layout) =>
      ends.map((extra, index) => {
        const how = `${[layout.says, ...style.says].join(', with ')}, and arrived ${arrival}${extra}`
        const print = () => {
          const text = json.print(layout, style)
          return index === 0 ? text && before + text + after : text
        }
        const isFrequent = layout === SPACED || layout === COMPACT
        return printedAgain(print, arrived, how, versions, isFrequent ? COST.usual : COST.unusual)
      }),
    )
}

/** Keeps the white space of the received body. */
function inLayoutOfArrival(
  styles: readonly JsonStyle[],
  json: JsonText,
  arrived: BodyView,
  versions: readonly Version[],
): readonly Candidate[] {
  const traces = traceClauses(tracesIn(json, arrived))
  const arrival = traces.length === 0 ? 'printed in another way' : traces.join(', ')
  return styles.map((style) => {
    const how = `with ${style.says.join(', with ')}, and arrived ${arrival}`
    return printedAgain(() => json.restyle(style), arrived, how, versions)
  })
}

/** The print style of the received body. */
function arrivalOf(json: JsonText, arrived: BodyView, repairs: readonly string[] = []): string {
  const traces = tracesIn(json, arrived)
  const clauses = traceClauses(traces, repairs)
  const isJavaScript = clauses.length === 0 && !traces.hasFloats
  const layout = LAYOUT_OF_ARRIVAL[json.layout]
  return [
    isJavaScript && layout === 'compact' ? 'compact, as JSON.stringify prints' : layout,
    ...clauses,
  ].join(', ')
}

const LAYOUT_OF_ARRIVAL = {
  indented: 'indented',
  compact: 'compact',
  spaced: 'with other white space between its tokens',
} as const

/** As columns of type jsonb in PostgreSQL and JSON in MySQL order them. */
const byLength: KeyOrder = (a, b) => a.length - b.length || byUnit(a, b)

interface Traces {
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

function tracesIn(json: JsonText, arrived: BodyView): Traces {
  return arrived.once(tracesOf, () => tracesOf(json))
}

/** What shows in a body that another printer than that of the service has printed it. */
export function printerTraces(json: JsonText): readonly string[] {
  return traceClauses(tracesOf(json))
}

/** Traces of the printer in the received body. */
function tracesOf(json: JsonText): Traces {
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
function traceClauses(traces: Traces, repairs: readonly string[] = []): readonly string[] {
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
