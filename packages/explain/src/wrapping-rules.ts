import type { BodyView } from './body-view.js'
import { bodyRule, type SignedBody } from './body-rules.js'
import {
  fromBase64,
  fromLog,
  fromPrintedBytes,
  ifValid,
  percentDecoded,
  withoutEntities,
} from './encodings.js'
import type { Rule } from './fault-rule.js'
import { COMPACT, SPACED } from './json-text.js'
import { decompressed, fromChunks } from './transfer-codings.js'

const QUOTED = 'the body that arrived is a JSON string that contains the signed one'
const ESCAPED =
  'the body was escaped as a string: it has backslashes before its quotes, which were not signed'

/** Faults in which the complete body is inside of something else. */
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
      const unslashed = text.replace(/\\(["'\\])/g, '$1')
      return [
        ...(isText && json === undefined
          ? [[unslashed, ESCAPED] as const, [inner, ESCAPED] as const]
          : [[isText ? inner : unslashed, QUOTED] as const]),
        [withBackslashes(text), 'the backslashes of the body were removed (u00eb where \\u00eb was signed)'],
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
      if (value === text && !text.includes('%')) return withPlus(text)
      const happened = 'the body arrived as a form encodes it (%7B for a brace)'
      const decoded = [percentDecoded(value.replaceAll('+', ' ')), percentDecoded(value)]
      return [...[...decoded, value].map((signed): SignedBody => [signed, happened]), ...withPlus(text)]
    },
  }),
  bodyRule({
    name: 'body-html-escaped',
    where:
      'In code that makes text safe for HTML: htmlspecialchars(), escape filters, a "sanitizer" of all input.',
    fix: 'Verify the body before anything is escaped, and escape what you print, where you print it.',
    bodies: ({ text = '' }) =>
      /&(?:\w{2,8}|#\w{1,6});/.test(text)
        ? [[withoutEntities(text), 'the body arrived as HTML escapes it (&quot; for a quote)']]
        : [],
  }),
  bodyRule({
    name: 'body-chunked',
    where: 'In code that reads the request from the socket itself, or a proxy that takes the header away.',
    fix: 'Let an HTTP server decode "Transfer-Encoding: chunked", or have the proxy keep that header.',
    bodies: ({ bytes }) => [
      [fromChunks(bytes), 'the sizes of the chunks were left in the body (Transfer-Encoding: chunked)'],
    ],
  }),
  bodyRule({
    name: 'body-compressed',
    where: 'In a proxy or client that compresses the body, or a server that does not decompress it.',
    fix: 'The payment service signs the body uncompressed: decompress it before you verify it (express.raw() does), and have the proxy pass it on unchanged.',
    bodies: ({ bytes }) =>
      decompressed(bytes).map(([name, signed]) => [signed, `the body arrived compressed (${name})`]),
  }),
  bodyRule({
    name: 'body-envelope',
    where: 'In a Lambda event, a queue message or a forwarder that puts the body into an object.',
    fix: 'Verify the text inside of it: event.body, JSON.parse(message).payload, and not the object that contains it.',
    bodies: (arrived) => [...aroundBlankLine(arrived), ...envelopeMembers(arrived)],
  }),
  bodyRule({
    name: 'body-bytes-printed',
    where: 'In JSON.stringify(buffer), String(new Uint8Array(...)), or in Python str(request.data).',
    fix: 'Pass the Buffer or Uint8Array itself, never a text that JSON.stringify() or String() made of it.',
    bodies: ({ text = '' }) => [
      [fromPrintedBytes(text), 'the body that arrived is a printed list of the bytes that were signed'],
      [fromLog(text), 'the body has bytes printed as \\x22, as nginx writes them into a log'],
    ],
  }),
]

/** The names that gateways, queues and forwarders give the body that they carry. */
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

/** The part of a raw request or of a form with parts (multipart), after the blank line that ends its headers. */
function aroundBlankLine({ text = '' }: BodyView): readonly SignedBody[] {
  const [, part] = /^--[^\r\n]{1,72}\r\n[^{]*?\r\n\r\n(.*)\r\n--[^\r\n]{1,76}\r?\n?$/s.exec(text) ?? []
  const [, body] = /^[A-Z]{3,7} \S{1,2048} HTTP\/[\s\S]*?\r?\n\r?\n([\s\S]*)$/.exec(text) ?? []
  return [
    [part, 'the body that arrived is a form with parts (multipart), of which one was signed'],
    [body, 'the body that arrived is a whole request with its headers, of which the body was signed'],
  ]
}

/** Blanks before the digits of a phone number or a time zone, and in the name of a mail address. */
const LOST_PLUS = /(?<=") (?=\d{5,15}")|(?<=\d) (?=\d\d:?\d\d")|(?<=[\w.-]) (?=[\w.-]{1,64}@)/g

function withPlus(text: string): readonly SignedBody[] {
  const signed = text.replace(LOST_PLUS, '+')
  return [[signed, 'the body was decoded as a form: a blank arrived where + was signed']]
}

/** As stripslashes() of PHP leaves the escapes of JSON. */
function withBackslashes(text: string): string {
  return text.replace(/(?<!\\)u(?=[0-9a-f]{4})/g, '\\u')
}
