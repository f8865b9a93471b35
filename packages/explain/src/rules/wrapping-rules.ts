import { withoutChunks } from '@service-signature/deliveries'
import type { BodyView } from '../read/body-view.js'
import type { BodyRow } from './body-rules.js'
import {
  decompressed,
  fromBase64,
  fromLog,
  fromPrintedBytes,
  fromQuotedPrintable,
  halfOf,
  ifValid,
  isBinary,
  percentDecoded,
  toBase64,
  withoutEntities,
} from '../read/encodings.js'
import { COST, shows, type Original } from './fault-rule.js'

const QUOTED = 'the body that arrived is a JSON string that contains the signed one'
const ESCAPED =
  'the body was escaped as a string: it has backslashes before its quotes, which were not signed'

/** Blanks before the digits of a phone number or a time zone, and in the name of a mail address. */
const LOST_PLUS = /(?<=") (?=\d{5,15}")|(?<=\d) (?=\d\d:?\d\d")|(?<=[\w.-]) (?=[\w.-]{1,64}@)/g
const FORM_TRACE = new RegExp(`^[\\w.-]{0,64}=|=$|%[0-9A-Fa-f]{2}|"https?:[^" ]* |${LOST_PLUS.source}`)

export const WRAPPING_FAULTS = {
  'body-base64': {
    where: 'With API Gateway, an ALB or a function platform (isBase64Encoded), or in a queue.',
    fix: "Decode before you verify: Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8').",
    trace: shows(/^[A-Za-z0-9+/_\s-]{8,}=*\s*$/, COST.rare),
    bodies: ({ bytes, text = '' }) => [
      [fromBase64(text), 'the body that arrived is the base64 text of the one that was signed'],
      [toBase64(bytes), 'the base64 text of the body was signed, and arrived decoded', COST.rare],
    ],
  },
  'body-json-string': {
    where: 'In JSON.stringify() of a text: a forwarder, a queue, a fixture with escaped quotes.',
    fix: 'Pass the text on as it is. If it was stringified twice, parse it once: JSON.parse(body) is the body that was signed.',
    trace: shows(/^\s*"|^\s*[{[]\s*\\"|[^\\]u[0-9a-f]{4}/, COST.rare),
    bodies({ text, json }) {
      if (text === undefined) return []
      const inner = ifValid(() => JSON.parse(json === undefined ? `"${text}"` : text) as unknown)
      return [
        [text.replace(/\\(["'\\])/g, '$1'), ESCAPED],
        [typeof inner === 'string' ? inner : undefined, json === undefined ? ESCAPED : QUOTED],
        // As stripslashes() of PHP leaves the escapes of JSON.
        [
          text.replace(/(?<!\\)u(?=[0-9a-f]{4})/g, '\\u'),
          'the backslashes of the body were removed (u00eb where \\u00eb was signed)',
        ],
      ]
    },
  },
  'body-quoted': {
    where: "In cmd.exe and PowerShell, which pass on the quotes of curl -d '...'; in a .env or YAML value.",
    fix: 'Send the body from a file: curl --data-binary @body.json.',
    trace: shows(/^["'`]/),
    bodies({ text = '' }) {
      const [, , inner] = /^(["'`])(.+)\1\s*$/s.exec(text) ?? []
      return [[inner, 'the body has quotes around it that were not signed']]
    },
  },
  'body-form-encoded': {
    where: 'In curl --data-urlencode, a form, or a parser of forms that took the JSON for one.',
    fix: 'Send and read the body as it is, with Content-Type: application/json; put no express.urlencoded() before the verification.',
    trace: shows(FORM_TRACE, COST.rare),
    bodies({ text = '' }) {
      const value = text.replace(/^[\w.-]{0,64}=/, '').replace(/=$/, '')
      if (value === text && !text.includes('%')) return withPlus(text)
      const happened = 'the body arrived as a form encodes it (%7B for a brace)'
      // A parser of forms ends a name at "&", and its printer writes "=" after it.
      const fields = value.replaceAll('=&', '&')
      const decoded = [value.replaceAll('+', ' '), value, fields].map(percentDecoded)
      return [...[...decoded, value].map((signed): Original => [signed, happened]), ...withPlus(text)]
    },
  },
  'body-html-escaped': {
    where:
      'In code that makes text safe for HTML: htmlspecialchars(), escape filters, a "sanitizer" of all input.',
    fix: 'Verify the body before anything is escaped, and escape what you print, where you print it.',
    trace(text) {
      if (/&(?:\w{2,8}|#\w{1,6});/.test(text)) return COST.seen
      return /[&<>]/.test(text) ? COST.rare : undefined
    },
    bodies: ({ text = '' }) => [
      [withoutEntities(text), 'the body arrived as HTML escapes it (&quot; for a quote)'],
      [
        text.replace(/[&<>]/g, (letter) => NAMES_OF_LETTERS[letter]!),
        'the body was signed with the entities of HTML for &, < and >, and arrived without',
        COST.rare,
      ],
    ],
  },
  'body-chunked': {
    where: 'In code that reads the request from the socket itself, or a proxy that takes the header away.',
    fix: 'Let an HTTP server decode "Transfer-Encoding: chunked", or have the proxy keep that header.',
    trace: shows(/^[0-9a-f]{1,6}(?:;[^\r\n]{0,64})?\r\n/i),
    bodies: ({ bytes }) => [
      [
        withoutChunks(bytes, true),
        'the sizes of the chunks were left in the body (Transfer-Encoding: chunked)',
      ],
    ],
  },
  'body-compressed': {
    where: 'In a proxy or client that compresses the body, or a server that does not decompress it.',
    fix: 'The payment service signs the body uncompressed: decompress it before you verify it (express.raw() does), and have the proxy pass it on unchanged.',
    trace: (_, { bytes }) => (isBinary(bytes) ? COST.seen : COST.rare),
    bodies: ({ bytes }) =>
      decompressed(bytes).map(([name, signed]) => [signed, `the body arrived compressed (${name})`]),
  },
  'body-bytes-printed': {
    where: 'In JSON.stringify(buffer), String(new Uint8Array(...)), or in Python str(request.data).',
    fix: 'Pass the Buffer or Uint8Array itself, never a text that JSON.stringify() or String() made of it.',
    trace: shows(/^(?:b['"]|\[?\d|\{"(?:0|type)"|(?:\\x|0x)?[57][bB])|\\x22|=(?:[0-9A-F]{2}|\r?\n)/),
    bodies: ({ text = '' }) => [
      [
        fromPrintedBytes(text.replace(/^(?:\\x|0x)/, '')),
        'the body that arrived is a printed list, or the hex text, of the bytes that were signed',
      ],
      [fromLog(text), 'the body has bytes printed as \\x22, as nginx writes them into a log'],
      [fromQuotedPrintable(text), 'the body arrived as quoted-printable, as mail programs send it'],
    ],
  },
  'body-envelope': {
    where: 'In a Lambda event, a queue message or a forwarder that puts the body into an object.',
    fix: 'Verify the text inside of it: event.body, JSON.parse(message).payload, and not the object that contains it.',
    trace: (text) => (IN_ENVELOPE.test(text) || !/^\s*[{"]/.test(text) ? COST.seen : COST.rare),
    bodies: (arrived) => [...aroundBlankLine(arrived), ...inObject(arrived), ...inText(arrived)],
  },
} satisfies Record<string, BodyRow>

const NAMES_OF_LETTERS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The names that gateways, queues and forwarders give the body that they carry, or a text that may be one. */
const NAME = '(?:body|rawBody|raw_body|payload|data|detail|event|content|message)'
const ENVELOPE_NAME = new RegExp(`^${NAME}$`, 'i')
const IN_ENVELOPE = new RegExp(`"${NAME}"\\s*:|\\\\"|\\}\\s*\\{`, 'i')
const MAX_MEMBERS = 4

/** The members with the name of an envelope, and the longest texts that may be a body, at any depth. */
function inObject({ json }: BodyView): readonly Original[] {
  if (json?.tokens[0]!.kind !== 'mark') return []
  if (json.tokens[0].text === '[') {
    const items = json.slice(1, json.tokens.length - 1)
    return [[items, 'the body that arrived is a list with the one that was signed']]
  }
  const happened = 'the body that arrived is a JSON object that contains the one that was signed'
  const texts = json.tokens
    .filter(({ kind, text }) => kind === 'string' && /^"(?:\s*[{[]|[\w+/=-]{64,}"$)/.test(text))
    .sort((a, b) => b.text.length - a.text.length)
    .slice(0, MAX_MEMBERS)
    .map(({ text }) => JSON.parse(text) as string)
  const objects = json.containers
    .filter(({ at, name }) => at > 0 && ENVELOPE_NAME.test(name) && json.tokens[at - 1]!.text === ':')
    .slice(0, MAX_MEMBERS)
  return [
    ...texts.flatMap((text): readonly Original[] => [
      [text, `${happened} as a text`],
      [fromBase64(text), `${happened} as base64`],
    ]),
    ...objects.map(({ at, end }): Original => [json.slice(at, end + 1), happened]),
  ]
}

/** The part of a raw request or of a form with parts (multipart), after the blank line that ends its headers. */
function aroundBlankLine({ text = '' }: BodyView): readonly Original[] {
  const [, part] = /^--[^\r\n]{1,72}\r\n[^{]*?\r\n\r\n(.*)\r\n--[^\r\n]{1,76}\r?\n?$/s.exec(text) ?? []
  const [, body] = /^[A-Z]{3,7} \S{1,2048} HTTP\/[\s\S]*?\r?\n\r?\n([\s\S]*)$/.exec(text) ?? []
  return [
    [part, 'the body that arrived is a form with parts (multipart), of which one was signed'],
    [body, 'the body that arrived is a whole request with its headers, of which the body was signed'],
  ]
}

function inText({ text = '', json }: BodyView): readonly Original[] {
  if (json !== undefined) return []
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}') + 1
  const isPart = start !== -1 && end > start && text.trim().length > end - start
  const part = isPart ? text.slice(start, end) : undefined
  return [
    [halfOf(text), 'the body is there twice, one after the other'],
    [part, 'the body has other text before or after it, as in a line of a log'],
  ]
}

const ADDRESS = /"https?:[^"]*"/g

/** Blanks where a plus or %20 was signed, and other letters of addresses that were decoded. */
function withPlus(text: string): readonly Original[] {
  const plus = text.replace(LOST_PLUS, '+')
  const inAddresses = (body: string, sign: string) =>
    body.replace(ADDRESS, (each) => each.replaceAll(' ', sign))
  const happened = 'the body was decoded as a form: a blank arrived where'
  return [
    [plus, `${happened} + was signed`],
    [inAddresses(plus, '+'), `${happened} + was signed`],
    [inAddresses(text, '%20'), `${happened} %20 was signed`],
    [inAddresses(plus, '%20'), `${happened} + and %20 were signed`],
  ]
}
