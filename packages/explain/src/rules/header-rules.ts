import {
  parseSignatureHeader,
  type SignatureHeader,
  type SignatureHeaderValue,
  type Version,
} from '@service-signature/core'
import { isVersion, VERSION_NAMES } from '@service-signature/core/signature/names'
import { fromBase64, ifValid, percentDecoded, toHex } from '../read/encodings.js'
import {
  COST,
  type Advice,
  type Cost,
  type Fault,
  type HeaderDigest,
  type HeaderReading,
  type Rule,
} from './fault-rule.js'

const AS_ARRIVED =
  "Pass the value as it arrived: request.headers['service-signature'], or headers.get('service-signature')."
const TEST_SENDER = 'In a sender of your own: a test, a mock, a script.'

/** The faults of the header, which are seen when it is read. */
export const HEADER_FAULTS = {
  'header-repeated': {
    where: 'After two proxies that each add the header, or on a host that gives its values as a list.',
    fix: `${AS_ARRIVED} If two hops add it, let one replace it (proxy_set_header) instead.`,
  },
  'header-name-in-value': {
    where: 'In a line that was copied from a log or a request tool, with its name.',
    fix: "Pass only the text after 'Service-Signature: '.",
  },
  'header-quoted': {
    where: 'In a log or a CSV file from which the header was copied, or a shell that passes quotes on.',
    fix: `${AS_ARRIVED} It contains no quotes.`,
  },
  'header-separators': {
    where: `${TEST_SENDER} Or in code that prints the header from its parts.`,
    fix: 'Join the elements by a comma alone, and name and value by "=": t=<digits>,v1=<hex>,v2=<hex>,v3=<hex>.',
  },
  'header-percent-encoded': {
    where: 'In a gateway or a queue that carries headers as part of a URL or a form.',
    fix: 'Decode it once before you verify: decodeURIComponent(value).',
  },
  'header-element-names': {
    where: `${TEST_SENDER} The names are t, v1, v2 and v3, in lower case.`,
    fix: 'Use the names of the payment service: t=<digits>,v3=<hex>.',
  },
  'header-digest-prefix': {
    where: `${TEST_SENDER} Other services put "sha256=" before the digest.`,
    fix: 'Write the 64 hex digits alone: v3=<hex>.',
  },
  'header-digest-base64': {
    where: `${TEST_SENDER} Digests of this service are hex, not base64.`,
    fix: "Print the digest as hex: createHmac('sha256', secret).update(message).digest('hex').",
  },
  'header-hex-upper-case': {
    where: `${TEST_SENDER} C# (Convert.ToHexString, BitConverter) and some databases print hex in upper case.`,
    fix: "Print the digest in lower case: digest('hex'), Convert.ToHexString(hash).ToLowerInvariant().",
  },
  'header-milliseconds': {
    where: `${TEST_SENDER} Date.now() and System.currentTimeMillis() count milliseconds.`,
    fix: 'Count seconds: Math.floor(Date.now() / 1000), in the header and in the signed message.',
  },
  'header-time-format': {
    where: `${TEST_SENDER} Python's time.time() has decimals, toISOString() is not a number.`,
    fix: 'Write whole seconds since 1970 as digits: Math.floor(Date.now() / 1000), int(time.time()).',
  },
  'header-cut': {
    where:
      'In a column or a log with a limit (the header has 216 characters), or a line that was copied in part.',
    fix: 'Keep and pass on the header as a whole: a column of text instead of varchar(128), no limit on its length.',
  },
  'header-version-missing': {
    where: 'With an older sender, which sends v1 and v2 alone, or a sender of your own.',
    fix: 'List in "versions" what the sender sends, such as versions: [\'v2\'], or have it send v3, which alone signs every byte.',
  },
  'header-digests-swapped': {
    where: 'In a sender of your own, or in code that takes the header apart and prints it again.',
    fix: 'Put each digest after the name of its own version: v1 is of the body without spaces, v2 of sorted JSON, v3 of base64.',
  },
} satisfies Record<string, Advice>

