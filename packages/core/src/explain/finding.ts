import type { KeyKind, Version } from '../versions.js'
import type { Reading } from './case.js'
import type { Subject, Verdict } from './checks.js'
import type { Hypothesis } from './report.js'
import { symptomOf } from './symptoms.js'
import { distance } from './time.js'

/** What there is to say. */
export interface Found {
  readonly subject: Subject
  readonly verdict: Verdict
  readonly readings: readonly Reading[]
  /** What explains the signature. */
  readonly hypotheses: readonly Hypothesis[]
  /** The required versions that the first of these does not explain. */
  readonly open: readonly Version[]
  /** The versions that match as they were delivered. */
  readonly matching: readonly Version[]
  /** What explains the time, where that is wrong. */
  readonly stale: Hypothesis | undefined
}

/** The most important thing, in one sentence. */
export function findingOf(found: Found): string {
  const { subject, verdict } = found
  const clause =
    proven(found) ??
    genuine(subject, verdict) ??
    symptomOf(subject) ??
    incomplete(found) ??
    unexplained(found)
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}.`
}

function proven({ hypotheses: [first], open, stale }: Found): string | undefined {
  const clauses = [first, stale].flatMap((hypothesis) =>
    hypothesis === undefined ? [] : [`${hypothesis.happened} [${hypothesis.names.join(', ')}]`],
  )
  if (open.length > 0) clauses.push(`nothing explains why ${open.join(' and ')} differs`)
  return clauses.length === 0 ? undefined : clauses.join('; besides, ')
}

/** The signature matches; is there anything else? */
function genuine(subject: Subject, { checks, match, age }: Verdict): string | undefined {
  if (match === undefined) return undefined
  const { versions, keys } = subject.settings
  const matching = `${versions.join(', ')} ${versions.length === 1 ? 'matches' : 'match'}`
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  if (failed?.name === 'keys') {
    return `${matching} with the key as it was given, but the verifier does not take such a key: ${failed.detail.replace(/\.$/, '')}`
  }
  if (failed !== undefined) return `${matching}, but the body is no JSON in UTF-8, or is nested too deep`
  const used = (Object.keys(match.keyIndex) as KeyKind[]).map(
    (kind) => keys[kind][match.keyIndex[kind]!]!.label,
  )
  return `it verifies: ${matching} under ${withFingerprints(used, subject)}, and it was signed ${distance(age!.ageSeconds)}`
}

/** Something that belongs into the header is not there. */
function incomplete({ readings, subject }: Found): string | undefined {
  const labels = [...new Set(readings.flatMap(({ digests }) => digests.map(({ label }) => label)))].sort()
  if (labels.length === 0) {
    return 'the header has no digest that could be compared: t=<digits>,v1=<hex>,v2=<hex>,v3=<hex> belongs there'
  }
  if (readings.every(({ timestamp }) => timestamp === undefined)) {
    return `the header has ${labels.join(', ')} and no "t", without which nothing can be verified`
  }
  const missing = subject.settings.versions.filter((version) => !labels.includes(version))
  if (missing.length === 0) return undefined
  return `the header has no ${missing.join(', ')}, which is required, and of what it has (${labels.join(', ')}) nothing matches`
}

function unexplained({ subject, matching }: Found): string {
  const { versions, keys } = subject.settings
  const open = versions.filter((version) => !matching.includes(version)).join(', ')
  const tried =
    matching.length === 0
      ? 'no likely change of header, body or key makes a digest match'
      : `${matching.join(', ')} matches, and no likely change of header, body or key makes ${open} match`
  const given = [...keys.secret, ...keys.apiKey].map(({ label }) => label)
  return (
    `no hypothesis fits: ${tried}, so look whether the key is that of another account or of the other mode, test or live ` +
    `(compare ${withFingerprints(given, subject)} with what "service-signature secret" prints), and whether these bytes ` +
    'are those that were sent'
  )
}

function withFingerprints(labels: readonly string[], { fingerprints }: Subject): string {
  return labels.map((label) => `${label} (${fingerprints.get(label)!})`).join(' and ')
}
