import type { SignatureHeaderValue, Version, WebhookBody } from '@service-signature/core'
import { signatureIn } from '@service-signature/core/signature/header'
import type { Hmac } from '@service-signature/core/signature/hmac/hmac'
import { fingerprintWith, type KeyKind } from '@service-signature/core/signature/keys'
import { toBytes } from '@service-signature/core/verify/body'
import { timeWindowVerdict } from '@service-signature/core/verify/time-window'
import { BodyView } from './read/body-view.js'
import {
  DeliveryChecks,
  distance,
  timeFault,
  type Age,
  type ArrivedDelivery,
} from './report/delivery-checks.js'
import { checkExplainOptions, type ExplainOptions } from './read/explain-options.js'
import type { ExplainReport, Hypothesis, Question } from './report/explain-report.js'
import { unexplained, type Fault } from './rules/fault-rule.js'
import { FaultSearch } from './search/fault-search.js'
import type { Finding } from './search/findings.js'
import { readHeader } from './rules/header-reading.js'
import { cpuTime, HmacTester, type Clock } from './search/hmac-tester.js'
import { cutQuestion, isInSeconds, questionsOn } from './report/questions.js'
import { NAMES } from './rules/rule-table.js'
import { ADVICE } from './rules/advice.js'
import { wrappingRules } from './rules/wrapping-rules.js'

/**
 * The last step of the search and the steps after it take a tenth of the time, and up to four tenths for a large body.
 */
const LARGE = 3 * 64 * 1024

/** `explain` with the HMAC of a runtime. */
export async function explainWith<Key>(
  hmac: Hmac<Key>,
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: ExplainOptions,
  clock: Clock = cpuTime,
): Promise<ExplainReport> {
  const settings = checkExplainOptions(options)
  const now = settings.now()
  const given = toBytes(body)
  const share = Math.max(0.9 - given.length / LARGE, 0.6)
  const tester = new HmacTester(hmac, settings.timeLimitMilliseconds * share, clock)
  const isTooLarge = given.length > settings.bodyLimit
  // Copies, because the caller may change both while this waits.
  const bytes = isTooLarge ? given : new Uint8Array(given)
  const signature = signatureIn(header)
  const value = Array.isArray(signature) ? [...(signature as readonly string[])] : signature
  const fingerprints = new Map<string, string>()
  for (const { label, material } of [...settings.keys.secret, ...settings.keys.apiKey]) {
    fingerprints.set(label, await fingerprintWith(hmac, material))
  }
  const delivery = { bytes, header: value, settings, now, fingerprints }
  return isTooLarge ? explainHeader(delivery) : explainDelivery(delivery, tester)
}

async function explainDelivery<Key>(
  delivery: ArrivedDelivery,
  tester: HmacTester<Key>,
): Promise<ExplainReport> {
  const { bytes, settings, header, now } = delivery
  const { keys, versions: listed, timeLimitMilliseconds } = settings
  const body = BodyView.asReceived(bytes, listed)
  const checks = new DeliveryChecks(delivery)
  await checks.run(tester, body)
  const readings = readHeader(header, listed)
  const search = new FaultSearch(tester)
  if (checks.usedKeys === undefined) await search.run({ body, keys, listed }, readings)

  const { matching } = search
  const ranked = search.findings.ranked(NAMES)
  const explained = ranked.map((finding) =>
    describe(finding.state.faults, finding.versions, firstDifference(finding, bytes)),
  )
  const first = ranked[0]?.state
  const seconds = first?.reading.seconds
  const age = seconds === undefined ? undefined : timeWindowVerdict(String(seconds), now, settings.window)
  const staleness =
    checks.usedKeys === undefined
      ? stalenessOf(age, now, ranked[0]?.versions ?? [])
      : stalenessOf(checks.age, now, listed)
  const hypotheses = staleness === undefined ? explained : [...explained, staleness]
  const found = new Set(hypotheses.flatMap(({ names }) => names))
  const ok = checks.list.every(({ outcome }) => outcome === 'passed')
  const text = new TextDecoder().decode(bytes)
  const unproven = {
    delivery,
    isVerified: checks.usedKeys !== undefined,
    readings,
    matching,
    text,
    json: body.json,
  }
  const questions = ok || hypotheses.length > 0 ? [] : questionsOn(unproven)
  return {
    ok,
    ...(checks.code !== undefined && { code: checks.code }),
    finding: findingOf({
      delivery,
      checks,
      explanation: explained[0],
      staleness,
      unexplained: first === undefined ? [] : unexplained(first),
      questions,
    }),
    checks: checks.list,
    hypotheses,
    questions,
    ...(checks.usedKeys === undefined
      ? search.others(found, age?.verdict === 'in time')
      : { ruledOut: [], notTried: [] }),
    hmacs: tester.count,
    ...(tester.endedBy !== undefined && {
      limitReached:
        tester.endedBy === 'time'
          ? `The search ended after ${timeLimitMilliseconds} ms, so some faults were not tried: raise "timeLimitMilliseconds" to try them.`
          : `The search ended after ${tester.count} HMACs, so some combinations of faults were not tried.`,
    }),
  }
}