/**
 * The possible readings of the header. If it follows the grammar and has all versions, there is nothing to guess.
 * Otherwise everything that can be read, with the faults that this assumes.
 */
export function readHeader(
  value: SignatureHeaderValue,
  listed: readonly Version[],
): readonly HeaderReading[] {
  const strict = ifValid(() => parseSignatureHeader(value))
  if (strict !== undefined && listed.every((version) => strict.signatures[version] !== undefined)) {
    return [asWritten(strict)]
  }
  const repaired = repairedReadings(value, listed)
  if (strict === undefined) return repaired
  // A version that is missing may be present under another name.
  const renamed = repaired.filter(({ digests }) => digests.some(({ faults }) => faults.length > 0))
  return [asWritten(strict), ...renamed]
}

function asWritten({ timestamp, signatures }: SignatureHeader): HeaderReading {
  const digests = VERSION_NAMES.flatMap((version) => digestOf(signatures[version] ?? '', version, []) ?? [])
  return { timestamp, seconds: Number(timestamp), digests, faults: [] }
}

export function missingVersions(
  { digests, faults }: HeaderReading,
  listed: readonly Version[],
): readonly Fault[] {
  if (faults.some(({ name }) => name === 'header-cut')) return []
  const labels = [...new Set(digests.map(({ label }) => label))].sort()
  const missing = listed.filter((version) => !labels.includes(version))
  if (missing.length === 0) return []
  const present = labels.length === 0 ? 'no digest at all' : labels.join(', ')
  const happened = `the header has no ${missing.join(', ')}, which is required, but ${present}`
  return [{ name: 'header-version-missing', happened }]
}

function repairedReadings(value: unknown, listed: readonly Version[]): readonly HeaderReading[] {
  const texts = [value].flat().filter((item) => typeof item === 'string')
  if (texts.length === 0) return []
  const { elements, faults } = repairText(texts.join())
  const groups = grouped(elements.map(elementOf))
  const repeated =
    texts.length > 1
      ? `the header came as ${texts.length} values`
      : groups.length > 1 && `the header contains ${groups.length} signatures, one after the other`
  const all = [
    ...faultsOf(['header-repeated', repeated]),
    ...faults,
    ...faultsOf(['header-cut', cutOf(elements)]),
  ]
  // The first and the last: two proxies or two senders.
  const first = groups[0]!
  return [...new Set([first, groups.at(-1)!])].flatMap((group) => readingsOf(group, first, all, listed))
}

/** A clause about the place where the header was cut, if it ends within a digest. */
export function cutOf(elements: readonly string[]): string | undefined {
  const [, name, digits] = /^(?:(v[123])=|v)([0-9a-f]{0,63})$/i.exec(elements.at(-1) ?? '') ?? []
  if (digits === undefined) return undefined
  const where = name === undefined ? 'after a comma' : `within ${name}, after ${digits.length} of 64 digits`
  return `the header is cut ${where}`
}

// No header that could be saved is longer.
const MAX_CHARACTERS = 4096
const MAX_ELEMENTS = 48

