import type { KeyKind } from '@service-signature/core/signature/keys'
import { timeWindowVerdict } from '@service-signature/core/verify/time-window'
import type { ArrivedDelivery } from '../read/arrived-delivery.js'
import { unexplained, type Fault } from '../rules/fault-rule.js'
import { FAULTS, type HypothesisName } from '../rules/rule-table.js'
import { distance, timeFault } from '../rules/time-rules.js'
import { WRAPPING_FAULTS } from '../rules/wrapping-rules.js'
import type { Finding } from '../search/findings.js'
import { matching } from './delivery-checks.js'
import type { ExplainReport, Hypothesis } from './explain-report.js'
import { isInSeconds, questionsOn, type Explained } from './questions.js'

export function reportOn(explained: Explained): ExplainReport {
  const { delivery, checks, search, tester } = explained
  const isVerified = checks.usedKeys !== undefined
  const ranked = search.findings.ranked
  const time = timeOf(explained, ranked[0])
  const proven = ranked.map((finding) =>
    hypothesisOf(finding.state.faults, finding.versions, firstDifference(finding, delivery.bytes)),
  )
  const hypotheses = [...proven, ...time.hypotheses]
  const ok = checks.list.every(({ outcome }) => outcome === 'passed')
  const questions = ok || hypotheses.length > 0 ? [] : questionsOn(explained)
  const limitReached = limitOf(delivery, tester)

  const clauses = [...proven.slice(0, 1), ...time.hypotheses].map(
    ({ happened, names }) => `${happened} [${names.join(', ')}]`,
  )
  const open = ranked[0] === undefined ? [] : unexplained(ranked[0].state)
  if (open.length > 0) clauses.push(`nothing explains why ${open.join(' and ')} differs`)
  const finding =
    clauses.length > 0
      ? sentence(clauses.join('; besides, '))
      : questions.length > 0
        ? `${questions[0]!.asks} ${questions[0]!.evidence}`
        : sentence(conclusionOf(explained))

  return {
    ok,
    ...(checks.code !== undefined && { code: checks.code }),
    finding,
    checks: checks.list,
    hypotheses,
    questions,
    ...(isVerified
      ? { ruledOut: [], notTried: [] }
      : search.others(new Set(hypotheses.flatMap(({ names }) => names)), time.isRight)),
    hmacs: tester.count,
    ...(limitReached !== undefined && { limitReached }),
  }
}

/** What is known of the time: only a digest that matches proves "t". */
function timeOf({ delivery, checks }: Explained, best: Finding | undefined) {
  const { now, settings } = delivery
  const { seconds } = best?.state.reading ?? {}
  const proven = seconds === undefined ? undefined : timeWindowVerdict(String(seconds), now, settings.window)
  const age = checks.usedKeys === undefined ? proven : checks.age
  const fault = age === undefined || isInSeconds(now) ? undefined : timeFault(age)
  return {
    isRight: age?.verdict === 'in time',
    hypotheses: fault === undefined ? [] : [hypothesisOf([fault], best?.versions ?? settings.versions)],
  }
}

function hypothesisOf(
  faults: readonly Fault[],
  versions: Hypothesis['versions'],
  difference = '',
): Hypothesis {
  const names = [...new Set(faults.map(({ name }) => name as HypothesisName))]
  const joinedOnce = (sentences: readonly string[]) => [...new Set(sentences)].join(' ')
  return {
    names,
    happened: faults.map(({ happened }) => happened).join(', and ') + difference,
    where: joinedOnce(names.map((name) => FAULTS[name].where)),
    fix: joinedOnce(names.map((name) => FAULTS[name].fix)),
    versions,
  }
}

/** The place where the signed body and the received one begin to differ, if they are similar and begin alike. */
function firstDifference({ state, versions }: Finding, arrived: Uint8Array): string {
  // A cause that only v2 has shown is about the values of the body.
  const isOfBytes = versions.includes('v3') || versions.includes('v1')
  if (!isOfBytes || state.faults.some(({ name }) => name in WRAPPING_FAULTS)) return ''
  const signed = state.body.bytes
  const at = signed.findIndex((byte, index) => byte !== arrived[index])
  if (at < 1 || at >= arrived.length) return ''
  const hex = (byte: number) => `0x${byte.toString(16).padStart(2, '0')}`
  return ` (the bodies differ from byte ${at} on: ${hex(signed[at]!)} was signed, ${hex(arrived[at]!)} arrived)`
}

function limitOf({ bytes, isTooLarge, settings }: ArrivedDelivery, tester: Explained['tester']) {
  if (isTooLarge) {
    return `The body has ${bytes.length} bytes, and "bodyLimit" is ${settings.bodyLimit}, so only the header was checked.`
  }
  if (tester.endedBy === undefined) return undefined
  if (tester.endedBy === 'time') {
    return `The search ended after ${settings.timeLimitMilliseconds} ms, so some faults were not tried: raise "timeLimitMilliseconds" to try them.`
  }
  return `The search ended after ${tester.count} HMACs, so some combinations of faults were not tried.`
}

/** The clause where there is nothing to explain: the delivery verifies, or only a check has failed. */
function conclusionOf({ delivery, checks, tester }: Explained): string {
  const { settings, fingerprints, isTooLarge } = delivery
  const { usedKeys = {}, age } = checks
  const failed = checks.list.find(({ outcome }) => outcome === 'failed')
  if (isTooLarge) return failed?.detail ?? limitOf(delivery, tester)!.slice(0, -1)
  const { versions, keys } = settings
  if (failed?.name === 'keys') {
    return `${matching(versions)} with the key as it was given, but the verifier does not accept such a key: ${failed.detail.replace(/\.$/, '')}`
  }
  if (failed !== undefined)
    return `${matching(versions)}, but the body is not JSON in UTF-8, or is nested too deep`
  const used = (Object.keys(usedKeys) as KeyKind[]).map((kind) => keys[kind][usedKeys[kind]!]!.label)
  const named = used.map((label) => `${label} (${fingerprints.get(label)!})`).join(' and ')
  return `it verifies: ${matching(versions)} under ${named}, and it was signed ${distance(age!.ageSeconds)}`
}

function sentence(clause: string): string {
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}.`
}
