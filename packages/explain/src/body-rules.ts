import type { Version } from '@service-signature/core/internal'
import { BodyView } from './body-view.js'
import { CHARSETS, decodeCharset, encodeCharset, fromBase64, fromPrintedBytes } from './encodings.js'
import { fromUtf16, ifValid, joined, percentDecoded } from './encodings.js'
import type { Advice, Candidate, Rule } from './fault-rule.js'
import { COMPACT, SPACED } from './json-text.js'

/** What may have been signed, and what happened to it. A rare one is not tried together with a second fault. */
type SignedBody = readonly [signed: Uint8Array | string | undefined, happened: string, rarity?: 'rare']

interface BodyAdvice extends Advice {
  readonly versions?: readonly Version[]
  readonly bodies: (arrived: BodyView) => Iterable<SignedBody>
}

/** v2 and v1 do not depend on spaces and line breaks. v1 does depend on tabs. */
export const SEE_WHITE_SPACE: readonly Version[] = ['v3', 'v1']
export const SEE_CONTENT: readonly Version[] = ['v3', 'v2', 'v1']

/** A rule that changes the bytes of the body. */
function bodyRule({ bodies, versions = SEE_CONTENT, ...advice }: BodyAdvice): Rule {
  return {
    ...advice,
    changes: 'body',
    versions,
    *candidates({ body, proven, listed }) {
      if (proven.includes('v3')) return
      for (const [signed, happened, rarity] of bodies(body)) {
        if (signed === undefined) continue
        const candidate = bodyCandidate(new BodyView(signed), body, happened, askedOf(versions, listed))
        if (candidate !== undefined) yield { ...candidate, isRare: rarity === 'rare' }
      }
    },
  }
}

/** v1 depends on less than v3, so it is compared only where it must match. */
export function askedOf(versions: readonly Version[], listed: readonly Version[]): readonly Version[] {
  return versions.filter((version) => version !== 'v1' || listed.includes('v1'))
}

/** Undefined if this is what arrived, which has been compared. */
export function bodyCandidate(
  body: BodyView,
  arrived: BodyView,
  happened: string,
  versions: readonly Version[],
): Candidate | undefined {
  return body.isSameAs(arrived) ? undefined : { change: { body }, happened, versions }
}

const MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

/** The text is the same, and its bytes are not: white space at the ends, line breaks, byte order mark, charset. */
export const characterRules: readonly Rule[] = [
  bodyRule({
    name: 'body-trailing-newline',
    where:
      'In a file that ends with a line break, in curl --data @file, or in code that trims what it reads.',
    fix: 'Send and verify the bytes as they are: printf %s instead of echo, curl --data-binary @body.json, no trim().',
    versions: SEE_WHITE_SPACE,
    bodies: ({ bytes }) => [
      ...withoutWhiteSpaceAtEnds(bytes),
      [joined(bytes, '\n'), 'the line feed (0x0a) at the end of the body was signed, and is gone'],
      [joined(bytes, '\r\n'), 'the CRLF (0x0d 0x0a) at the end of the body was signed, and is gone'],
    ],
  }),
  bodyRule({
    name: 'body-line-endings',
    where: 'On Windows: git with core.autocrlf, an editor, a template with CRLF; or in a form field.',
    fix: 'Keep the body byte for byte: "*.json -text" in .gitattributes for fixtures, and no text mode where it is read or written.',
    bodies({ text }) {
      const lf = text?.replaceAll('\r\n', '\n')
      if (lf?.includes('\n') !== true) return []
      return [
        [lf, 'the body was signed with LF (0x0a) as line endings, and arrived with CRLF (0x0d 0x0a)'],
        [
          lf.replaceAll('\n', '\r\n'),
          'the body was signed with CRLF (0x0d 0x0a), and arrived with LF (0x0a)',
        ],
      ]
    },
  }),
  bodyRule({
    name: 'body-byte-order-mark',
    where: 'In a file saved as "UTF-8 with BOM", or in a decoder that removes the mark (response.text()).',
    fix: 'Save files as UTF-8 without a byte order mark, and verify the bytes, not a decoded text.',
    bodies: ({ bytes }) => [
      MARK.every((byte, at) => bytes[at] === byte)
        ? [bytes.subarray(3), 'the body starts with a byte order mark (0xef 0xbb 0xbf) that was not signed']
        : [joined(MARK, bytes), 'the body was signed with a byte order mark (0xef 0xbb 0xbf)', 'rare'],
    ],
  }),
  bodyRule({
    name: 'body-charset',
    where:
      'In code that reads the body as "latin1" or "binary", a database of another charset, PowerShell\'s ">".',
    fix: "Do not decode the body before it is verified: collect its Buffers and Buffer.concat() them; no setEncoding(), no toString('latin1').",
    bodies: otherCharsets,
  }),
]

