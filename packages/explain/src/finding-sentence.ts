import type { KeyKind, Version } from '@service-signature/core/internal'
import type { ArrivedDelivery, DeliveryChecks } from './delivery-checks.js'
import type { Hypothesis } from './explain-report.js'
import type { HeaderReading } from './fault-rule.js'
import { distance } from './header-rules.js'

/** Everything that the finding may be about. */
export interface Results {
  readonly delivery: ArrivedDelivery
  readonly checks: DeliveryChecks
  readonly readings: readonly HeaderReading[]
  /** What explains the signature best. */
  readonly explanation: Hypothesis | undefined
  /** What explains the time, if that is wrong. */
  readonly staleness: Hypothesis | undefined
  /** The required versions that the explanation does not explain. */
  readonly unexplained: readonly Version[]
  /** The versions that match as they were delivered. */
  readonly matching: readonly Version[]
}

/** The most important result, in one sentence. */
export function findingOf(results: Results): string {
  return sentence(
    proven(results) ??
      verified(results) ??
      symptomOf(results.delivery) ??
      incomplete(results) ??
      unexplained(results),
  )
}

export function sentence(clause: string): string {
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}.`
}

function proven({ explanation, staleness, unexplained }: Results): string | undefined {
  const clauses = [explanation, staleness].flatMap((hypothesis) =>
    hypothesis === undefined ? [] : [`${hypothesis.happened} [${hypothesis.names.join(', ')}]`],
  )
  if (unexplained.length > 0) clauses.push(`nothing explains why ${unexplained.join(' and ')} differs`)
  return clauses.length === 0 ? undefined : clauses.join('; besides, ')
}

/** If the signature matches: is anything else wrong? */
function verified({ delivery, checks }: Results): string | undefined {
  const { usedKeys, age } = checks
  if (usedKeys === undefined) return undefined
  const { versions, keys } = delivery.settings
  const matching = `${versions.join(', ')} ${versions.length === 1 ? 'matches' : 'match'}`
  const failed = checks.list.find(({ outcome }) => outcome === 'failed')
  if (failed?.name === 'keys') {
    return `${matching} with the key as it was given, but the verifier does not accept such a key: ${failed.detail.replace(/\.$/, '')}`
  }
  if (failed !== undefined) return `${matching}, but the body is not JSON in UTF-8, or is nested too deep`
  const used = (Object.keys(usedKeys) as KeyKind[]).map((kind) => keys[kind][usedKeys[kind]!]!.label)
  return `it verifies: ${matching} under ${withFingerprints(used, delivery)}, and it was signed ${distance(age!.ageSeconds)}`
}

/** Something is missing in the header. */
function incomplete({ readings, delivery }: Results): string | undefined {
  const labels = [...new Set(readings.flatMap(({ digests }) => digests.map(({ label }) => label)))].sort()
  if (labels.length === 0) {
    return 'the header has no digest that could be compared: expected t=<digits>,v1=<hex>,v2=<hex>,v3=<hex>'
  }
  if (readings.every(({ timestamp }) => timestamp === undefined)) {
    return `the header has ${labels.join(', ')} and no "t", without which nothing can be verified`
  }
  const missing = delivery.settings.versions.filter((version) => !labels.includes(version))
  if (missing.length === 0) return undefined
  return `the header has no ${missing.join(', ')}, which is required, and of what it has (${labels.join(', ')}) nothing matches`
}

function unexplained({ delivery, matching }: Results): string {
  const { versions, keys } = delivery.settings
  const open = versions.filter((version) => !matching.includes(version)).join(', ')
  const tried =
    matching.length === 0
      ? 'no likely change of header, body or key makes a digest match'
      : `${matching.join(', ')} matches, and no likely change of header, body or key makes ${open} match`
  const given = [...keys.secret, ...keys.apiKey].map(({ label }) => label)
  return (
    `no hypothesis fits: ${tried}, so check whether the key belongs to another account or to the other mode, test or live ` +
    `(compare ${withFingerprints(given, delivery)} with what "service-signature secret" prints), and whether these bytes ` +
    'are those that were sent'
  )
}

function withFingerprints(labels: readonly string[], { fingerprints }: ArrivedDelivery): string {
  return labels.map((label) => `${label} (${fingerprints.get(label)!})`).join(' and ')
}

/** What can be seen at once, although no HMAC can prove it. */
interface Symptom {
  readonly shows: (delivery: ArrivedDelivery) => boolean
  /** A sentence without its full stop. */
  readonly says: string
}

const CONSUMED =
  'another parser took the bytes before they could be verified, so mount the verification before every body parser'

const SYMPTOMS: readonly Symptom[] = [
  {
    shows: ({ header }) => header === null || header === undefined,
    says: 'There is no Service-Signature header: a proxy or gateway dropped it, it was looked up under another name, or the request does not come from the payment service',
  },
  { shows: ({ bytes }) => bytes.length === 0, says: `The body is empty: ${CONSUMED}, or nothing was sent` },
  {
    shows: isText('[object Object]', '"[object Object]"'),
    says: `The body is what JavaScript prints for an object: ${CONSUMED}`,
  },
  {
    shows: isText('undefined', 'null', '""'),
    says: `The body is what JavaScript prints where there is no value: ${CONSUMED}`,
  },
  {
    shows: isText('{}'),
    says: `The body is an empty JSON object, which is what Express has before a parser ran or when none took the request: ${CONSUMED}`,
  },
  {
    shows: ({ bytes }) => bytes[0] === 0x1f && bytes[1] === 0x8b,
    says: 'The body is compressed (0x1f 0x8b at its start is gzip): the payment service signs it uncompressed, so have the proxy pass it on unchanged',
  },
  {
    shows: ({ bytes }) =>
      bytes.some((byte, at) => byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd),
    says: 'The body was decoded as text of a wrong charset and printed again: there are replacement characters (U+FFFD) where bytes were lost, so take the bytes before any decoding',
  },
]

function symptomOf(delivery: ArrivedDelivery): string | undefined {
  return SYMPTOMS.find(({ shows }) => shows(delivery))?.says
}

function isText(...texts: readonly string[]): Symptom['shows'] {
  return ({ bytes }) => bytes.length < 20 && texts.includes(new TextDecoder().decode(bytes).trim())
}
