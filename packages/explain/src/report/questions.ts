import { distance } from '../rules/time-rules.js'
import type { FaultSearch } from '../search/fault-search.js'
import type { HmacTester } from '../search/hmac-tester.js'
import type { DeliveryChecks } from './delivery-checks.js'
import type { ArrivedDelivery } from '../read/arrived-delivery.js'
import { compressionOf } from '../read/encodings.js'
import type { Question, QuestionName } from './explain-report.js'
import type { HeaderReading } from '../rules/fault-rule.js'
import { cutOf, repairText } from '../rules/header-rules.js'
import type { BodyView } from '../read/body-view.js'
import type { JsonText } from '../read/json-text.js'
import { isRounded } from '../rules/json-values.js'
import { printerTraces } from '../rules/printer-traces.js'

export interface Explained {
  readonly delivery: ArrivedDelivery
  /** Undefined if it is too large to be looked at. */
  readonly body: BodyView | undefined
  readonly checks: DeliveryChecks
  readonly search: FaultSearch<unknown>
  readonly tester: HmacTester<unknown>
}

interface Unproven extends Explained {
  readonly readings: readonly HeaderReading[]
  /** The body as text, in which invalid UTF-8 is replaced. Only the end of a body that is too large. */
  readonly text: string
}

interface QuestionRule {
  readonly name: QuestionName
  readonly asks: string
  readonly fix: string
  /** The evidence, in a sentence without its full stop; undefined if there is no evidence. */
  readonly evidence: (unproven: Unproven) => string | undefined
}

const BEFORE_PARSERS = 'Mount the verification before every body parser, and pass it the raw body.'

/** The causes that no digest can prove, the likeliest first. docs/explain.md has the same list. */
export const QUESTIONS: readonly QuestionRule[] = [
  {
    name: 'header-missing',
    asks: 'Did a proxy or gateway drop the header, or was it looked up under another name',
    fix: 'Log the names of the headers that arrive, and read "service-signature". Without it, the request may not come from the payment service.',
    evidence: ({ delivery: { header } }) =>
      header === null || header === undefined ? 'There is no Service-Signature header' : undefined,
  },
  {
    name: 'header-cut',
    asks: 'Was the header cut',
    fix: 'Keep and pass on the header as a whole: it has up to 216 characters.',
    evidence: ({ delivery: { header } }) => partOfHeader(header),
  },
  {
    name: 'clock-units',
    asks: 'Is the time of arrival in seconds, where "now" takes milliseconds',
    fix: 'Pass milliseconds, as Date.now() gives them, or multiply by 1000.',
    evidence: ({ delivery: { now } }) =>
      isInSeconds(now) ? 'As milliseconds, the time that was given is in 1970' : undefined,
  },
  {
    name: 'header-incomplete',
    asks: 'Is this the whole header of a delivery of the payment service',
    fix: 'Pass the value as it arrived, t=<digits>,v1=<hex>,v2=<hex>,v3=<hex>, and list in "versions" what it has.',
    evidence: incomplete,
  },
  {
    name: 'key-placeholder',
    asks: 'Was the real secret never put in place of a placeholder or variable',
    fix: 'Set the variable that the key is read from, and print its fingerprint at the start of the program.',
    evidence({ delivery: { settings } }) {
      const [clause] = [...settings.keys.secret, ...settings.keys.apiKey].flatMap(({ label, material }) => {
        const what = clauseOf(PLACEHOLDERS, material)
        return what === undefined ? [] : [`The key "${label}" looks like ${what}`]
      })
      return clause
    },
  },
  {
    name: 'body-consumed',
    asks: 'Did another parser take the body before it could be verified',
    fix: BEFORE_PARSERS,
    evidence: ({ delivery: { bytes }, text }) =>
      bytes.length === 0 ? 'The body is empty' : clauseOf(CONSUMED, text.slice(0, 20).trim()),
  },
  {
    name: 'body-compressed',
    asks: 'Is the body compressed, and cut or damaged',
    fix: 'The payment service signs the body uncompressed: have the proxy pass it on unchanged, or decompress it first.',
    evidence({ delivery: { bytes } }) {
      const name = compressionOf(bytes)
      return name && `The body is compressed: its first bytes are those of ${name}`
    },
  },
  {
    name: 'body-printed-object',
    asks: 'Was the body parsed, and the object printed by the language',
    fix: BEFORE_PARSERS,
    evidence: ({ text }) => clauseOf(OBJECTS, text.slice(0, 200)),
  },
  {
    name: 'body-cut',
    asks: 'Was the body cut',
    fix: 'Read until the end of the request, raise the limit that cuts it, and store bodies in a column without a limit.',
    evidence({ delivery: { bytes, isTooLarge }, text }) {
      if (!isTooLarge) return partOfJson(text, bytes.length)
      return /[^}\]\s]\s*$/.test(text) ? endOf(bytes.length) : undefined
    },
  },
  {
    name: 'body-characters-lost',
    asks: 'Was the body decoded in a wrong charset',
    fix: 'Take the bytes before any decoding: collect Buffers, no setEncoding(), no toString(), and no column of another charset.',
    evidence: ({ body, text }) => lostCharacters(body, text),
  },
  {
    name: 'body-changed',
    asks: 'Is this the body of another event',
    fix: 'Keep the body and the header of a delivery together, from the same request.',
    evidence: laterTime,
  },
  {
    name: 'integers-rounded',
    asks: 'Was an integer rounded by a parser that keeps numbers as floats',
    fix: BEFORE_PARSERS,
    evidence: ({ body }) =>
      body?.json?.tokens.some((token) => token.kind === 'number' && isRounded(token))
        ? 'The body has an integer above 2^53, of which floats keep the first digits alone'
        : undefined,
  },
  {
    name: 'body-reserialized',
    asks: 'Was the body parsed and re-serialized',
    fix: BEFORE_PARSERS,
    evidence: ({ body }) => body?.json && printedAgain(body.json),
  },
  {
    name: 'body-changed',
    asks: 'Was the body changed after it was signed, is it the body of another event, or is the delivery forged',
    fix: 'Compare the bytes with those that were sent. A forged delivery is rightly refused.',
    evidence({ delivery, readings, search: { matching } }) {
      const { secret, apiKey } = delivery.settings.keys
      const hasBoth = readings.some(({ digests }) => new Set(digests.map(({ label }) => label)).size === 3)
      if (secret.length === 0 || apiKey.length === 0 || !hasBoth || matching.length > 0) return undefined
      return `No digest matches, neither under ${keysOf(delivery).join(' nor under ')}`
    },
  },
  {
    name: 'key-other',
    asks: 'Is the key that of another organization, or for v1 of another account or mode, or was the body changed or forged',
    fix: 'Compare the fingerprint with what "npx service-signature secret --base-url <url>" prints, and the bytes with those that were sent. If the sender is your own, let it sign with sign() of @service-signature/core/testing.',
    evidence({ delivery, search: { matching } }) {
      const open = delivery.settings.versions.filter((version) => !matching.includes(version)).join(', ')
      const tried = `Nothing that was tried makes ${open} match under ${keysOf(delivery).join(' or ')}`
      return matching.length === 0 ? tried : `${tried}, while ${matching.join(', ')} matches`
    },
  },
]

