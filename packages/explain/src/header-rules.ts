import { VERSION_NAMES, type timeWindowVerdict } from '@service-signature/core/internal'
import type { Advice, Fault, Rule } from './fault-rule.js'

const AS_ARRIVED =
  "Pass the value as it arrived: request.headers['service-signature'], or headers.get('service-signature')."
const TEST_SENDER = 'In a sender of your own: a test, a mock, a script.'

/** The faults that reading the header undoes. */
export const headerAdvice: readonly Advice[] = [
  {
    name: 'header-repeated',
    where: 'After two proxies that each add the header, or on a host that gives its values as a list.',
    fix: `${AS_ARRIVED} If two hops add it, let one replace it (proxy_set_header) instead.`,
  },
  {
    name: 'header-name-in-value',
    where: 'In a line that was copied from a log or a request tool, with its name.',
    fix: "Pass only the text after 'Service-Signature: '.",
  },
  {
    name: 'header-quoted',
    where: 'In a log or a CSV file from which the header was copied, or a shell that passes quotes on.',
    fix: `${AS_ARRIVED} It contains no quotes.`,
  },
  {
    name: 'header-separators',
    where: `${TEST_SENDER} Or in code that prints the header from its parts.`,
    fix: 'Join the elements by a comma alone, and name and value by "=": t=<digits>,v1=<hex>,v2=<hex>,v3=<hex>.',
  },
  {
    name: 'header-percent-encoded',
    where: 'In a gateway or a queue that carries headers as part of a URL or a form.',
    fix: 'Decode it once before you verify: decodeURIComponent(value).',
  },
  {
    name: 'header-element-names',
    where: `${TEST_SENDER} The names are t, v1, v2 and v3, in lower case.`,
    fix: 'Use the names of the payment service: t=<digits>,v3=<hex>.',
  },
  {
    name: 'header-digest-prefix',
    where: `${TEST_SENDER} Other services put "sha256=" before the digest.`,
    fix: 'Write the 64 hex digits alone: v3=<hex>.',
  },
  {
    name: 'header-digest-base64',
    where: `${TEST_SENDER} Digests of this service are hex, not base64.`,
    fix: "Print the digest as hex: createHmac('sha256', secret).update(message).digest('hex').",
  },
  {
    name: 'header-hex-upper-case',
    where: `${TEST_SENDER} C# (Convert.ToHexString, BitConverter) and some databases print hex in upper case.`,
    fix: "Print the digest in lower case: digest('hex'), Convert.ToHexString(hash).ToLowerInvariant().",
  },
  {
    name: 'header-milliseconds',
    where: `${TEST_SENDER} Date.now() and System.currentTimeMillis() count milliseconds.`,
    fix: 'Count seconds: Math.floor(Date.now() / 1000), in the header and in the signed message.',
  },
  {
    name: 'header-time-format',
    where: `${TEST_SENDER} Python's time.time() has decimals, toISOString() is not a number.`,
    fix: 'Write whole seconds since 1970 as digits: Math.floor(Date.now() / 1000), int(time.time()).',
  },
  {
    name: 'header-cut',
    where:
      'In a column or a log with a limit (the header has 216 characters), or a line that was copied in part.',
    fix: 'Keep and pass on the header as a whole: a column of text instead of varchar(128), no limit on its length.',
  },
  {
    name: 'header-version-missing',
    where: 'With an older sender, which sends v1 and v2 alone, or a sender of your own.',
    fix: 'List in "versions" what the sender sends, such as versions: [\'v2\'], or have it send v3, which alone signs every byte.',
  },
]

/** The digest under one name belongs to another version. */
export const swappedDigests: Rule = {
  name: 'header-digests-swapped',
  where: 'In a sender of your own, or in code that takes the header apart and prints it again.',
  fix: 'Put each digest after the name of its own version: v1 is of the body without spaces, v2 of sorted JSON, v3 of base64.',
  changes: 'header',
  versions: VERSION_NAMES,
  *candidates({ reading }) {
    for (const digest of reading.digests) {
      for (const version of VERSION_NAMES) {
        if (version === digest.label) continue
        yield {
          change: { reading: { ...reading, digests: [{ ...digest, version }] } },
          happened: `the header has the digest of ${version} under the name ${digest.label}`,
          versions: [version],
        }
      }
    }
  },
}

export const timeAdvice: readonly Advice[] = [
  {
    name: 'time-zone',
    where: 'In a sender that takes local time for UTC, or on a machine whose clock has local time.',
    fix: 'Take t from a clock without a time zone: Math.floor(Date.now() / 1000), int(time.time()); not datetime.utcnow().timestamp().',
  },
  {
    name: 'clock-skew',
    where: 'On a machine that was suspended or has no NTP, or after a queue where deliveries waited.',
    fix: 'Set the clock of this machine and keep it right: timedatectl set-ntp true, chronyc tracking. If deliveries wait before the verifier, verify them where they arrive.',
  },
  {
    name: 'replay',
    where: 'In a test with a recorded delivery, a tool that sends it again, or with an attacker.',
    fix: 'For a recorded delivery, give the time of the recording: now: () => t * 1000. In production there is nothing to fix: the refusal is right.',
  },
]

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The largest offset of a time zone. */
const MAX_ZONE_HOURS = 14

/** The kind of fault of the time, when the signature is right and the time is outside of the window. */
export function timeFault({ verdict, ageSeconds }: ReturnType<typeof timeWindowVerdict>): Fault | undefined {
  if (verdict === 'in time') return undefined
  const seconds = Math.abs(ageSeconds)
  const hours = Math.round(seconds / HOUR)
  const signed = `the signature is right, but it was made ${distance(ageSeconds)}`
  // The travel of a delivery and two clocks may take it a minute away from a whole hour.
  if (hours >= 1 && hours <= MAX_ZONE_HOURS && Math.abs(seconds - hours * HOUR) <= MINUTE) {
    const happened = `${signed}, nearly a whole number of hours, which looks like a time zone`
    return { name: 'time-zone', happened }
  }
  // A clock that is slow by more than an hour is rarely an accident.
  if (ageSeconds < 0 || seconds <= HOUR) {
    return { name: 'clock-skew', happened: `${signed}, which looks like a clock that is wrong` }
  }
  return { name: 'replay', happened: `${signed}, which looks like a recorded delivery that was sent again` }
}

const UNITS = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
] as const

/** `312 s (5 min) ago`: how far away a time is, and in which direction. */
export function distance(ageSeconds: number): string {
  const whole = Math.round(Math.abs(ageSeconds))
  const unit = UNITS.find(([size]) => whole >= 2 * size)
  const rounded = unit === undefined ? '' : ` (${Math.floor(whole / unit[0])} ${unit[1]})`
  return `${whole} s${rounded} ${ageSeconds < 0 ? 'ahead' : 'ago'}`
}
