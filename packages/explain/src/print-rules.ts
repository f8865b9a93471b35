import type { Version } from '@service-signature/core/internal'
import { askedOf, SEE_CONTENT, SEE_WHITE_SPACE } from './body-rules.js'
import { BodyView } from './body-view.js'
import { canCompare, type Advice, type Candidate, type Rule, type State } from './fault-rule.js'
import { repairsOf, type JsonRepair } from './json-repairs.js'
import { canonicalStrings, combined, UNCHANGED, type JsonStyle } from './json-styles.js'
import { byUnit, COMPACT, LAYOUTS, SPACED, type JsonLayout, type JsonText } from './json-text.js'
import { traceClauses, tracesOf } from './print-traces.js'

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
    printed(json, arrived, state) {
      const isOpen = canCompare('v2', state) && !state.proven.includes('v2')
      return isOpen ? valuesShownByV2(json, arrived) : stylesShownByBytes(json, arrived, state)
    },
  }),
]

/** More would be guesses of guesses. */
const MAX_VALUES = 40

/**
 * What v2 signs does not depend on the layout or the order of keys. So v2 shows the values that were signed, whatever
 * else has changed, and then it is worth trying how they were printed.
 */
function valuesShownByV2(json: JsonText, arrived: BodyView): readonly Candidate[] {
  const traces = tracesOf(json)
  return valuesOf(json).flatMap(([repair, numbers]) =>
    canonicalStrings(json.tokens).map((strings): Candidate => {
      const style = combined(strings, numbers)
      const says = [...repair.says, ...style.says]
      const arrival = [ARRIVED[json.layout], ...traceClauses(traces, repair.says)].join(', ')
      const signed = says.length === 0 ? '' : `was signed with ${says.join(', with ')}, and `
      return {
        change: {
          body: new BodyView(
            () => repair.json.print(COMPACT, style) ?? '',
            [],
            () => repair.json.canonical(style),
          ),
        },
        happened: `the body was printed again: it ${signed}arrived ${arrival}`,
        versions: ['v2'],
        implies: ['v3'],
        refinements: (matched) =>
          matched
            ? [
                ...(repair.json === json ? inLayoutOfArrival([style], json, ['v3']) : []),
                ...layoutsIn({ ...style, says }, LAYOUTS, repair.json, arrived, ['v3']),
              ]
            : [],
      }
    }),
  )
}

/** What the values may have been, the likeliest first: the JSON repaired in one way, its numbers in another. */
function valuesOf(json: JsonText): readonly (readonly [JsonRepair, JsonStyle])[] {
  return repairsOf(json)
    .flatMap((repair, i) =>
      [UNCHANGED, ...json.numbers].map((numbers, j) => ({
        values: [repair, numbers] as const,
        rank: i * 2 + j,
      })),
    )
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_VALUES)
    .map(({ values }) => values)
}

/** The values are known already, or no version shows them alone. */
function stylesShownByBytes(
  json: JsonText,
  arrived: BodyView,
  { listed, proven }: State,
): readonly Candidate[] {
  const asked = askedOf(SEE_CONTENT, listed)
  const styles = proven.includes('v2') ? json.strings : likelyStyles(json)
  return [
    ...inLayoutOfArrival([...json.numbers, ...json.strings, ...styles], json, asked),
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

const PRINTED = 'the body was printed again: it was signed'

/** Printed only when it is compared. What would be too long is as it arrived. */
function printedAgain(
  print: () => string | undefined,
  arrived: BodyView,
  how: string,
  versions: readonly Version[],
): Candidate {
  const body = new BodyView(() => print() ?? arrived.bytes)
  return { change: { body }, happened: `${PRINTED} ${how}`, versions }
}

function layoutsIn(
  style: JsonStyle,
  layouts: readonly JsonLayout[],
  json: JsonText,
  arrived: BodyView,
  versions: readonly Version[],
): readonly Candidate[] {
  const others = layouts.filter(
    (layout) => style !== UNCHANGED || layout !== COMPACT || json.layout !== 'compact',
  )
  return others.map((layout) => {
    const how = `${[layout.says, ...style.says].join(', with ')}, and arrived ${ARRIVED[json.layout]}`
    return printedAgain(() => json.print(layout, style), arrived, how, versions)
  })
}

/** With the white space that arrived. Several rules look at the same body. */
function inLayoutOfArrival(
  styles: readonly JsonStyle[],
  json: JsonText,
  versions: readonly Version[],
): readonly Candidate[] {
  return styles.map((style) => {
    const happened = `${PRINTED} with ${style.says.join(', with ')}, and arrived printed in another way`
    return { change: { body: new BodyView(() => json.restyle(style)) }, happened, versions }
  })
}

const ARRIVED = {
  indented: 'indented',
  compact: 'compact, as JSON.stringify prints',
  spaced: 'with other white space between its tokens',
} as const