/** The questions that the delivery suggests, each name once. */
export function questionsOn(explained: Explained): readonly Question[] {
  const { bytes, isTooLarge } = explained.delivery
  const { list, usedKeys } = explained.checks
  const readings = explained.search.starts.map(({ reading }) => reading)
  const text = new TextDecoder().decode(isTooLarge ? bytes.subarray(-16) : bytes)
  const isAsked = ({ name }: QuestionRule) => {
    if (isTooLarge) return name === 'body-cut' && list.every(({ outcome }) => outcome !== 'failed')
    return usedKeys === undefined || name === 'clock-units'
  }
  const asked = new Map<QuestionName, Question>()
  for (const { name, asks, fix, evidence } of QUESTIONS.filter(isAsked)) {
    const seen = asked.has(name) ? undefined : evidence({ ...explained, readings, text })
    if (seen !== undefined) asked.set(name, { name, asks: `${asks}?`, evidence: `${seen}.`, fix })
  }
  return [...asked.values()]
}

/** Whether a time in milliseconds is so early that it must be in seconds. */
export function isInSeconds(now: number): boolean {
  return now > 1e8 && now < 1e11
}

function keysOf({ settings, fingerprints }: ArrivedDelivery): readonly string[] {
  const { secret, apiKey } = settings.keys
  return [...secret, ...apiKey].map(({ label }) => `${label} (${fingerprints.get(label)!})`)
}

function incomplete({ readings, delivery }: Unproven): string | undefined {
  const labels = [...new Set(readings.flatMap(({ digests }) => digests.map(({ label }) => label)))].sort()
  if (labels.length === 0) {
    return 'The header has no digest that could be compared: expected t=<digits>,v1=<hex>,v2=<hex>,v3=<hex>'
  }
  if (readings.every(({ timestamp }) => timestamp === undefined)) {
    return `The header has ${labels.join(', ')} and no "t", without which nothing can be verified`
  }
  const missing = delivery.settings.versions.filter((version) => !labels.includes(version))
  if (missing.length === 0) return undefined
  return `The header has no ${missing.join(', ')}, which is required, and of what it has (${labels.join(', ')}) nothing matches`
}

type Clauses = readonly (readonly [pattern: RegExp, clause: string])[]

function clauseOf(clauses: Clauses, text: string): string | undefined {
  return clauses.find(([pattern]) => pattern.test(text))?.[1]
}

const PLACEHOLDERS: Clauses = [
  [/^(?:undefined|null|none)$/i, 'the text "undefined" or "null"'],
  [/\*{3}|\u2022{3}|\u2026|\.{3}/, 'a masked value (***), as a dashboard or a log shows it'],
  [
    /^(?:\$\{?\w+\}?|%\w+%|\{\{.*\}\}|<.*>|your[-_ ].*|x{3,}|change-?me|todo|secret)$/i,
    'a variable or a placeholder',
  ],
]

