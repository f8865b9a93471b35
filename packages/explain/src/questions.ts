import type { ArrivedDelivery } from './delivery-checks.js'
import type { Question, QuestionName } from './explain-report.js'
import { isRounded } from './json-styles.js'
import {
  CONSUMED,
  endOf,
  incomplete,
  isPartOfJson,
  laterTime,
  lostCharacters,
  OBJECTS,
  partOfHeader,
  PLACEHOLDER,
  type Unproven,
} from './question-evidence.js'
import { compressionOf } from './transfer-codings.js'

interface QuestionRule {
  readonly name: QuestionName
  readonly asks: string
  readonly fix: string
  /** The evidence, in a sentence without its full stop; undefined if there is no evidence. */
  readonly evidence: (unproven: Unproven) => string | undefined
}

const BEFORE_PARSERS = 'Mount the verification before every body parser, and pass it the raw body.'

/** The causes that no digest can prove, the likeliest first. */
const QUESTIONS: readonly QuestionRule[] = [
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
    evidence: ({ delivery: { settings } }) => {
      const keys = [...settings.keys.secret, ...settings.keys.apiKey]
      const given = keys.find(({ material }) => PLACEHOLDER.test(material))
      if (given === undefined) return undefined
      const what = /^undefined$|^null$|^none$/i.test(given.material)
        ? 'the text "undefined" or "null"'
        : 'a variable or a placeholder'
      return `The key "${given.label}" looks like ${what}`
    },
  },
  {
    name: 'body-consumed',
    asks: 'Did another parser take the body before it could be verified',
    fix: BEFORE_PARSERS,
    evidence: ({ delivery: { bytes }, text }) =>
      bytes.length === 0 ? 'The body is empty' : CONSUMED.get(text.slice(0, 20).trim()),
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
    evidence: ({ text }) => OBJECTS.find(([pattern]) => pattern.test(text.slice(0, 200)))?.[1],
  },
  {
    name: 'body-cut',
    asks: 'Was the body cut',
    fix: 'Read until the end of the request, raise the limit that cuts it, and store bodies in a column without a limit.',
    evidence: ({ delivery: { bytes }, text }) => (isPartOfJson(text) ? endOf(bytes.length) : undefined),
  },
  {
    name: 'body-characters-lost',
    asks: 'Was the body decoded in a wrong charset',
    fix: 'Take the bytes before any decoding: collect Buffers, no setEncoding(), no toString(), and no column of another charset.',
    evidence: ({ delivery: { bytes }, text }) => lostCharacters(bytes, text),
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
    evidence: ({ json }) =>
      json?.tokens.some((token) => token.kind === 'number' && isRounded(token))
        ? 'The body has an integer above 2^53, of which floats keep the first digits alone'
        : undefined,
  },
  {
    name: 'body-changed',
    asks: 'Was the body changed after it was signed, is it the body of another event, or is the delivery forged',
    fix: 'Compare the bytes with those that were sent. A forged delivery is rightly refused.',
    evidence({ delivery, readings, matching }) {
      const { secret, apiKey } = delivery.settings.keys
      const hasBoth = readings.some(({ digests }) => new Set(digests.map(({ label }) => label)).size === 3)
      if (secret.length === 0 || apiKey.length === 0 || !hasBoth || matching.length > 0) return undefined
      return `No digest matches, neither under ${keysOf(delivery).join(' nor under ')}`
    },
  },
  {
    name: 'key-other',
    asks: 'Is the key that of another organization, or for v1 of another account or mode, or was the body changed or forged',
    fix: 'Compare the fingerprint with what "service-signature secret" prints, and the bytes with those that were sent.',
    evidence({ delivery, matching }) {
      const open = delivery.settings.versions.filter((version) => !matching.includes(version)).join(', ')
      const tried = `Nothing that was tried makes ${open} match under ${keysOf(delivery).join(' or ')}`
      return matching.length === 0 ? tried : `${tried}, while ${matching.join(', ')} matches`
    },
  },
]

/** The questions that the delivery suggests, each name once. */
export function questionsOn(unproven: Unproven): readonly Question[] {
  const asked = new Map<QuestionName, Question>()
  const rules = QUESTIONS.filter(({ name }) => !unproven.isVerified || name === 'clock-units')
  for (const { name, asks, fix, evidence } of rules) {
    const seen = asked.has(name) ? undefined : evidence(unproven)
    if (seen !== undefined) asked.set(name, { name, asks: `${asks}?`, evidence: `${seen}.`, fix })
  }
  return [...asked.values()]
}

/** The question about a body that is too large to be looked at. */
export function cutQuestion(size: number): Question {
  const { name, asks, fix } = QUESTIONS.find((rule) => rule.name === 'body-cut')!
  return { name, asks: `${asks}?`, evidence: `${endOf(size)}.`, fix }
}

/** Whether a time in milliseconds is so early that it must be in seconds. */
export function isInSeconds(now: number): boolean {
  return now > 1e8 && now < 1e11
}

function keysOf({ settings, fingerprints }: ArrivedDelivery): readonly string[] {
  const { secret, apiKey } = settings.keys
  return [...secret, ...apiKey].map(({ label }) => `${label} (${fingerprints.get(label)!})`)
}
