import type { Version } from '@service-signature/core'
import { VERSION_NAMES } from '@service-signature/core/signature/names'
import { VERSIONS } from '@service-signature/core/signature/versions'
import {
  canCompare,
  isExplained,
  isV2Open,
  LIMIT,
  type Candidate,
  type HeaderDigest,
  type HeaderReading,
  type Rule,
  type State,
} from '../rules/fault-rule.js'
import { addInference, Findings } from './findings.js'
import { missingVersions } from '../rules/header-rules.js'
import type { HmacTester } from './hmac-tester.js'
import { canFollow, isRuledOut, NAMES, RULES, type HypothesisName } from '../rules/rule-table.js'
import { TIME_FAULTS } from '../rules/time-rules.js'

export type FailedDelivery = Pick<State, 'body' | 'keys' | 'listed'>

/** A rule to try in a state, or one of its candidates. */
interface Task {
  readonly rule: Rule
  readonly state: State
  readonly candidate?: Candidate
  /** What the assumptions that led to the state cost. */
  readonly spent: number
}

/** The tasks by their cost: the cheapest first. Of one cost single faults come first, and then the task that was added first. */
class TaskQueue {
  readonly #byCost: Task[][] = Array.from({ length: 2 * LIMIT + 2 }, () => [])

  add(cost: number, task: Task): void {
    this.#byCost[2 * cost + Number(task.spent > 0)]?.push(task)
  }

  take(): Task | undefined {
    return this.#byCost.find((tasks) => tasks.length > 0)?.shift()
  }

  get rest(): readonly Task[] {
    return this.#byCost.flat()
  }
}

/**
 * Looks for what happened. A rule first says how likely its fault is; its candidates are then compared one by one, the
 * likeliest first, within one budget. Where a candidate does not match, another fault is assumed in addition; where it
 * does, what remains is looked for as from the start. The search ends when everything that is required is explained.
 */
export class FaultSearch<Key> {
  readonly findings = new Findings()
  /** The delivery by each reading of its header. */
  readonly starts: State[] = []
  /** The versions that match as they were delivered, although others that are required do not. */
  readonly matching: Version[] = []
  readonly #tester: HmacTester<Key>
  readonly #queue = new TaskQueue()

  constructor(tester: HmacTester<Key>) {
    this.#tester = tester
  }

  async run(delivery: FailedDelivery, readings: readonly HeaderReading[]): Promise<void> {
    for (const reading of readings) this.starts.push(await this.#start({ ...delivery, reading }))
    if (this.starts.some(isExplained)) {
      // Each digest matches under some key, but the verifier requires one key for all versions of its kind.
      const happened = 'every version matches, but not all of them under one of the given keys'
      const [start] = this.starts as [State]
      const mixed = { ...start, faults: [{ name: 'keys-mixed', happened }] }
      if (this.findings.list.length === 0) this.findings.add(mixed, start.proven)
      return
    }
    for (const start of this.starts) this.#assumeFault(start, 0)
    for (let task = this.#queue.take(); task && !this.findings.isComplete; task = this.#queue.take()) {
      if (task.candidate === undefined) {
        const { rule, state, spent } = task
        for (const candidate of rule.exact(state)) {
          this.#queue.add(spent + candidate.cost, { rule, state, spent, candidate })
        }
      } else if (this.#tester.isSpent()) {
        this.#queue.add(0, task)
        break
      } else {
        await this.#tryCandidate(task, task.candidate)
      }
    }
    if (this.findings.isComplete) return
    const left = this.#queue.rest.filter(({ state }) => this.starts.includes(state))
    addInference(this.findings, this.starts, (kind) => left.every(({ rule }) => rule.changes !== kind))
  }

  /** The delivery by one reading of its header, with the digests that match without another fault. */
  async #start(delivery: FailedDelivery & Pick<State, 'reading'>): Promise<State> {
    const { reading, listed } = delivery
    const comparable = VERSION_NAMES.filter((version) => canCompare(version, delivery))
    const required = listed.filter((version) => comparable.includes(version))
    const start: State = {
      ...delivery,
      faults: [...reading.faults, ...missingVersions(reading, listed)],
      // If no required version is there, the others can still show something.
      listed: required.length > 0 ? required : comparable,
      proven: [],
    }
    const matches = await this.#compare(start, VERSION_NAMES)
    if (start.faults.length === 0) this.matching.push(...matches.map(({ label }) => label))
    return this.findings.record(start, matches) ?? start
  }

  /** Adds the rules that are likely in a state: after one that did not match, or of those that no fault is of yet. */
  #assumeFault(state: State, spent: number, before?: Rule): void {
    for (const rule of RULES) {
      // What is wrong with one key may be wrong with the other, too.
      const isPossible =
        before === undefined
          ? rule.changes === 'key' || state.faults.every(({ name }) => name !== rule.name)
          : canFollow(before, rule, state)
      const cost = isPossible ? rule.likely(state) : undefined
      if (cost !== undefined) this.#queue.add(spent + cost, { rule, state, spent })
    }
  }

  async #tryCandidate({ rule, state, spent }: Task, candidate: Candidate): Promise<void> {
    const { change, happened, versions, explains } = candidate
    const fault = { name: rule.name, happened, ...(explains && { explains }) }
    const changed = { ...state, ...change, faults: [...state.faults, fault] }
    const matches = await this.#compare(changed, versions)
    if (matches.length === 0) {
      // v2 does not depend on white space, and has shown already whether another fault alone explains it.
      const isSilent = isV2Open(changed) && !versions.includes('v2')
      if (!isSilent) this.#assumeFault(changed, spent + candidate.cost, rule)
      return
    }
    // If one version matches, the others may show the same. What v2 alone can show has no other message.
    const all = explains === undefined ? await this.#compare(changed, VERSION_NAMES) : matches
    const shown = this.findings.record(changed, all)
    if (shown === undefined || shown.listed.every((version) => shown.proven.includes(version))) return
    this.#assumeFault(shown, 0)
  }

  /** The other names: faults that cannot have happened, and those that still may have. */
  others(
    found: ReadonlySet<HypothesisName>,
    isInTime: boolean,
  ): Readonly<Record<'ruledOut' | 'notTried', readonly HypothesisName[]>> {
    const { starts, findings } = this
    if (starts.some(isExplained)) return { ruledOut: [], notTried: [] }
    const [best] = findings.isComplete ? findings.ranked : []
    const states = best === undefined ? starts : [best.state]
    // A fault that can be seen is not ruled out, even if nothing matches without it.
    const seen = new Set(
      starts.flatMap(({ faults, reading }) => [...faults, ...reading.digests.flatMap((each) => each.faults)]),
    )
    const names = NAMES.filter((name) => !found.has(name) && [...seen].every((fault) => fault.name !== name))
    const isOut = (name: HypothesisName) =>
      name in TIME_FAULTS
        ? isInTime && best !== undefined
        : states.length > 0 && states.every((state) => isRuledOut(name, state))
    return { ruledOut: names.filter(isOut), notTried: names.filter((name) => !isOut(name)) }
  }

  async #compare(state: State, versions: readonly Version[]): Promise<readonly HeaderDigest[]> {
    const matches: HeaderDigest[] = []
    const { timestamp, digests } = state.reading
    for (const digest of digests) {
      const { label, version, hex } = digest
      if (timestamp === undefined || !versions.includes(version) || state.proven.includes(label)) continue
      const keys = state.keys[VERSIONS[version].key]
      const key = await this.#tester.matchingKey(keys, state.body.messages(version), timestamp, hex)
      if (key !== undefined) matches.push(digest)
    }
    return matches
  }
}
