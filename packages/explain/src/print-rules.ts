import type { Version } from '@service-signature/core/internal'
import { askedOf, SEE_CONTENT, SEE_WHITE_SPACE } from './body-rules.js'
import { BodyView } from './body-view.js'
import { canCompare, type Advice, type Candidate, type Rule, type State } from './fault-rule.js'
import { repairsOf, type JsonRepair } from './json-repairs.js'
import { canonicalStrings, combined, UNCHANGED, type JsonStyle } from './json-styles.js'
import { byUnit, COMPACT, LAYOUTS, SPACED, type JsonLayout, type JsonText } from './json-text.js'
import { traceClauses, tracesOf, type Traces } from './print-traces.js'

const RAW_BODY =
  "Verify the bytes that arrived, before any JSON parser: app.post('/webhooks', serviceSignature({ secret }), handler) " +
  'above app.use(express.json()); elsewhere, pass request.arrayBuffer(), rawBody or the stream to verify, never JSON.stringify(body).'

/** The JSON was parsed and printed again: the bytes are not the same. */
export const reprinted: Advice = {
  name: 'body-reserialized',
  where:
    'After express.json() and the like, with JSON.stringify(req.body) passed to the verifier; in a forwarder, tunnel or ' +
    'queue that parses what it passes on; in a log or database from which a delivery is replayed.',
  fix: RAW_BODY,
}

interface PrintAdvice extends Advice {
  readonly versions: readonly Version[]
  readonly printed: (json: JsonText, arrived: BodyView, state: State) => readonly Candidate[]
}

/** A rule that changes how the JSON of the body is printed. */
function printRule({ printed, versions, ...advice }: PrintAdvice): Rule {
  return {
    ...advice,
    changes: 'print',
    versions,
    candidates(state) {
      const { body, proven } = state
      if (proven.includes('v3') || body.json === undefined) return []
      return printed(body.json, body, state)
    },
  }
}

const layoutOnly: PrintAdvice['printed'] = (json, arrived, { listed }) =>
  layoutsIn(UNCHANGED, LAYOUTS, json, arrived, askedOf(SEE_WHITE_SPACE, listed))

export const printRules: readonly Rule[] = [
  printRule({
    ...reprinted,
    versions: SEE_WHITE_SPACE,
    printed: (json, ...rest) => (json.layout === 'indented' ? [] : layoutOnly(json, ...rest)),
  }),
  printRule({
    name: 'body-reindented',
    where: 'In an editor that formats on save, a tool that "beautifies" JSON, jq, or a copied fixture.',
    fix: 'Keep the body in a file as it arrived, and send it as bytes: curl --data-binary @body.json. Exclude fixtures from formatting (.prettierignore, .editorconfig).',
    versions: SEE_WHITE_SPACE,
    printed: (json, ...rest) => (json.layout === 'indented' ? layoutOnly(json, ...rest) : []),
  }),
  // Numbers, strings and layout at once, as a parser and a printer of another language change them.
  printRule({
    ...reprinted,
    versions: SEE_CONTENT,
    printed: (json, arrived, state) => (isOpen(state) ? [] : stylesShownByBytes(json, arrived, state)),
  }),
]

/**
 * The same rule when v2 shows the values. It is the likeliest then, whatever else has changed, and takes the fewest
 * HMACs.
 */
export const valueRule: Rule = printRule({
  ...reprinted,
  versions: SEE_CONTENT,
  printed: (json, arrived, state) =>
    isOpen(state) ? arrived.once(valuesShownByV2, () => valuesShownByV2(json, arrived)) : [],
})

/** Whether v2 can be compared, and has not matched. */
function isOpen(state: State): boolean {
  return canCompare('v2', state) && !state.proven.includes('v2')
}

/** More would be guesses of guesses. */
const MAX_VALUES = 24

/**
 * The text that v2 signs does not depend on the layout or the order of keys. So v2 shows the values that were signed,
 * whatever else has changed, and then it is worth trying how they were printed.
 */
