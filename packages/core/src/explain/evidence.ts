import type { Version } from '../versions.js'
import type { Case, HeaderDigest, Step } from './case.js'
import type { HypothesisName } from './names.js'

/** A digest of the header that matched. */
export interface Match {
  /** The same question has the same one, whatever the hypothesis behind it. */
  readonly id: string
  readonly digest: HeaderDigest
}

/** A case in which at least one more digest matches. */
export interface Proof {
  /** All that is supposed to have happened, the faults of the header included. */
  readonly steps: readonly Step[]
  /** The digests that show it. */
  readonly versions: readonly Version[]
  /** The delivery, with these steps undone and these digests proven. */
  readonly of: Case
}

/** What was proven, and what was tried. */
export class Evidence {
  readonly proofs: Proof[] = []
  /** What matches as it was delivered, though that is not all that must. */
  readonly matching: Version[] = []
  readonly #known = new Set<string>()
  readonly #tried = new Map<HypothesisName, boolean>()

  /** The case with what matched; a proof, unless all of it had been shown before. */
  record(trial: Case, matches: readonly Match[]): Proof | undefined {
    const isNew = matches.some(({ id }) => !this.#known.has(id))
    if (!isNew) return undefined
    for (const { id } of matches) this.#known.add(id)
    const steps = distinct([...trial.steps, ...matches.flatMap(({ digest }) => digest.faults)])
    const versions = [...new Set([...trial.proven, ...matches.map(({ digest }) => digest.label)])].sort()
    const proof = { steps, versions, of: { ...trial, steps, proven: versions } }
    if (steps.length > 0) this.proofs.push(proof)
    return proof
  }

  /** @param isWhole whether all was tried that there is to try of it */
  tried(name: HypothesisName, isWhole: boolean): void {
    this.#tried.set(name, isWhole && this.#tried.get(name) !== false)
  }

  wasConsidered(name: HypothesisName): boolean {
    return this.#tried.has(name)
  }

  isRuledOut(name: HypothesisName): boolean {
    return this.#tried.get(name) === true
  }

  /** Whether every required digest is explained by one proof. */
  get isComplete(): boolean {
    return this.proofs.some(({ of }) => isWhole(of))
  }
}

export function isWhole({ listed, proven }: Case): boolean {
  return listed.length > 0 && listed.every((version) => proven.includes(version))
}

function distinct(steps: readonly Step[]): readonly Step[] {
  return [...new Map(steps.map((step) => [step.name, step])).values()]
}
