import type { Row } from '../case.js'
import { LAYOUTS } from '../json/print.js'
import { both, type Spelling } from '../json/spelling.js'
import type { JsonText } from '../json/text.js'
import { bodyRow, SEE_CONTENT, SEE_WHITE_SPACE, text, type SignedBodies } from './row.js'
import type { BodyView } from './view.js'

const RAW_BODY =
  "Verify the bytes that arrived, from before any JSON parser: app.post('/webhooks', serviceSignature({ secret }), handler) " +
  'above app.use(express.json()); elsewhere, hand request.arrayBuffer(), rawBody or the stream to verify, never JSON.stringify(body).'

const PARSER =
  'Behind express.json() and the like, with JSON.stringify(req.body) handed to the verifier; in a forwarder, tunnel or ' +
  'queue that parses what it passes on; in a log or database from which a delivery is replayed.'

/** The JSON was parsed and printed again: the same values, other bytes. */
export const printedRows: readonly Row[] = [
  bodyRow({
    changes: 'print',
    name: 'body-reserialized',
    where: PARSER,
    mend: RAW_BODY,
    versions: SEE_WHITE_SPACE,
    *signed({ json }) {
      if (json !== undefined && json.layout !== 'indented') yield* laidOut(json)
    },
  }),
  bodyRow({
    changes: 'print',
    name: 'body-reindented',
    where:
      'In an editor that formats on save, a request tool that "beautifies" JSON, jq, or a fixture that was copied from a log.',
    mend:
      'Keep the body in a file as it arrived, and send it as bytes: curl --data-binary @body.json. ' +
      'Exclude fixtures from formatting (.prettierignore, .editorconfig).',
    versions: SEE_WHITE_SPACE,
    *signed({ json }) {
      if (json?.layout === 'indented') yield* laidOut(json)
    },
  }),
  bodyRow({
    changes: 'print',
    name: 'body-numbers',
    where: `${PARSER} JavaScript prints 10.0 as 10, since it has one type of number.`,
    mend: RAW_BODY,
    versions: SEE_CONTENT,
    *signed(arrived) {
      const { json } = arrived
      if (json !== undefined) yield* respelled(arrived, json, json.numbers)
    },
  }),
  bodyRow({
    changes: 'print',
    name: 'body-escapes',
    where: `${PARSER} Python and PHP escape what JavaScript prints as it is.`,
    mend: RAW_BODY,
    versions: SEE_CONTENT,
    *signed(arrived) {
      const { json } = arrived
      if (json !== undefined) yield* respelled(arrived, json, json.strings)
    },
  }),
  // Layout and spelling at once, as a parser and a printer of another language change them.
  bodyRow({
    changes: 'print',
    name: 'body-reserialized',
    where: PARSER,
    mend: RAW_BODY,
    versions: SEE_CONTENT,
    *signed(arrived) {
      const { json } = arrived
      if (json !== undefined) yield* laidOutAndRespelled(arrived, json)
    },
  }),
  bodyRow({
    changes: 'print',
    name: 'body-key-order',
    where:
      'In a database column of type jsonb, a map without order, or code that builds the object anew from its fields.',
    mend: RAW_BODY,
    versions: SEE_WHITE_SPACE,
    *signed({ json }) {
      if (json === undefined) return
      const sorted = json.inOrder((a, b) => (a < b ? -1 : Number(a > b)))
      for (const layout of LAYOUTS.slice(0, 3)) {
        const signed = sorted(layout)
        const how = `with its keys sorted, ${layout.says}`
        if (signed === undefined) continue
        yield text(
          signed,
          `the body was printed again: it was signed ${how}, and arrived with them in another order`,
        )
      }
    },
  }),
]

function* respelled(arrived: BodyView, json: JsonText, spellings: readonly Spelling[]): SignedBodies {
  for (const spelling of spellings) {
    yield {
      body: arrived.respelled(spelling, json),
      happened: `the body was printed again: it was signed with ${spelling.says.join(', with ')}, and arrived printed otherwise`,
    }
  }
}

function* laidOut(json: JsonText): SignedBodies {
  for (const layout of LAYOUTS) {
    const signed = json.print(layout)
    if (signed === undefined) continue
    yield text(
      signed,
      `the body was printed again: it was signed ${layout.says}, and arrived ${ARRIVED[json.layout]}`,
    )
  }
}

function* laidOutAndRespelled(arrived: BodyView, json: JsonText): SignedBodies {
  for (const spelling of spellings(json)) {
    // v2 does not see the layout, so that one HMAC can spare three.
    const body = arrived.respelled(spelling, json)
    const probe = yield { body, happened: '', versions: ['v2'], isProbe: true }
    if (probe.asked && !probe.matched) continue
    for (const layout of LAYOUTS.slice(0, probe.matched ? 3 : 2)) {
      const signed = json.print(layout, spelling)
      const how = [layout.says, ...spelling.says].join(', with ')
      if (signed === undefined) continue
      const happened = `the body was printed again: it was signed ${how}, and arrived ${ARRIVED[json.layout]}`
      yield { ...text(signed, happened), versions: ['v3'] }
    }
  }
}

/** More would be guesses of guesses. */
const MAX_SPELLINGS = 16

function spellings({ strings, numbers }: JsonText): readonly Spelling[] {
  const mixed = strings.slice(0, 1).flatMap((one) => numbers.slice(0, 4).map((other) => both(one, other)))
  const likely = [...strings.slice(0, 3), ...numbers.slice(0, 4), ...mixed]
  return [...likely, ...strings.slice(3), ...numbers.slice(4)].slice(0, MAX_SPELLINGS)
}

const ARRIVED = {
  indented: 'indented',
  compact: 'compact, as JSON.stringify prints',
  spaced: 'with other white space between its tokens',
} as const
