import type { Version } from '@service-signature/core/internal'
import type { HypothesisName } from './explain-report.js'
import type { Fault, HeaderDigest, State } from './fault-rule.js'

/** A digest of the header that matched. */
export interface Match {
  /** Equal for equal comparisons, whatever led to them. */
  readonly id: string
  readonly digest: HeaderDigest
}

/** A state in which at least one more digest matches. Its faults are what happened. */
export interface Finding {
  readonly state: State
  /** The digests that show it. */
  readonly versions: readonly Version[]
}

/** The proven faults, and those that were tried. */
export class Findings {
  readonly list: Finding[] = []
  readonly #known = new Set<string>()
  readonly #tried = new Map<HypothesisName, boolean>()

  /** Adds the state, unless all its matches were known before. Returns it with its matches, or undefined. */
  record(state: State, matches: readonly Match[], implied: readonly Version[] = []): State | undefined {
    const isNew = matches.some(({ id }) => !this.#known.has(id))
    if (!isNew) return undefined
    for (const { id } of matches) this.#known.add(id)
    const faults = distinct([...state.faults, ...matches.flatMap(({ digest }) => digest.faults)])
    const proven = [...new Set([...state.proven, ...matches.map(({ digest }) => digest.label)])].sort()
    const shown = { ...state, faults, proven: [...proven, ...implied] }
    if (faults.length > 0) this.add(shown, proven)
    return shown
  }

  add(state: State, versions: readonly Version[]): void {
    this.list.push({ state, versions })
  }

  /** @param isComplete whether everything that the rule offers was tried */
  tried(name: HypothesisName, isComplete: boolean): void {
    this.#tried.set(name, isComplete && this.#tried.get(name) !== false)
  }

  /** The other names: faults that were tried without success, and those that could not be tried. */
  without(
    found: ReadonlySet<HypothesisName>,
    names: readonly HypothesisName[],
  ): { readonly ruledOut: readonly HypothesisName[]; readonly notTried: readonly HypothesisName[] } {
    const others = names.filter((name) => !found.has(name) && this.#tried.has(name))
    return {
      ruledOut: others.filter((name) => this.#tried.get(name)),
      notTried: others.filter((name) => !this.#tried.get(name)),
    }
  }

  /** Whether one finding explains every required digest. */
  get isComplete(): boolean {
    return this.list.some(({ state }) => isComplete(state))
  }

  /** The findings that explain most digests. The one with the fewest and likeliest faults comes first. */
  ranked(names: readonly HypothesisName[]): readonly Finding[] {
    const complete = this.list.filter(({ state }) => isComplete(state))
    const rank = ({ state }: Finding) => state.faults.reduce((sum, { name }) => sum + names.indexOf(name), 0)
    return [...(complete.length > 0 ? complete : this.list)].sort(
      (a, b) => a.state.faults.length - b.state.faults.length || rank(a) - rank(b),
    )
  }
}

export function isComplete({ listed, proven }: State): boolean {
  return listed.length > 0 && listed.every((version) => proven.includes(version))
}

function distinct(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((fault) => [fault.name, fault])).values()]
}