/** The values that remain after a parser has consumed a body. */
const CONSUMED: Clauses = [
  [/^"?\[object Object\]"?$/, 'The body is what JavaScript prints for an object'],
  [/^(?:undefined|null|"")$/, 'The body is what JavaScript prints where there is no value'],
  [
    /^\{\}$/,
    'The body is an empty JSON object, as Express has before a parser ran or when none took the request',
  ],
]

const OBJECTS: Clauses = [
  [/^\{'/, "The body is what Python prints for a dict ({'type': ...})"],
  [/^\{"\w+"\s?=>/, 'The body is what Ruby prints for a hash ("type"=>...)'],
  [/^(?:Array|stdClass Object)\s*\(/, 'The body is what print_r() of PHP prints for an array'],
  [/^a:\d+:\{/, 'The body is what serialize() of PHP prints'],
  [/^map\[/, 'The body is what Go prints for a map'],
  [/^\{\s*\w+: /, 'The body is what console.log() of JavaScript prints for an object'],
  [/^\{\w+=/, 'The body is what Java prints for a map ({type=...})'],
]

function partOfHeader(header: unknown): string | undefined {
  const [value] = [header].flat()
  if (typeof value !== 'string') return undefined
  const { elements } = repairText(value)
  const [first = '', ...others] = elements
  if (/^[0-9a-f]{8,63}$/i.test(first)) return 'The header starts within a digest, and has no "t"'
  if (/^t=\d+$/.test(first) && others.length === 0) return 'The header ends after "t", and has no digest'
  const cut = cutOf(elements)
  return cut && `${cut[0]!.toUpperCase()}${cut.slice(1)}`
}

/** Sizes that buffers, columns and limits have. */
const SIZES: Readonly<Record<number, string>> = {
  255: 'a column of 255 characters',
  256: 'a buffer of 256 bytes',
  1448: 'one TCP segment',
  1460: 'one TCP segment',
  16384: 'a chunk of 16 KiB',
  65536: 'a buffer or column of 64 KiB',
  102400: '100 KiB, the limit of many body parsers',
}

function endOf(size: number): string {
  const isRound = size % 1024 === 0 || size === 512
  const known = SIZES[size] ?? (isRound ? `a buffer of ${size.toLocaleString('en')} bytes` : undefined)
  return `The body ends within its JSON, after ${size.toLocaleString('en')} bytes${known === undefined ? '' : ` (${known})`}`
}

/** The part of a JSON object or list that is missing, if it is the end or the start. */
function partOfJson(text: string, size: number): string | undefined {
  const opens = /^\s*[{[]\s*["{[\d\]}-]?/.test(text)
  const open: string[] = []
  for (const [mark] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]]/g)) {
    if (mark === '{' || mark === '[') open.push(mark)
    else if (mark === '}' || mark === ']') {
      const isPair = open.pop() === (mark === '}' ? '{' : '[')
      if (opens && (!isPair || open.length === 0)) return undefined
    }
  }
  if (opens) return endOf(size)
  const closes = /[}\]]\s*$/.test(text) && /"[\w-]+"\s*:/.test(text)
  return closes ? `The body starts within its JSON: its beginning is missing` : undefined
}

function lostCharacters(body: BodyView | undefined, text: string): string | undefined {
  if (text.includes('\ufffd')) {
    return body?.text === undefined
      ? 'The body is not UTF-8, as if it was written in another charset'
      : 'There are replacement characters (U+FFFD) where bytes were lost'
  }
  // Within a word, or in place of a word, but not at the end of a sentence or in an address.
  const isLost = /"[^"\\/]*(?:[a-z]\?[a-z]|\?\?| \?[ ,.])/i.test(text)
  return isLost ? 'There is "?" within words, where letters of another charset were lost' : undefined
}

function printedAgain(json: JsonText): string | undefined {
  const isEvent = json.tokens.some(({ text }) => text === '"api_version"')
  const amount = json.tokens.find(({ text, key }) => /^"(?:amount|value)"$/.test(key) && /^\d+$/.test(text))
  const clauses = [...printerTraces(json)]
  if (isEvent && amount !== undefined)
    clauses.push(`with an amount as ${amount.text}, which Python prints as ${amount.text}.0`)
  return clauses.length === 0 ? undefined : `The body arrived ${clauses.join(', ')}`
}

const TIME = /"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|\+00:00)"/g

/** A body cannot have been signed before the times that it contains. */
function laterTime({ text, readings }: Unproven): string | undefined {
  const t = readings.find(({ seconds }) => seconds !== undefined)?.seconds
  if (t === undefined) return undefined
  const times = Array.from(text.matchAll(TIME), ([, date, time]) => Date.parse(`${date!}T${time!}Z`) / 1000)
  const latest = times.reduce((a, b) => Math.max(a, b), -Infinity)
  if (!(latest > t + 60)) return undefined
  const seconds = distance(t - latest).replace(/ ahead$/, '')
  return `The body contains a time that is ${seconds} after the signature, which is that of another event`
}
