import type { KeyKind } from '../versions.js'
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
  /** What explains the time, where that is wrong. */
  readonly stale: Hypothesis | undefined
}

/** The most important thing, in one sentence. */
export function findingOf(found: Found): string {
  const { subject, verdict, hypotheses, stale } = found
  const proven = [hypotheses[0], stale].filter((hypothesis) => hypothesis !== undefined)
  const clause =
    proven.length > 0
      ? proven.map(({ names, happened }) => `${happened} [${names.join(', ')}]`).join('; besides, ')
      : (genuine(subject, verdict) ?? symptomOf(subject) ?? incomplete(found) ?? unexplained(subject))
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}.`
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

function unexplained(subject: Subject): string {
  const { secret, apiKey } = subject.settings.keys
  const given = withFingerprints(
    [...secret, ...apiKey].map(({ label }) => label),
    subject,
  )
  return (
    'no hypothesis fits: no likely change of header, body or key makes a digest match, so look whether the key is that ' +
    `of another account or of the other mode, test or live (compare ${given} with what "service-signature secret" prints), ` +
    'and whether these bytes are those that were sent'
  )
}

function withFingerprints(labels: readonly string[], { fingerprints }: Subject): string {
  return labels.map((label) => `${label} (${fingerprints.get(label)!})`).join(' and ')
}
