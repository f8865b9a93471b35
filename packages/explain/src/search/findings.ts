import type { Version } from '@service-signature/core'
import type { BodyView } from '../read/body-view.js'
import { canCompare, isExplained, type Fault, type HeaderDigest, type State } from '../rules/fault-rule.js'
import { printerTraces } from '../rules/printer-traces.js'
import { NAMES, type HypothesisName } from '../rules/rule-table.js'

/** A state in which at least one more digest matches. Its faults are what happened. */
export interface Finding {
  readonly state: State
  /** The digests that show it. */
  readonly versions: readonly Version[]
}

export class Findings {
  list: readonly Finding[] = []
  /** The digests that matched: only one key and one message make each. */
  readonly #known = new Set<string>()

  /** Adds the state, unless each of its matches, and as many together, were known before. Returns it with its matches, or undefined. */
  record(state: State, matches: readonly HeaderDigest[]): State | undefined {
    const proven = [...new Set([...state.proven, ...matches.map(({ label }) => label)])].sort()
    const isMore = matches.length > 0 && this.list.every(({ versions }) => versions.length < proven.length)
    if (!isMore && matches.every(({ hex }) => this.#known.has(hex))) return undefined
    for (const { hex } of matches) this.#known.add(hex)
    const faults = distinct([...state.faults, ...matches.flatMap(({ faults }) => faults)])
    const shown = { ...state, faults, proven }
    if (faults.length > 0) this.add(shown, proven)
    return shown
  }

  add(state: State, versions: readonly Version[]): void {
    const isLess = (other: Finding) =>
      namesOf(other.state) === namesOf(state) &&
      other.versions.length < versions.length &&
      other.versions.every((version) => versions.includes(version))
    this.list = [...this.list.filter((other) => !isLess(other)), { state, versions }]
  }

  /** Whether one finding explains every required digest. */
  get isComplete(): boolean {
    return this.list.some(({ state }) => isExplained(state))
  }

  /** The findings that explain most digests. The one with the fewest and likeliest faults comes first. */
  get ranked(): readonly Finding[] {
    const complete = this.list.filter(({ state }) => isExplained(state))
    const rank = ({ state }: Finding) =>
      state.faults.reduce((sum, { name }) => sum + NAMES.indexOf(name as HypothesisName), 0)
    return [...(complete.length > 0 ? complete : this.list)].sort(
      (a, b) => a.state.faults.length - b.state.faults.length || rank(a) - rank(b),
    )
  }
}

function namesOf({ faults }: State): string {
  return faults.map(({ name }) => name).join()
}

function distinct(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.name} ${fault.happened}`, fault])).values()]
}

/** A conclusion from the versions that match and those that do not, if nothing more exact was found. */
interface Inference extends Omit<Fault, 'happened'> {
  readonly name: HypothesisName
  readonly matches: readonly Version[]
  /** They could be compared, and nothing makes them match. */
  readonly fails: readonly Version[]
  /** It follows only if every fault of this kind was tried. */
  readonly after: 'key' | 'header'
  readonly happened: (state: State) => string | undefined
}

const INFERENCES: readonly Inference[] = [
  {
    name: 'body-not-verbatim',
    after: 'header',
    matches: ['v2'],
    fails: ['v3'],
    happened: ({ body }) =>
      'the body is the JSON that was signed, but not byte for byte (v2 matches, v3 does not): the white space, the ' +
      `spelling of numbers and letters or the order of keys changed${tracesIn(body)}`,
  },
  {
    name: 'other-secret',
    after: 'key',
    matches: ['v1'],
    fails: ['v2', 'v3'],
    // v1 says nothing about spaces and line breaks, and v2 does not depend on them either.
    happened: () =>
      'v1 matches, so "t" is right and the body too, except perhaps for spaces and line breaks, and the secret is not the one that made v2',
  },
  {
    name: 'keys-swapped',
    after: 'header',
    matches: ['v3'],
    fails: ['v1'],
    happened: ({ keys }) =>
      keys.apiKey.some(({ material }) => keys.secret.some((secret) => secret.material === material))
        ? 'the key that was given as the API key is the webhook signing secret, which makes v3'
        : undefined,
  },
  {
    name: 'other-api-key',
    after: 'key',
    matches: ['v3'],
    fails: ['v1'],
    happened: () => 'v3 matches, so the body and "t" are right, and the API key is not the one that made v1',
  },
]

/** Adds the conclusion from the versions that match, in the state with the fewest faults. */
export function addInference(
  findings: Findings,
  starts: readonly State[],
  hasTried: (kind: Inference['after']) => boolean,
): void {
  const states = [...starts, ...findings.list.map(({ state }) => state)]
  for (const state of states.sort((a, b) => a.faults.length - b.faults.length)) {
    for (const { name, fails, matches, after, happened } of INFERENCES) {
      const clause = hasTried(after) && follows(matches, fails, state) ? happened(state) : undefined
      if (clause === undefined) continue
      findings.add(
        { ...state, faults: [...state.faults, { name, happened: clause, explains: fails }] },
        state.proven,
      )
      return
    }
  }
}

function follows(matches: readonly Version[], fails: readonly Version[], state: State): boolean {
  return (
    matches.every((version) => state.proven.includes(version)) &&
    fails.every((version) => canCompare(version, state) && !state.proven.includes(version)) &&
    fails.some((version) => state.listed.includes(version))
  )
}

/** Evidence that the body was re-serialized, even if no digest proves it. v2 has matched, so it is JSON. */
function tracesIn({ json }: BodyView): string {
  const clauses = printerTraces(json!).join(', ')
  return clauses && `; it arrived ${clauses}, as if it was parsed and re-serialized`
}