function valuesShownByV2(json: JsonText, arrived: BodyView): readonly Candidate[] {
  const strings = canonicalStrings(json.tokens)
  const repairs = repairsOf(json).map((repair) => ({
    ...repair,
    arrival: arrivalOf(json, arrived, repair.says),
  }))
  const numbers = [UNCHANGED, ...json.numbers]
  return repairs
    .flatMap((repair, i) => numbers.map((style, j) => ({ repair, style, rank: i + j })))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_VALUES)
    .flatMap(({ repair, style }) =>
      strings.map((each) => valueCandidate(repair, combined(each, style), json, arrived)),
    )
}

function valueCandidate(
  { json: signed, says: repairs, arrival }: JsonRepair & { readonly arrival: string },
  style: JsonStyle,
  json: JsonText,
  arrived: BodyView,
): Candidate {
  const says = [...repairs, ...style.says]
  const how = says.length === 0 ? '' : `was signed with ${says.join(', with ')}, and `
  const asSigned = { ...style, says }
  return {
    // The original bytes are lost, so only v2 can be computed.
    change: { body: new BodyView(arrived.bytes, [], () => signed.canonical(style)) },
    happened: `${PRINTED} ${how}arrived ${arrival}`,
    versions: ['v2'],
    implies: ['v1', 'v3'],
    refinements: (matched) =>
      !matched
        ? []
        : [
            ...(signed === json ? inLayoutOfArrival([style], json, arrived, ['v3']) : []),
            ...layoutsIn(asSigned, LAYOUTS, signed, arrived, ['v3'], arrival),
          ],
  }
}

/** Whether the values are known already, or no version depends on them alone. */
function stylesShownByBytes(
  json: JsonText,
  arrived: BodyView,
  { listed, proven }: State,
): readonly Candidate[] {
  const asked = askedOf(SEE_CONTENT, listed)
  const styles = proven.includes('v2') ? json.strings : likelyStyles(json)
  return [
    ...inLayoutOfArrival([...json.numbers, ...json.strings, ...styles], json, arrived, asked),
    ...styles.flatMap((style) => layoutsIn(style, [SPACED, COMPACT], json, arrived, asked)),
    ...LAYOUTS.slice(0, 3).map((layout) => {
      const how = `with its keys sorted, ${layout.says}, and arrived with them in another order`
      return printedAgain(() => json.printSorted(byUnit, layout), arrived, how, asked)
    }),
  ]
}

const MAX_STYLES = 16

function likelyStyles({ strings, numbers }: JsonText): readonly JsonStyle[] {
  const both = strings.slice(0, 1).flatMap((one) => numbers.slice(0, 4).map((other) => combined(one, other)))
  const likely = [...strings.slice(0, 3), ...numbers.slice(0, 4), ...both]
  return [...likely, ...strings.slice(3), ...numbers.slice(4)].slice(0, MAX_STYLES)
}

const PRINTED = 'the body was printed again: it'

/** Printed only when it is compared. A body that would get too long stays as it arrived. */
function printedAgain(
  print: () => string | undefined,
  arrived: BodyView,
  how: string,
  versions: readonly Version[],
): Candidate {
  const body = new BodyView(() => print() ?? arrived.bytes)
  return { change: { body }, happened: `${PRINTED} was signed ${how}`, versions }
}

function layoutsIn(
  style: JsonStyle,
  layouts: readonly JsonLayout[],
  json: JsonText,
  arrived: BodyView,
  versions: readonly Version[],
  arrival = arrivalOf(json, arrived),
): readonly Candidate[] {
  const others = layouts.filter(
    (layout) => style !== UNCHANGED || layout !== COMPACT || json.layout !== 'compact',
  )
  return others.map((layout) => {
    const how = `${[layout.says, ...style.says].join(', with ')}, and arrived ${arrival}`
    return printedAgain(() => json.print(layout, style), arrived, how, versions)
  })
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
    const happened = `${PRINTED} was signed with ${style.says.join(', with ')}, and arrived ${arrival}`
    return { change: { body: new BodyView(() => json.restyle(style)) }, happened, versions }
  })
}

function tracesIn(json: JsonText, arrived: BodyView): Traces {
  return arrived.once(tracesOf, () => tracesOf(json))
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
