import type { Version } from '@service-signature/core/internal'
import { askedOf, bodyCandidate, SEE_CONTENT, SEE_WHITE_SPACE } from './body-rules.js'
import { BodyView } from './body-view.js'
import type { Advice, Candidate, Rule } from './fault-rule.js'
import { combined, UNCHANGED, type JsonStyle } from './json-styles.js'
import { LAYOUTS, type JsonLayout, type JsonText } from './json-text.js'

const RAW_BODY =
  "Verify the bytes that arrived, before any JSON parser: app.post('/webhooks', serviceSignature({ secret }), handler) " +
  'above app.use(express.json()); elsewhere, pass request.arrayBuffer(), rawBody or the stream to verify, never JSON.stringify(body).'

const PARSER =
  'After express.json() and the like, with JSON.stringify(req.body) passed to the verifier; in a forwarder, tunnel or ' +
  'queue that parses what it passes on; in a log or database from which a delivery is replayed.'

/** Undefined stands for a text that is too long, or is what arrived. */
type Candidates = Iterable<Candidate | undefined>

interface PrintAdvice extends Advice {
  readonly versions: readonly Version[]
  readonly printed: (json: JsonText, arrived: BodyView, asked: readonly Version[]) => Candidates
}

/** A rule that changes how the JSON of the body is printed. */
function printRule({ printed, versions, ...advice }: PrintAdvice): Rule {
  return {
    ...advice,
    changes: 'print',
    versions,
    candidates({ body, proven, listed }) {
      if (proven.includes('v3') || body.json === undefined) return []
      return existing(printed(body.json, body, askedOf(versions, listed)))
    },
  }
}

function* existing(candidates: Candidates): Generator<Candidate> {
  for (const candidate of candidates) if (candidate !== undefined) yield candidate
}

/** The JSON was parsed and printed again: the values are the same, the bytes are not. */
export const printRules: readonly Rule[] = [
  printRule({
    name: 'body-reserialized',
    where: PARSER,
    fix: RAW_BODY,
    versions: SEE_WHITE_SPACE,
    printed: (json, arrived, asked) =>
      json.layout === 'indented' ? [] : layoutsIn(UNCHANGED, LAYOUTS, json, arrived, asked),
  }),
  printRule({
    name: 'body-reindented',
    where: 'In an editor that formats on save, a tool that "beautifies" JSON, jq, or a copied fixture.',
    fix: 'Keep the body in a file as it arrived, and send it as bytes: curl --data-binary @body.json. Exclude fixtures from formatting (.prettierignore, .editorconfig).',
    versions: SEE_WHITE_SPACE,
    printed: (json, arrived, asked) =>
      json.layout === 'indented' ? layoutsIn(UNCHANGED, LAYOUTS, json, arrived, asked) : [],
  }),
  printRule({
    name: 'body-numbers',
    where: `${PARSER} JavaScript prints 10.0 as 10, since it has one type of number.`,
    fix: RAW_BODY,
    versions: SEE_CONTENT,
    printed: (json, arrived, asked) => otherStyles(json.numbers, json, arrived, asked),
  }),
  printRule({
    name: 'body-escapes',
    where: `${PARSER} Python and PHP escape characters that JavaScript prints as they are.`,
    fix: RAW_BODY,
    versions: SEE_CONTENT,
    printed: (json, arrived, asked) => otherStyles(json.strings, json, arrived, asked),
  }),
  // Layout and style at once, as a parser and a printer of another language change them.
  printRule({
    name: 'body-reserialized',
    where: PARSER,
    fix: RAW_BODY,
    versions: SEE_CONTENT,
    printed: otherStylesAndLayouts,
  }),
  printRule({
    name: 'body-key-order',
    where: 'In a column of type jsonb, a map without order, or code that builds the object again.',
    fix: RAW_BODY,
    versions: SEE_WHITE_SPACE,
    *printed(json, arrived, asked) {
      for (const layout of LAYOUTS.slice(0, 3)) {
        const signed = json.printSorted((a, b) => (a < b ? -1 : Number(a > b)), layout)
        const how = `with its keys sorted, ${layout.says}, and arrived with them in another order`
        yield printedAgain(signed, arrived, how, asked)
      }
    },
  }),
]

const PRINTED = 'the body was printed again: it was signed'

function printedAgain(
  signed: string | undefined,
  arrived: BodyView,
  how: string,
  versions: readonly Version[],
) {
  if (signed === undefined) return undefined
  return bodyCandidate(new BodyView(signed), arrived, `${PRINTED} ${how}`, versions)
}

function* layoutsIn(
  style: JsonStyle,
  layouts: readonly JsonLayout[],
  json: JsonText,
  arrived: BodyView,
  versions: readonly Version[],
): Candidates {
  for (const layout of layouts) {
    const how = `${[layout.says, ...style.says].join(', with ')}, and arrived ${ARRIVED[json.layout]}`
    yield printedAgain(json.print(layout, style), arrived, how, versions)
  }
}

function* otherStyles(
  styles: readonly JsonStyle[],
  json: JsonText,
  arrived: BodyView,
  versions: readonly Version[],
): Candidates {
  for (const style of styles) {
    const happened = `${PRINTED} with ${style.says.join(', with ')}, and arrived printed in another way`
    yield bodyCandidate(arrived.restyled(style, json), arrived, happened, versions)
  }
}

/** v2 does not depend on the layout, so one HMAC of it decides whether the layouts of a style are worth trying. */
function* otherStylesAndLayouts(json: JsonText, arrived: BodyView): Candidates {
  for (const style of likelyStyles(json)) {
    const candidate = bodyCandidate(arrived.restyled(style, json), arrived, PRINTED, ['v2'])
    const refinements = (matched: boolean) =>
      existing(layoutsIn(style, LAYOUTS.slice(0, matched ? 3 : 2), json, arrived, ['v3']))
    yield candidate && { ...candidate, refinements }
  }
}

/** More would be guesses of guesses. */
const MAX_STYLES = 16

function likelyStyles({ strings, numbers }: JsonText): readonly JsonStyle[] {
  const both = strings.slice(0, 1).flatMap((one) => numbers.slice(0, 4).map((other) => combined(one, other)))
  const likely = [...strings.slice(0, 3), ...numbers.slice(0, 4), ...both]
  return [...likely, ...strings.slice(3), ...numbers.slice(4)].slice(0, MAX_STYLES)
}

const ARRIVED = {
  indented: 'indented',
  compact: 'compact, as JSON.stringify prints',
  spaced: 'with other white space between its tokens',
} as const