const QUOTES = /["'`\\\u201c\u201d\u2018\u2019]/g
const NAME = /^[ \t]{0,8}Service-Signature[ \t]{0,8}[:=][ \t]{0,8}/i
const SEPARATORS = /[,;&|\s{}[\]]+/

/** The text without an encoding of it as a whole, and a clause about the encoding. */
function decodedText(text: string): readonly [decoded: string, happened: string] {
  if (/%(?:2c|3d|3b|3a|20|22)/i.test(text)) {
    const decoded = percentDecoded(text.replaceAll('+', ' '))
    return [decoded ?? text, 'the header is percent-encoded (%3D for "=")']
  }
  const bytes = text.includes(',') ? undefined : fromBase64(text)
  const inner = new TextDecoder().decode(bytes)
  if (/^t=\d/.test(inner)) return [inner, 'the header arrived as base64']
  const unescaped = text.replace(/\\u00([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return [unescaped, 'the header has escapes of JSON (\\u003d for "=")']
}

/** Removes characters around and between the elements that do not belong there. Linear time. */
export function repairText(text: string): {
  readonly elements: readonly string[]
  readonly faults: readonly Fault[]
} {
  const given = text.slice(0, MAX_CHARACTERS)
  const [decoded, encoding] = decodedText(given)
  const unquoted = decoded.replace(/^b(?=["'])/, '').replace(QUOTES, '')
  const unnamed = unquoted.replace(NAME, '')
  const elements = (unnamed.includes('=') ? unnamed : unnamed.replaceAll(':', '='))
    .split('=')
    .map((part) => part.trim())
    .join('=')
    .split(SEPARATORS)
    .filter((element) => element !== '')
    .slice(0, MAX_ELEMENTS)
  const strict = unnamed.split(',').map((element) => element.replace(/^[ \t]+/, '').trimEnd())
  const isFolded = /[\r\n]/.test(unnamed.trim())
  const isSeparated = elements.join() === strict.join()
  const separators = isFolded ? 'is folded: it has line breaks in it' : !isSeparated && 'has wrong separators'
  const faults = faultsOf(
    ['header-percent-encoded', decoded !== given && encoding],
    ['header-quoted', unquoted !== decoded && 'the header has quotes around or within its value'],
    ['header-name-in-value', unnamed !== unquoted && 'the value of the header starts with its name'],
    ['header-separators', separators && `the header ${separators}`],
  )
  if (faults.length > 0 || given === given.trimEnd()) return { elements, faults }
  return { elements, faults: faultsOf(['header-separators', 'the header has a line break at its end']) }
}

/** The faults of which there is a clause. */
function faultsOf(
  ...rows: readonly (readonly [name: keyof typeof HEADER_FAULTS, happened: string | false | undefined])[]
): readonly Fault[] {
  return rows.flatMap(([name, happened]) => (happened ? { name, happened } : []))
}

/** One element of the header: the time, a digest, or a digest without a version, as it would be under each. */
interface Element {
  readonly name: 't' | Version | undefined
  readonly text: string
  readonly digests: readonly HeaderDigest[]
  readonly faults: readonly Fault[]
}

const TIME = /^(?:t|ts|time|timestamp)$/i
const PREFIX = /^(?:sha-?256|hmac-sha-?256|0x)[=:]?/i
const MISNAMED: Fault = {
  name: 'header-element-names',
  happened: 'an element of the header does not have its right name',
}

function elementOf(text: string): Element {
  const equals = text.indexOf('=')
  const name = text.slice(0, Math.max(equals, 0))
  const value = text.slice(equals + 1)
  if (TIME.test(name)) return { name: 't', text: value, digests: [], faults: name === 't' ? [] : [MISNAMED] }

  const lower = name.toLowerCase()
  // "sha256=<hex>" is a digest with a prefix and without a name.
  const digits = PREFIX.test(name) ? text : value
  const faults = name === lower && (isVersion(name) || digits === text) ? [] : [MISNAMED]
  const versions = isVersion(lower) ? [lower] : VERSION_NAMES
  const digests = versions.flatMap((version) => digestOf(digits, version, faults) ?? [])
  return { name: isVersion(lower) ? lower : undefined, text: value, digests, faults }
}

function digestOf(text: string, version: Version, before: readonly Fault[]): HeaderDigest | undefined {
  const digits = text.replace(PREFIX, '')
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(digits)
  const hex = isBase64 ? toHex(fromBase64(digits)!) : digits
  if (!/^[0-9A-Fa-f]{64}$/.test(hex)) return undefined
  const lower = hex.toLowerCase()
  const faults = [
    ...before,
    ...faultsOf(
      ['header-digest-prefix', digits !== text && 'a digest in the header has a prefix ("sha256=")'],
      ['header-digest-base64', isBase64 && 'a digest in the header is base64 and not hex'],
      ['header-hex-upper-case', lower !== hex && 'a digest in the header is in upper case'],
    ),
  ]
  return { label: version, version, hex: lower, faults }
}

/** A name that occurs again begins the next signature. */
function grouped(elements: readonly Element[]): readonly (readonly Element[])[] {
  const groups: Element[][] = [[]]
  for (const element of elements) {
    const isAgain = element.name !== undefined && groups.at(-1)!.some(({ name }) => name === element.name)
    if (isAgain) groups.push([])
    groups.at(-1)!.push(element)
  }
  return groups
}

function readingsOf(
  group: readonly Element[],
  first: readonly Element[],
  faults: readonly Fault[],
  listed: readonly Version[],
): readonly HeaderReading[] {
  const named = group.filter(({ name }) => name !== undefined).flatMap(({ digests }) => digests)
  const isMissing = (version: Version) => !named.some(({ label }) => label === version)
  const unnamed = group
    .filter(({ name }) => name === undefined)
    .flatMap(({ digests }) => digests)
    .filter(({ version }) => listed.includes(version) && isMissing(version))
  const digests = [...named, ...unnamed]
  const time = [...group, ...first].find(({ name }) => name === 't')
  if (time === undefined) return [{ timestamp: undefined, seconds: undefined, digests, faults }]
  return timesOf(time.text).map((read) => {
    return { ...read, digests, faults: [...faults, ...time.faults, ...read.faults] }
  })
}

/** The readings of `t`: its text was signed as it is, or the seconds that it means were signed. */
function timesOf(text: string): readonly Omit<HeaderReading, 'digests'>[] {
  if (/^\d{1,12}$/.test(text)) return [{ timestamp: text, seconds: Number(text), faults: [] }]

  const isMilliseconds = /^\d{13}$/.test(text)
  const seconds = isMilliseconds ? Number(text) / 1000 : secondsOf(text)
  const fault: Fault = isMilliseconds
    ? { name: 'header-milliseconds', happened: '"t" in the header is in milliseconds' }
    : { name: 'header-time-format', happened: '"t" in the header is not a whole number of seconds' }
  const asWritten = { timestamp: text, seconds, faults: [fault] }
  if (seconds === undefined) return [asWritten]
  const signed = { ...fault, happened: `${fault.happened}, while seconds were signed` }
  return [asWritten, { timestamp: String(Math.floor(seconds)), seconds, faults: [signed] }]
}

function secondsOf(text: string): number | undefined {
  const seconds = /^\d{1,12}\.\d{1,12}$/.test(text) ? Number(text) : Date.parse(text) / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** Two digests that were exchanged, or one that is under the name of another version. */
export const swappedDigests: Rule = {
  name: 'header-digests-swapped',
  changes: 'header',
  versions: VERSION_NAMES,
  likely: ({ proven }) => (proven.includes('v3') ? undefined : costOf(proven)),
  exact: ({ reading, proven }) =>
    EXCHANGES.flatMap(([one, two]) => {
      const isOne = (label: Version) => label === one || label === two
      const [only, another] = reading.digests.map(({ label }) => label).filter(isOne)
      if (only === undefined) return []
      const digests = reading.digests.map((digest) => {
        if (!isOne(digest.label)) return digest
        const version = digest.label === one ? two : one
        // A digest that is alone keeps the name under which it is required.
        return { ...digest, version, ...(another !== undefined && { label: version }) }
      })
      const happened =
        another === undefined
          ? `the header has the digest of ${only === one ? two : one} under the name ${only}`
          : `the header has the digest of ${two} under the name ${one}, and the reverse`
      const change = { reading: { ...reading, digests } }
      return [{ change, happened, versions: [one, two], cost: costOf(proven) }]
    }),
}

/** Where one digest matches and another does not, they are less rare. */
function costOf(proven: readonly Version[]): Cost {
  return proven.length > 0 ? COST.unusual : COST.rare
}

const EXCHANGES = [
  ['v1', 'v2'],
  ['v1', 'v3'],
  ['v2', 'v3'],
] as const
