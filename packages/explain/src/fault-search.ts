import { VERSION_NAMES, VERSIONS, type Version } from '@service-signature/core/internal'
import { addInference, canInfer, inferredAdvice } from './elimination.js'
import { canCompare, type Candidate, type HeaderReading, type Rule, type State } from './fault-rule.js'
import { Findings, isComplete, type Match } from './findings.js'
import { missingVersions } from './header-reading.js'
import { headerAdvice, timeAdvice } from './header-rules.js'
import type { HmacTester } from './hmac-tester.js'
import { specified } from './message-rules.js'
import { PAIRS, RULES } from './rule-table.js'

/** A delivery whose signature does not verify. */
export type FailedDelivery = Pick<State, 'body' | 'keys' | 'listed'>

/** How many candidates of each rule are tried together with another fault: the likeliest. */
const MAX_PAIRED = 4

/** The weight of a candidate that represents several: one sixth. */
const REFINABLE = 1 / 6

/** The result of comparing digests. It is incomplete if a limit was reached before everything was compared. */
interface Outcome {
  readonly compared: boolean
  readonly isCut: boolean
  readonly matches: readonly Match[]
}

/** A rule that is being tried. */
interface Attempt {
  readonly rule: Rule
  readonly state: State
  /** Together with another fault: only the likeliest candidates. */
  readonly isPaired: boolean
  left: number
  compared: boolean
  isEmpty: boolean
}

/**
 * Looks for what happened: first only faults of the header, then one fault, then a second one in addition to what a
 * version has proven, then any two. All single faults are tried, so that a report can list the faults that are ruled
 * out. The other steps end with the first state that explains every required digest.
 */
export class FaultSearch<Key> {
  readonly findings = new Findings()
  /** The versions that match as they were delivered, although others that are required do not. */
  readonly matching: Version[] = []
  readonly #tester: HmacTester<Key>

  constructor(tester: HmacTester<Key>) {
    this.#tester = tester
  }

  async run(delivery: FailedDelivery, readings: readonly HeaderReading[]): Promise<void> {
    const starts: State[] = []
    for (const reading of readings) starts.push(await this.#start({ ...delivery, reading }))
    if (starts.some(isComplete)) {
      if (this.findings.list.length === 0) this.#addMixedKeys(starts[0]!)
      return
    }
    for (const start of starts) await this.#trySingleFaults(start)
    const hasTriedAll = !this.#tester.isSpent()
    for (const { state } of [...this.findings.list]) await this.#trySecondFault(state)
    for (const start of starts) await this.#tryPairs(start)
    if (!this.findings.isComplete) addInference(this.findings, starts, hasTriedAll)
    this.#markTheRest(starts)
  }

  /** The delivery by one reading of its header, with the digests that match without another fault. */
  async #start(delivery: FailedDelivery & Pick<State, 'reading'>): Promise<State> {
    const { reading, listed } = delivery
    const comparable = VERSION_NAMES.filter((version) => canCompare(version, delivery))
    const required = listed.filter((version) => comparable.includes(version))
    const start: State = {
      ...delivery,
      messages: specified,
      faults: [...reading.faults, ...missingVersions(reading, listed)],
      // If no required version is there, the others can still show something.
      listed: required.length > 0 ? required : comparable,
      proven: [],
    }
    const { matches } = await this.#compare(start, VERSION_NAMES)
    if (start.faults.length === 0) this.matching.push(...matches.map(({ digest }) => digest.label))
    return this.findings.record(start, matches) ?? start
  }

