import type { Search } from '../digest/digest.js'
import { VERSION_NAMES, type KeysByKind, type Version } from '../versions.js'
import type { Asker } from './asker.js'
import type { BodyView } from './body/view.js'
import type { Case, Reading, TrialKey } from './case.js'
import { isWhole, type Evidence } from './evidence.js'
import { headerAdvice } from './header/faults.js'
import { missingVersions } from './header/missing.js'
import { canInfer, infer, inferredAdvice } from './inferred.js'
import { specified } from './message/specified.js'
import { tryPairs } from './pairs.js'
import { ROWS } from './table.js'
import { timeAdvice } from './time.js'
import { isAskable, tryCase, tryRow } from './try.js'

/** A delivery whose signature does not verify. */
export interface Patient {
  readonly readings: readonly Reading[]
  readonly body: BodyView
  readonly keys: KeysByKind<TrialKey>
  readonly listed: readonly Version[]
}

/**
 * Looks for what happened: first nothing but faults of the header, then one fault, then a second one on top of what a
 * version has proven, then any two. All single faults are tried, so that a report can say what is ruled out; the rest
 * ends with the first that explains every required digest.
 */
export function* investigate<Key>(
  asker: Asker<Key>,
  evidence: Evidence,
  patient: Patient,
): Search<Key, void> {
  const starts: Case[] = []
  for (const reading of patient.readings) {
    const start = startOf(reading, patient)
    const { matches } = yield* tryCase(asker, start, VERSION_NAMES)
    starts.push(evidence.record(start, matches)?.of ?? start)
    if (start.steps.length === 0) evidence.matching.push(...matches.map(({ digest }) => digest.label))
  }
  if (starts.some(isWhole)) {
    if (evidence.proofs.length === 0) mixedKeys(evidence, starts[0]!)
    return
  }

  for (const start of starts) yield* trySingles(asker, evidence, start)
  const hasTriedSingles = !asker.isSpent()
  for (const { of } of [...evidence.proofs]) {
    if (!evidence.isComplete) yield* trySecond(asker, evidence, of)
  }
  for (const start of starts) {
    if (!evidence.isComplete) yield* tryPairs(asker, evidence, start)
  }
  if (!evidence.isComplete) infer(evidence, starts, hasTriedSingles)
  considerTheRest(evidence, starts)
}

function startOf(reading: Reading, { body, keys, listed }: Patient): Case {
  const askable = VERSION_NAMES.filter((version) => isAskable(version, { reading, keys }))
  const required = listed.filter((version) => askable.includes(version))
  return {
    reading,
    body,
    keys,
    messages: specified,
    steps: [...reading.faults, ...missingVersions(reading, listed)],
    // Where none of the required ones is there, the others can still tell something.
    listed: required.length > 0 ? required : askable,
    proven: [],
  }
}

/** Each digest matches under some key, and the verifier wants one key for all that are signed with its kind. */
function mixedKeys(evidence: Evidence, of: Case): void {
  const happened = 'every version matches, but not all of them under one of the given keys'
  evidence.proofs.push({ steps: [{ name: 'keys-mixed', happened }], versions: of.proven, of })
}

function* trySingles<Key>(asker: Asker<Key>, evidence: Evidence, start: Case): Search<Key, void> {
  for (const row of ROWS) evidence.tried(row.name, yield* tryRow(asker, evidence, row, start))
}

function* trySecond<Key>(asker: Asker<Key>, evidence: Evidence, first: Case): Search<Key, void> {
  for (const row of ROWS) {
    if (evidence.isComplete) return
    if (first.steps.every(({ name }) => name !== row.name)) yield* tryRow(asker, evidence, row, first)
  }
}

/** What no row tries. */
function considerTheRest(evidence: Evidence, starts: readonly Case[]): void {
  const seen = starts.flatMap(({ steps, reading }) => [
    ...steps,
    ...reading.digests.flatMap(({ faults }) => faults),
  ])
  // A fault that can be seen is not ruled out, though nothing matches once it is undone.
  const unseen = headerAdvice.filter(({ name }) => seen.every((step) => step.name !== name))
  for (const { name } of [...unseen, ...(starts.length > 0 ? [] : ROWS)])
    evidence.tried(name, starts.length > 0)
  for (const { name } of inferredAdvice) evidence.tried(name, canInfer(name, starts))
  for (const { name } of timeAdvice) evidence.tried(name, evidence.proofs.length > 0)
}
