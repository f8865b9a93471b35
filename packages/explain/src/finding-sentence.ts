import type { KeyKind, Version } from '@service-signature/core/internal'
import type { ArrivedDelivery, DeliveryChecks } from './delivery-checks.js'
import type { Hypothesis, Question } from './explain-report.js'
import { distance } from './header-rules.js'

/** Everything that the finding may be about. */
export interface Results {
  readonly delivery: ArrivedDelivery
  readonly checks: DeliveryChecks
  /** The best explanation of the signature. */
  readonly explanation: Hypothesis | undefined
  /** The explanation of the time, if it is wrong. */
  readonly staleness: Hypothesis | undefined
  /** The required versions that the explanation does not explain. */
  readonly unexplained: readonly Version[]
  /** Possible causes, if the signature does not match and nothing is proven. */
  readonly questions: readonly Question[]
}

/** The most important result, in one sentence. */
export function findingOf(results: Results): string {
  const [question] = results.questions
  const clause = proven(results) ?? (question === undefined ? verified(results) : undefined)
  return clause === undefined ? `${question!.asks} ${question!.evidence}` : sentence(clause)
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

/** The sentence for a signature that matches: it names any other fault. */
function verified({ delivery, checks }: Results): string {
  const { usedKeys = {}, age } = checks
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

function withFingerprints(labels: readonly string[], { fingerprints }: ArrivedDelivery): string {
  return labels.map((label) => `${label} (${fingerprints.get(label)!})`).join(' and ')
}
