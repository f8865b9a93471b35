import type { Search } from '../digest/digest.js'
import { freshness } from '../freshness.js'
import type { Asker } from './asker.js'
import { BodyView } from './body/view.js'
import { checkHeaderAlone, runChecks, type Subject, type Verdict } from './checks.js'
import { Evidence, type Proof } from './evidence.js'
import { findingOf } from './finding.js'
import { readHeader } from './header/reading.js'
import { firstDifference, ranked, stalenessOf, toHypothesis } from './hypotheses.js'
import { investigate } from './investigate.js'
import type { ExplainReport, Hypothesis } from './report.js'
import { NAMES } from './table.js'

/** The whole of explain, once its arguments are checked. */
export function* diagnose<Key>(asker: Asker<Key>, subject: Subject): Search<Key, ExplainReport> {
  const { keys, versions: listed } = subject.settings
  const verdict = yield* runChecks(asker, subject)
  const readings = readHeader(subject.value, listed)
  const evidence = new Evidence()
  if (verdict.match === undefined) {
    yield* investigate(asker, evidence, {
      readings,
      body: BodyView.asReceived(subject.bytes, listed),
      keys,
      listed,
    })
  }
  const proofs = ranked(evidence)
  const explained = proofs.map((proof) => toHypothesis(proof, firstDifference(proof, subject.bytes)))
  const stale = staleness(subject, verdict, proofs[0])
  const hypotheses = stale === undefined ? explained : [...explained, stale]
  const { checks, code } = verdict
  const ok = checks.every(({ outcome }) => outcome === 'passed')
  return {
    ok,
    ...(code !== undefined && { code }),
    finding: findingOf({
      subject,
      verdict,
      readings,
      hypotheses: explained,
      stale,
      open: proofs
        .slice(0, 1)
        .flatMap(({ of }) => of.listed.filter((version) => !of.proven.includes(version))),
      matching: evidence.matching,
    }),
    checks,
    hypotheses,
    ...untold(evidence, hypotheses),
    hmacs: asker.hmacs,
  }
}

/** What can be said without a look at the body, which is too large. */
export function diagnoseHeader(subject: Subject): ExplainReport {
  const { bytes, settings } = subject
  const { checks, code } = checkHeaderAlone(subject)
  const limitReached = `The body has ${bytes.length} bytes, and "bodyLimit" is ${settings.bodyLimit}, so only the header was looked at.`
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  return {
    ok: false,
    ...(code !== undefined && { code }),
    finding: failed === undefined ? limitReached : sentence(failed.detail),
    checks,
    hypotheses: [],
    ruledOut: [],
    notTried: NAMES,
    hmacs: 0,
    limitReached,
  }
}

/** A signature that is right, and a time that is not. */
function staleness(
  subject: Subject,
  { match, age }: Verdict,
  proof: Proof | undefined,
): Hypothesis | undefined {
  if (match !== undefined) return stalenessOf(age!, subject.settings.versions)
  const seconds = proof?.of.reading.seconds
  if (seconds === undefined) return undefined
  return stalenessOf(freshness(String(seconds), subject.now, subject.settings.window), proof!.versions)
}

/** The other names: those that were tried, and those that could not be. */
function untold(
  evidence: Evidence,
  hypotheses: readonly Hypothesis[],
): Pick<ExplainReport, 'ruledOut' | 'notTried'> {
  const told = new Set(hypotheses.flatMap(({ names }) => names))
  const names = NAMES.filter((name) => !told.has(name) && evidence.wasConsidered(name))
  return {
    ruledOut: names.filter((name) => evidence.isRuledOut(name)),
    notTried: names.filter((name) => !evidence.isRuledOut(name)),
  }
}

function sentence(detail: string): string {
  return `${detail[0]!.toUpperCase()}${detail.slice(1)}.`
}