/** The report on a delivery whose body is too large to be looked at. */
function explainHeader(delivery: ArrivedDelivery): ExplainReport {
  const { bytes, settings } = delivery
  const checks = new DeliveryChecks(delivery)
  checks.runOnHeader()
  const limitReached = `The body has ${bytes.length} bytes, and "bodyLimit" is ${settings.bodyLimit}, so only the header was checked.`
  const failed = checks.list.find(({ outcome }) => outcome === 'failed')
  const text = new TextDecoder().decode(bytes.subarray(-16))
  const questions = failed === undefined && /[^}\]\s]\s*$/.test(text) ? [cutQuestion(bytes.length)] : []
  const [question] = questions
  return {
    ok: false,
    ...(checks.code !== undefined && { code: checks.code }),
    finding:
      question === undefined
        ? failed === undefined
          ? limitReached
          : sentence(failed.detail)
        : `${question.asks} ${question.evidence}`,
    checks: checks.list,
    hypotheses: [],
    questions,
    ruledOut: [],
    notTried: NAMES,
    hmacs: 0,
    limitReached,
  }
}

/** The kind of fault of the time, if the signature is right and `t` is outside of the window. */
function stalenessOf(
  age: Age | undefined,
  now: number,
  versions: Hypothesis['versions'],
): Hypothesis | undefined {
  const fault = age === undefined || isInSeconds(now) ? undefined : timeFault(age)
  return fault === undefined ? undefined : describe([fault], versions)
}

function describe(faults: readonly Fault[], versions: Hypothesis['versions'], detail = ''): Hypothesis {
  const advice = faults.map(({ name }) => ADVICE[name])
  return {
    names: faults.map(({ name }) => name),
    happened: faults.map(({ happened }) => happened).join(', and ') + detail,
    where: joinedOnce(advice.map(({ where }) => where)),
    fix: joinedOnce(advice.map(({ fix }) => fix)),
    versions,
  }
}

function joinedOnce(sentences: readonly string[]): string {
  return [...new Set(sentences)].join(' ')
}

/** The place where the signed body and the received one begin to differ, if they are similar and begin alike. */
function firstDifference({ state, versions }: Finding, arrived: Uint8Array): string {
  // A cause that only v2 has shown is about the values of the body.
  if (!versions.includes('v3') && !versions.includes('v1')) return ''
  const isWrapped = state.faults.some((fault) => wrappingRules.some(({ name }) => name === fault.name))
  const signed = state.body.bytes
  const at = signed.findIndex((byte, index) => byte !== arrived[index])
  if (isWrapped || at < 1 || at >= arrived.length) return ''
  return ` (the bodies differ from byte ${at} on: ${hex(signed[at]!)} was signed, ${hex(arrived[at]!)} arrived)`
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`
}

/** Everything that the finding may be about. */
interface Results {
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
function findingOf(results: Results): string {
  const [question] = results.questions
  const clause = proven(results) ?? (question === undefined ? verified(results) : undefined)
  return clause === undefined ? `${question!.asks} ${question!.evidence}` : sentence(clause)
}

function sentence(clause: string): string {
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
