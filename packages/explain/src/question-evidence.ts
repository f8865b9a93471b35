import type { Version } from '@service-signature/core/internal'
import type { ArrivedDelivery } from './delivery-checks.js'
import type { HeaderReading } from './fault-rule.js'
import { cutOf, repairText } from './header-reading.js'
import { distance } from './header-rules.js'
import type { JsonText } from './json-text.js'

/** The data that a question can be about. */
export interface Unproven {
  readonly delivery: ArrivedDelivery
  /** Whether the signature is right and something else is wrong. */
  readonly isVerified: boolean
  readonly readings: readonly HeaderReading[]
  /** The versions that match as they were delivered. */
  readonly matching: readonly Version[]
  /** The body as text, in which invalid UTF-8 is replaced. */
  readonly text: string
  readonly json: JsonText | undefined
}

/** Whether the header lacks something. */
export function incomplete({ readings, delivery }: Unproven): string | undefined {
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

/** Placeholders for keys in settings and examples. */
export const PLACEHOLDER =
  /^(?:undefined|null|none|\$\{?\w+\}?|%\w+%|\{\{.*\}\}|<.*>|your[-_ ].*|x{3,}|change-?me|todo|secret)$/i

/** The values that remain after a parser has consumed a body. */
export const CONSUMED: ReadonlyMap<string, string> = new Map([
  ...['[object Object]', '"[object Object]"'].map(
    (text) => [text, 'The body is what JavaScript prints for an object'] as const,
  ),
  ...['undefined', 'null', '""'].map(
    (text) => [text, 'The body is what JavaScript prints where there is no value'] as const,
  ),
  [
    '{}',
    'The body is an empty JSON object, as Express has before a parser ran or when none took the request',
  ],
])

/** How languages print an object. */
export const OBJECTS: readonly (readonly [pattern: RegExp, evidence: string])[] = [
  [/^\{'/, "The body is what Python prints for a dict ({'type': ...})"],
  [/^\{"\w+"\s?=>/, 'The body is what Ruby prints for a hash ("type"=>...)'],
  [/^(?:Array|stdClass Object)\s*\(/, 'The body is what print_r() of PHP prints for an array'],
  [/^a:\d+:\{/, 'The body is what serialize() of PHP prints'],
  [/^map\[/, 'The body is what Go prints for a map'],
  [/^\{\s*\w+: /, 'The body is what console.log() of JavaScript prints for an object'],
  [/^\{\w+=/, 'The body is what Java prints for a map ({type=...})'],
]

/** The part that is missing at an end of the header. */
export function partOfHeader(header: unknown): string | undefined {
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

/** Where a body was cut. */
export function endOf(size: number): string {
  const isRound = size % 1024 === 0 || size === 512
  const known = SIZES[size] ?? (isRound ? `a buffer of ${size.toLocaleString('en')} bytes` : undefined)
  return `The body ends within its JSON, after ${size.toLocaleString('en')} bytes${known === undefined ? '' : ` (${known})`}`
}

/** Whether it is JSON whose end is missing. */
export function isPartOfJson(text: string): boolean {
  if (!/^\s*[{[]\s*["{[\d\]}-]?/.test(text)) return false
  const open: string[] = []
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]/gs)) {
    if (mark === '{' || mark === '[') open.push(mark)
    else if (mark === '}' || mark === ']') {
      if (open.pop() !== (mark === '}' ? '{' : '[')) return false
      if (open.length === 0) return false
    }
  }
  return open.length > 0
}

/** Replacements of letters in the body. */
export function lostCharacters(bytes: Uint8Array, text: string): string | undefined {
  const isReplaced = bytes.some(
    (byte, at) => byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd,
  )
  if (isReplaced) return 'There are replacement characters (U+FFFD) where bytes were lost'
  if (text.includes('\ufffd')) return 'The body is not UTF-8, as if it was written in another charset'
  const isLost = /"[^"\\/]*(?:[a-z]\?[a-z]|\?\?)/i.test(text)
  return isLost ? 'There is "?" within words, where letters of another charset were lost' : undefined
}

const TIME = /"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|\+00:00)"/g

/** A body cannot have been signed before the times that it contains. */
export function laterTime({ text, readings }: Unproven): string | undefined {
  const t = readings.find(({ seconds }) => seconds !== undefined)?.seconds
  if (t === undefined) return undefined
  const times = Array.from(text.matchAll(TIME), ([, date, time]) => Date.parse(`${date!}T${time!}Z`) / 1000)
  const latest = times.reduce((a, b) => Math.max(a, b), -Infinity)
  if (!(latest > t + 60)) return undefined
  const seconds = distance(t - latest).replace(/ ahead$/, '')
  return `The body contains a time that is ${seconds} after the signature, which is that of another event`
}