  /** Each digest matches under some key. The verifier requires one key for all versions of its kind. */
  #addMixedKeys(state: State): void {
    const happened = 'every version matches, but not all of them under one of the given keys'
    this.findings.add({ ...state, faults: [{ name: 'keys-mixed', happened }] }, state.proven)
  }

  async #trySingleFaults(start: State): Promise<void> {
    for (const rule of RULES) this.findings.tried(rule.name, await this.#tryRule(rule, start))
  }

  async #trySecondFault(first: State): Promise<void> {
    for (const rule of RULES) {
      if (this.findings.isComplete) return
      if (first.faults.every(({ name }) => name !== rule.name)) await this.#tryRule(rule, first)
    }
  }

  async #tryPairs(start: State): Promise<void> {
    if (start.listed.length === 0) return
    const known = new Map<Rule, readonly State[]>()
    for (const [first, second] of PAIRS) {
      if (this.#isDone()) return
      if (!canShow(first, second, start)) continue
      const states = known.get(first) ?? likelyStates(first, start)
      known.set(first, states)
      for (const state of states) {
        await this.#tryRule(second, state, true)
        if (this.#isDone()) return
      }
    }
  }

  #isDone(): boolean {
    return this.findings.isComplete || this.#tester.isSpent()
  }

  /** Tries the candidates of a rule in a state. Returns whether all were tried, and could be compared. */
  async #tryRule(rule: Rule, state: State, isPaired = false): Promise<boolean> {
    if (this.#tester.isSpent()) return false
    const left = isPaired ? MAX_PAIRED : Infinity
    const attempt = { rule, state, isPaired, left, compared: false, isEmpty: true }
    return (
      (await this.#tryCandidates(rule.candidates(state), attempt)) && (attempt.compared || attempt.isEmpty)
    )
  }

  /** Returns false if a limit ends the search. */
  async #tryCandidates(candidates: Iterable<Candidate>, attempt: Attempt): Promise<boolean> {
    for (const candidate of candidates) {
      if (attempt.left <= 0) break
      if (!(await this.#tryCandidate(candidate, attempt))) return false
    }
    return true
  }

  async #tryCandidate(candidate: Candidate, attempt: Attempt): Promise<boolean> {
    attempt.isEmpty = false
    if (attempt.isPaired && candidate.isRare) return true
    if (this.#tester.isSpent()) return false
    const { state, rule } = attempt
    const { refinements, versions, implies } = candidate
    const changed = withCandidate(state, rule, candidate)
    const before = this.#tester.count
    let outcome = await this.#compare(changed, versions)
    attempt.compared ||= outcome.compared
    const matched = outcome.matches.length > 0
    // A match that was known before does not count among the likeliest.
    if (this.#tester.count > before) attempt.left -= refinements === undefined ? 1 : REFINABLE
    if (
      refinements !== undefined &&
      (outcome.isCut || !(await this.#tryCandidates(refinements(matched), attempt)))
    ) {
      return false
    }
    // If one version matches, the others may show the same.
    if (matched && implies === undefined) outcome = await this.#compare(changed, VERSION_NAMES)
    this.findings.record(changed, outcome.matches, implies)
    return !outcome.isCut
  }

  /** Compares the digests of these versions with what they would be in this state. */
  async #compare(state: State, versions: readonly Version[]): Promise<Outcome> {
    const matches: Match[] = []
    let compared = false
    for (const digest of state.reading.digests) {
      const keys = state.keys[VERSIONS[digest.version].key]
      const isOpen = versions.includes(digest.version) && !state.proven.includes(digest.label)
      if (!isOpen || keys.length === 0) continue
      const messages = state.messages(digest.version, state.body, state.reading.timestamp)
      const comparisons = messages.flatMap((message) =>
        keys.map((key) => ({ ...message, key, digest: digest.hex })),
      )
      for (const comparison of comparisons) {
        const answer = await this.#tester.compare(comparison)
        if (answer === undefined) return { compared, isCut: true, matches }
        compared = true
        if (!answer.matched) continue
        matches.push({ id: answer.id, digest })
        break
      }
    }
    return { compared, isCut: false, matches }
  }

  /** Records the names that belong to no rule. */
  #markTheRest(starts: readonly State[]): void {
    const { findings } = this
    const seen = starts.flatMap(({ faults, reading }) => [
      faults,
      ...reading.digests.map((each) => each.faults),
    ])
    // A fault that can be seen is not ruled out, even if nothing matches without it.
    const unseen = headerAdvice.filter(({ name }) => seen.flat().every((fault) => fault.name !== name))
    const hasStarted = starts.length > 0
    for (const { name } of [...unseen, ...(hasStarted ? [] : RULES)]) findings.tried(name, hasStarted)
    for (const { name } of inferredAdvice) findings.tried(name, canInfer(name, starts))
    for (const { name } of timeAdvice) findings.tried(name, findings.list.length > 0)
  }
}

function withCandidate(state: State, { name }: Rule, { change, happened }: Candidate): State {
  return { ...state, ...change, faults: [...state.faults, { name, happened }] }
}

/** The states that the likeliest candidates of a rule lead to, without a comparison. */
function likelyStates(rule: Rule, start: State): readonly State[] {
  const states: State[] = []
  for (const candidate of allRefined(rule.candidates(start))) {
    if (candidate.isRare) continue
    states.push(withCandidate(start, rule, candidate))
    if (states.length === MAX_PAIRED) break
  }
  return states
}

function* allRefined(candidates: Iterable<Candidate>): Generator<Candidate> {
  for (const candidate of candidates) {
    if (candidate.refinements === undefined) yield candidate
    else yield* candidate.refinements(false)
  }
}

/**
 * v2 does not depend on white space. If it can be compared, it has shown the other fault of a pair alone already, and
 * there is nothing new to find.
 */
function canShow(first: Rule, second: Rule, start: State): boolean {
  const isSilent = canCompare('v2', start) && !start.proven.includes('v2')
  return !isSilent || (first.versions.includes('v2') && second.versions.includes('v2'))
}