function* withoutWhiteSpaceAtEnds(bytes: Uint8Array): Generator<SignedBody> {
  let end = bytes.length
  while (isWhiteSpace(bytes[end - 1])) end--
  let start = 0
  while (start < end && isWhiteSpace(bytes[start])) start++
  const after = bytes.length - end
  const extra = (what: string) => `the body has ${what} that was not signed`
  if (bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0d) {
    yield [bytes.subarray(0, -2), extra('CRLF (0x0d 0x0a) at its end')]
  } else if (bytes.at(-1) === 0x0a) {
    yield [bytes.subarray(0, -1), extra('a line feed (0x0a) at its end')]
  }
  if (after > 0) yield [bytes.subarray(0, end), extra(`white space at its end (${after} bytes)`)]
  if (start > 0) {
    yield [bytes.subarray(start), extra(`white space at its start (${start} bytes)`)]
    yield [bytes.subarray(start, end), extra(`white space at both ends (${start + after} bytes)`)]
  }
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function* otherCharsets({ bytes, text }: BodyView): Generator<SignedBody> {
  yield [fromUtf16(bytes), 'the body was signed as UTF-8, and arrived as UTF-16']
  if (bytes.every((byte) => byte < 0x80)) return
  for (const charset of CHARSETS) {
    const { name } = charset
    const signed = text === undefined ? undefined : encodeCharset(text, charset)
    const isUtf8 = signed !== undefined && new BodyView(signed).text !== undefined
    const misread = `as UTF-8, and was read as ${name} and written as UTF-8 before it arrived`
    yield [signed, `the body was signed ${isUtf8 ? misread : `in ${name}, and arrived as UTF-8`}`]
    yield [decodeCharset(bytes, charset), `the body was signed as UTF-8, and arrived in ${name}`]
  }
}

/** The body is there as a whole, inside of something else. */
export const wrappingRules: readonly Rule[] = [
  bodyRule({
    name: 'body-base64',
    where: 'With API Gateway, an ALB or a function platform (isBase64Encoded), or in a queue.',
    fix: "Decode before you verify: Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8').",
    bodies: ({ base64, text = '' }) => [
      [fromBase64(text), 'the body that arrived is the base64 text of the one that was signed'],
      [base64, 'the base64 text of the body was signed, and arrived decoded', 'rare'],
    ],
  }),
  bodyRule({
    name: 'body-json-string',
    where: 'In JSON.stringify() of a text: a forwarder, a queue, a fixture with escaped quotes.',
    fix: 'Pass the text on as it is. If it was stringified twice, parse it once: JSON.parse(body) is the body that was signed.',
    bodies({ text, json }) {
      if (text === undefined) return []
      const inner = ifValid(() => JSON.parse(json === undefined ? `"${text}"` : text) as unknown)
      const isText = typeof inner === 'string'
      return [
        [isText ? inner : undefined, 'the body that arrived is a JSON string that contains the signed one'],
        [
          JSON.stringify(text),
          'the body was signed as a JSON string, with quotes, and arrived without',
          'rare',
        ],
      ]
    },
  }),
  bodyRule({
    name: 'body-quoted',
    where: "In cmd.exe and PowerShell, which pass on the quotes of curl -d '...'; in a .env or YAML value.",
    fix: 'Send the body from a file: curl --data-binary @body.json.',
    bodies({ text = '' }) {
      const [, , inner] = /^(["'`])(.+)\1\s*$/s.exec(text) ?? []
      return [[inner, 'the body has quotes around it that were not signed']]
    },
  }),
  bodyRule({
    name: 'body-form-encoded',
    where: 'In curl --data-urlencode, a form, or a parser of forms that took the JSON for one.',
    fix: 'Send and read the body as it is, with Content-Type: application/json; put no express.urlencoded() before the verification.',
    bodies({ text = '' }) {
      const value = text.replace(/^[\w.-]{0,64}=/, '').replace(/=$/, '')
      if (value === text && !text.includes('%')) return []
      const happened = 'the body arrived as a form encodes it (%7B for a brace)'
      const decoded = [percentDecoded(value.replaceAll('+', ' ')), percentDecoded(value)]
      return [...decoded, value].map((signed) => [signed, happened])
    },
  }),
  bodyRule({
    name: 'body-envelope',
    where: 'In a Lambda event, a queue message or a forwarder that puts the body into an object.',
    fix: 'Verify the text inside of it: event.body, JSON.parse(message).payload, and not the object that contains it.',
    bodies: envelopeMembers,
  }),
  bodyRule({
    name: 'body-bytes-printed',
    where: 'In JSON.stringify(buffer), String(new Uint8Array(...)), or in Python str(request.data).',
    fix: 'Pass the Buffer or Uint8Array itself, never a text that JSON.stringify() or String() made of it.',
    bodies: ({ text = '' }) => [
      [fromPrintedBytes(text), 'the body that arrived is a printed list of the bytes that were signed'],
    ],
  }),
]

/** What gateways, queues and forwarders call the body that they carry. */
const ENVELOPE_NAMES = /^(?:body|rawBody|raw_body|payload|data|event|content|message)$/i
const MAX_MEMBERS = 4

function* envelopeMembers({ json }: BodyView): Generator<SignedBody> {
  if (json?.tokens[0]!.text !== '{') return
  const happened = 'the body that arrived is a JSON object that contains the one that was signed'
  const members = json.members(0).filter(({ name }) => ENVELOPE_NAMES.test(name))
  for (const member of members.slice(0, MAX_MEMBERS)) {
    const { kind, text } = json.tokens[member.value]!
    if (kind === 'string') {
      const inner = JSON.parse(text) as string
      yield [inner, `${happened} as a text`]
      yield [fromBase64(inner), `${happened} as base64`]
    } else if (kind === 'mark') {
      yield [json.printValue(member, SPACED), `${happened}, printed again`]
      yield [json.printValue(member, COMPACT), `${happened}, printed again`]
    }
  }
}
