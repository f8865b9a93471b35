import type { Version } from '@service-signature/core'
import type { BodyView } from '../read/body-view.js'
import { CHARSETS, decodeCharset, encodeCharset, fromUtf16, type Charset } from '../read/encodings.js'
import {
  COST,
  shows,
  type Advice,
  type Candidate,
  type Cost,
  type Original,
  type Rule,
  type State,
} from './fault-rule.js'

export interface BodyRow extends Advice {
  readonly versions?: readonly Version[]
  /** It changes nothing but spaces and line breaks, which v1 does not sign. */
  readonly isWhiteSpace?: true
  /** The cheapest cost of the fault; undefined if it would show. The text is empty if it is not UTF-8. */
  readonly trace: (text: string, arrived: BodyView) => Cost | undefined
  readonly bodies: (arrived: BodyView) => readonly Original[]
}

/** v2 and v1 do not depend on spaces and line breaks. v1 does depend on tabs. */
export const SEE_WHITE_SPACE: readonly Version[] = ['v3', 'v1']
export const SEE_CONTENT: readonly Version[] = ['v3', 'v2', 'v1']

export function bodyRules(
  rows: Readonly<Record<string, BodyRow>>,
  changes: Rule['changes'],
): readonly Rule[] {
  return Object.entries(rows).map(([name, { versions = SEE_CONTENT, isWhiteSpace, trace, bodies }]) => ({
    name,
    changes,
    versions,
    likely: (state) =>
      isBodyRight(state, isWhiteSpace) ? undefined : trace(state.body.text ?? '', state.body),
    exact: ({ body }) => body.once(bodies, () => changedBodies(bodies(body), body, versions)),
  }))
}

/** Whether a digest has shown that the body is right, at least up to its white space, or its bytes are lost. */
export function isBodyRight({ body, proven }: State, isWhiteSpace = false): boolean {
  return proven.includes('v3') || (proven.includes('v1') && !isWhiteSpace) || body.values !== undefined
}

/** Each body once, and not the one that arrived, because it has been compared. */
function changedBodies(
  signed: readonly Original[],
  arrived: BodyView,
  versions: readonly Version[],
): readonly Candidate[] {
  const tried = new Set([arrived.identity])
  return signed.flatMap(([text, happened, cost = COST.seen]) => {
    const body = text === undefined ? arrived : arrived.variant(text)
    if (tried.has(body.identity)) return []
    tried.add(body.identity)
    return [{ change: { body }, happened, versions, cost }]
  })
}

const missing = (what: string) => `the ${what} of the body was signed, but did not arrive`
const TRIMMED = 'the white space at both ends of the body was signed, and was trimmed'

