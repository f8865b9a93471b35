import {
  fingerprintWith,
  signatureIn,
  timeWindowVerdict,
  toBytes,
  type Hmac,
  type SignatureHeaderValue,
  type WebhookBody,
} from '@service-signature/core/internal'
import { BodyView } from './body-view.js'
import { DeliveryChecks, type Age, type ArrivedDelivery } from './delivery-checks.js'
import { checkExplainOptions, type ExplainOptions } from './explain-options.js'
import type { ExplainReport, Hypothesis } from './explain-report.js'
import type { Fault } from './fault-rule.js'
import { FaultSearch } from './fault-search.js'
import { findingOf, sentence } from './finding-sentence.js'
import type { Finding } from './findings.js'
import { readHeader } from './header-reading.js'
import { timeFault } from './header-rules.js'
import { cpuTime, HmacTester, type Clock } from './hmac-tester.js'
import { cutQuestion, isInSeconds, questionsOn } from './questions.js'
import { adviceOn, NAMES } from './rule-table.js'
import { wrappingRules } from './wrapping-rules.js'

/**
 * The last step of the search and the steps after it take up to a third of the time, the more the larger the body is.
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
  const share = Math.max(1 - given.length / LARGE, 2 / 3)
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

  const { findings, matching } = search
  const ranked = findings.ranked(NAMES)
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
      unexplained: first?.listed.filter((version) => !first.proven.includes(version)) ?? [],
      questions,
    }),
    checks: checks.list,
    hypotheses,
    questions,
    ...findings.without(found, NAMES),
    hmacs: tester.count,
    ...(tester.isOutOfTime && {
      limitReached: `The search ended after ${timeLimitMilliseconds} ms, so some faults were not tried: raise "timeLimitMilliseconds" to try them.`,
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
  const advice = faults.map(({ name }) => adviceOn(name))
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
