import type { Version } from '@service-signature/core'
import type { BodyView } from '../read/body-view.js'
import {
  COMPACT,
  LAYOUTS,
  SPACED,
  UNCHANGED,
  type JsonLayout,
  type JsonStyle,
  type JsonText,
} from '../read/json-text.js'
import { isBodyRight, SEE_CONTENT, SEE_WHITE_SPACE } from './body-rules.js'
import {
  COST,
  isV2Open,
  type Advice,
  type Candidate,
  type Cost,
  type Rule,
  type State,
} from './fault-rule.js'
import { canonicalStrings, combined, numberStyles, repairsOf, stringStyles } from './json-values.js'
import { arrivalOf, printerTraces } from './printer-traces.js'

const PARSED_AND_PRINTED: Advice = {
  where:
    'After express.json() and the like, with JSON.stringify(req.body) passed to the verifier; in a forwarder, tunnel or ' +
    'queue that parses what it passes on; in a log or database from which a delivery is replayed.',
  fix:
    "Verify the bytes that arrived, before any JSON parser: app.post('/webhooks', serviceSignature({ secret }), handler) " +
    'above app.use(express.json()); elsewhere, pass request.arrayBuffer(), rawBody or the stream to verify, never JSON.stringify(body).',
}

/** The JSON is the same, and was printed in another way. */
export const PRINT_FAULTS = {
  'body-reserialized': PARSED_AND_PRINTED,
  'body-reindented': {
    where: 'In an editor that formats on save, a tool that "beautifies" JSON, jq, or a copied fixture.',
    fix: 'Keep the body in a file as it arrived, and send it as bytes: curl --data-binary @body.json. Exclude fixtures from formatting (.prettierignore, .editorconfig).',
  },
  'body-not-verbatim': PARSED_AND_PRINTED,
} satisfies Record<string, Advice>

const hasLines = ({ text }: BodyView) => /[\n\r]/.test(text?.trim() ?? '')

export const printRules: readonly Rule[] = [
  // The likeliest where v2 can show the values, whatever else has changed.
  printRule('body-reserialized', SEE_CONTENT, COST.seen, {
    isFor: (state) => isV2Open(state) && !isBodyRight(state),
    printed: (json, { body }) => body.once(valuesShownByV2, () => valuesShownByV2(json, body)),
  }),
  ...(['body-reserialized', 'body-reindented'] as const).map((name) =>
    printRule(name, SEE_WHITE_SPACE, COST.usual, {
      isFor: (state) => !isBodyRight(state, true) && hasLines(state.body) === (name === 'body-reindented'),
      printed: (json, { body }) => candidatesOf(inLayouts(UNCHANGED, LAYOUTS, json), body, SEE_WHITE_SPACE),
    }),
  ),
  // Numbers, strings and layout at once, as a parser and a printer of another language change them.
  printRule('body-reserialized', SEE_CONTENT, COST.usual, {
    isFor: (state) => !isBodyRight(state) && !isV2Open(state),
    printed: stylesShownByBytes,
  }),
]

interface Printing {
  readonly isFor: (state: State) => boolean
  readonly printed: (json: JsonText, state: State) => readonly Candidate[]
}

function printRule(name: string, versions: readonly Version[], cost: Cost, row: Printing): Rule {
  return {
    name,
    changes: 'print',
    versions,
    // More than its first character would take a parser.
    likely: (state) => (row.isFor(state) && /^\s*[\d"{[tfn-]/.test(state.body.text ?? '') ? cost : undefined),
    exact: (state) => (state.body.json === undefined ? [] : row.printed(state.body.json, state)),
  }
}

/** More would be guesses of guesses. */
const MAX_VALUES = 40
/** So many are among the likeliest. */
const MAX_LIKELY = 12
const MAX_STYLES = 16

const PRINTED = 'the body was re-serialized: it'

/** The text that v2 signs does not depend on the layout or the order of keys. So v2 shows the values, whatever else changed. */
function valuesShownByV2(json: JsonText, arrived: BodyView): readonly Candidate[] {
  const strings = canonicalStrings(json)
  const numbers = [UNCHANGED, ...numberStyles(json)]
  return repairsOf(json)
    .map((repair) => ({ ...repair, arrival: arrivalOf(json, repair.says) }))
    .flatMap((repair, i) => numbers.map((style, j) => ({ repair, style, rank: i + j })))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_VALUES)
    .flatMap(({ repair, style }) => strings.map((each) => ({ ...repair, style: combined(each, style) })))
    .map((values, index): Candidate => {
      const says = [...values.says, ...values.style.says]
      const how = says.length === 0 ? '' : `was signed with ${says.join(', with ')}, and `
      return {
        // The bytes are lost, so only v2 can be computed.
        change: { body: arrived.withValues(values) },
        happened: `${PRINTED} ${how}arrived ${values.arrival}`,
        versions: ['v2'],
        explains: ['v1', 'v3'],
        cost: index < MAX_LIKELY ? COST.seen : COST.unusual,
      }
    })
}

/** Where the values are known already, or no version depends on them alone. */
function stylesShownByBytes(json: JsonText, { body, proven }: State): readonly Candidate[] {
  const strings = stringStyles(json)
  const numbers = numberStyles(json)
  const both = strings.slice(0, 1).flatMap((one) => numbers.slice(0, 4).map((other) => combined(one, other)))
  const likely = [...both, ...strings, ...numbers].slice(0, MAX_STYLES)
  const styles = proven.includes('v2') ? strings : likely
  const prints = [
    ...inLayoutOfArrival([...numbers, ...strings], json),
    ...[SPACED, COMPACT].flatMap((layout) => styles.flatMap((style) => inLayouts(style, [layout], json))),
  ]
  return candidatesOf(prints, body, SEE_CONTENT)
}

type Print = readonly [how: string, print: () => string | undefined]

/** Printed only when it is compared. A body that would get too long stays as it arrived. */
function candidatesOf(
  prints: readonly Print[],
  arrived: BodyView,
  versions: readonly Version[],
): readonly Candidate[] {
  return prints.map(([how, print]) => {
    const body = arrived.variant(() => print() ?? arrived.bytes)
    return { change: { body }, happened: `${PRINTED} was signed ${how}`, versions, cost: COST.usual }
  })
}

/** In other layouts, with the white space at its ends as it arrived, or without. */
function inLayouts(style: JsonStyle, layouts: readonly JsonLayout[], json: JsonText): readonly Print[] {
  const [before, after] = json.ends
  const arrival = arrivalOf(json)
  return layouts
    .filter((layout) => style !== UNCHANGED || layout !== COMPACT || json.layout !== 'compact')
    .flatMap((layout): readonly Print[] => {
      const how = `${[layout.says, ...style.says].join(', with ')}, and arrived ${arrival}`
      const print = () => json.print(layout, style)
      if (before + after === '') return [[how, print]]
      const withEnds = () => {
        const text = print()
        return text && before + text + after
      }
      return [
        [how, withEnds],
        [`${how}, and with white space at its ends that was not signed`, print],
      ]
    })
}

/** Keeps the white space of the received body. */
function inLayoutOfArrival(styles: readonly JsonStyle[], json: JsonText): readonly Print[] {
  const arrival = printerTraces(json).join(', ') || 'printed in another way'
  return styles.map((style) => {
    return [`with ${style.says.join(', with ')}, and arrived ${arrival}`, () => json.restyle(style)]
  })
}