export const CHARACTER_FAULTS = {
  'body-unicode-form': {
    where: 'In a file name, form or database of macOS, or in code that calls normalize() on the text.',
    fix: 'Do not normalize the body before it is verified: verify the bytes that arrived.',
    trace: shows(/[\u0080-\uffff]/),
    bodies({ text = '' }) {
      const plain = text.replace(/[\u201c\u201d\u201e]/g, '"').replace(/[\u2018\u2019]/g, "'")
      const spaced = plain.replaceAll('\u00a0', ' ')
      const [nfc, nfd] = [text.normalize('NFC'), text.normalize('NFD')]
      return [
        [nfc, 'the body was signed with composed letters (NFC), and arrived decomposed (NFD)'],
        [plain, 'the body was signed with plain quotes, and arrived with typographic ones (U+201C)'],
        [spaced, 'the body was signed with plain spaces, and arrived with no-break spaces (U+00A0)'],
        [nfd, 'the body was signed with decomposed letters (NFD), and arrived composed (NFC)', COST.unusual],
      ]
    },
  },
  'body-trailing-newline': {
    where:
      'In a file that ends with a line break, in curl --data @file, or in code that trims what it reads.',
    fix: 'Send and verify the bytes as they are: printf %s instead of echo, curl --data-binary @body.json, no trim().',
    versions: SEE_WHITE_SPACE,
    isWhiteSpace: true,
    trace: shows(/^\s|\s$/, COST.usual),
    bodies: ({ bytes, text = '' }) => [
      ...trimmed(bytes),
      [`${text}\n`, missing('line feed (0x0a) at the end'), COST.usual],
      [`${text}\r\n`, missing('CRLF (0x0d 0x0a) at the end'), COST.usual],
      ...['\n', '\r\n', ' '].map((space): Original => [space + text + space, TRIMMED, COST.rare]),
      [`\n${text}`, missing('line feed (0x0a) at the start'), COST.rare],
    ],
  },
  'body-line-endings': {
    where: 'On Windows: git with core.autocrlf, an editor, a template with CRLF; or in a form field.',
    fix: 'Keep the body byte for byte: "*.json -text" in .gitattributes for fixtures, and no text mode where it is read or written.',
    isWhiteSpace: true,
    trace: shows(/[\r\n]/, COST.rare),
    bodies({ text }) {
      const lf = text?.replaceAll('\r\n', '\n')
      if (lf?.includes('\n') !== true) return []
      return [
        [lf.replaceAll('\n', ''), 'the body was signed without the line breaks that it has now'],
        [lf, 'the body was signed with LF (0x0a) as line endings, and arrived with CRLF (0x0d 0x0a)'],
        [
          lf.replaceAll('\n', '\r\n'),
          'the body was signed with CRLF (0x0d 0x0a), and arrived with LF (0x0a)',
        ],
      ]
    },
  },
  'body-byte-order-mark': {
    where: 'In a file saved as "UTF-8 with BOM", or in a decoder that removes the mark (response.text()).',
    fix: 'Save files as UTF-8 without a byte order mark, and verify the bytes, not a decoded text.',
    trace: shows(/^\ufeff/, COST.rare),
    bodies({ bytes, text = '' }) {
      const mark = 'a byte order mark (0xef 0xbb 0xbf)'
      if (!text.startsWith('\ufeff'))
        return [[`\ufeff${text}`, `the body was signed with ${mark}`, COST.rare]]
      const happened = `the body starts with ${mark} that was not signed`
      const unmarked = bytes.subarray(3)
      return [
        [unmarked, happened],
        ...trimmed(unmarked).map(([signed, extra]): Original => [signed, `${happened}, and ${extra}`]),
      ]
    },
  },
  'body-charset': {
    where:
      'In code that reads the body as "latin1" or "binary", a database of another charset, PowerShell\'s ">".',
    fix: "Do not decode the body before it is verified: collect its Buffers and Buffer.concat() them; no setEncoding(), no toString('latin1').",
    trace: (_, { isPlainAscii }) => (isPlainAscii ? COST.rare : COST.seen),
    bodies: otherCharsets,
  },
} satisfies Record<string, BodyRow>

/** Without the white space at its ends. Without any, it is the body that arrived. */
function trimmed(bytes: Uint8Array): readonly Original[] {
  const isInside = (byte: number) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09
  const start = Math.max(bytes.findIndex(isInside), 0)
  let end = bytes.length
  while (end > start && !isInside(bytes[end - 1]!)) end--
  const after = bytes.length - end
  const extra = (what: string) => `the body has ${what} that was not signed`
  const lineBreak = bytes.at(-1) !== 0x0a ? 0 : bytes.at(-2) === 0x0d ? 2 : 1
  const named = lineBreak === 2 ? 'CRLF (0x0d 0x0a)' : 'a line feed (0x0a)'
  return [
    [bytes.subarray(0, bytes.length - lineBreak), extra(`${named} at its end`)],
    [bytes.subarray(0, end), extra(`white space at its end (${after} bytes)`)],
    [bytes.subarray(start), extra(`white space at its start (${start} bytes)`)],
    [bytes.subarray(start, end), extra(`white space at both ends (${start + after} bytes)`)],
  ]
}

function otherCharsets(arrived: BodyView): readonly Original[] {
  const { bytes, text } = arrived
  if (arrived.isPlainAscii) return []
  const ofCharset = (charset: Charset): readonly Original[] => {
    const { name } = charset
    const written = text === undefined ? undefined : encodeCharset(text, charset)
    const inner = written === undefined ? undefined : arrived.variant(written).text
    const misread = `the body was signed as UTF-8, and was read as ${name} and written as UTF-8`
    return [
      [inner === undefined ? undefined : written, `${misread} before it arrived`],
      [inner && encodeCharset(inner, charset), `${misread} twice before it arrived`],
      [
        text === undefined ? decodeCharset(bytes, charset) : undefined,
        `the body was signed as UTF-8, and arrived in ${name}`,
      ],
    ]
  }
  return [
    [fromUtf16(bytes), 'the body was signed as UTF-8, and arrived as UTF-16'],
    ...CHARSETS.flatMap(ofCharset),
  ]
}
