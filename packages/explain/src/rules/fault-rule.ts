import type { Version } from '@service-signature/core'
import type { KeysByKind } from '@service-signature/core/signature/keys'
import { VERSIONS } from '@service-signature/core/signature/versions'
import type { BodyView } from '../read/body-view.js'
import type { CandidateKey } from '../read/explain-options.js'

/** What a report says of a fault in general. What happened exactly, its rule says. */
export interface Advice {
  readonly where: string
  readonly fix: string
}

export interface Fault {
  readonly name: string
  readonly happened: string
  /** The versions whose digest cannot match any more, because what they signed is lost. */
  readonly explains?: readonly Version[]
}

/** The content of the header, as it is or as it may be once its faults are undone. */
export interface HeaderReading {
  /** The text of `t`, which is signed. */
  readonly timestamp: string | undefined
  /** The time that it names, in seconds since 1970. */
  readonly seconds: number | undefined
  readonly digests: readonly HeaderDigest[]
  readonly faults: readonly Fault[]
}

export interface HeaderDigest {
  /** Its name in the header. */
  readonly label: Version
  /** The version that it is compared with. */
  readonly version: Version
  readonly hex: string
  readonly faults: readonly Fault[]
}

/** A delivery without the faults that are assumed. */
export interface State {
  readonly reading: HeaderReading
  readonly body: BodyView
  readonly keys: KeysByKind<CandidateKey>
  readonly faults: readonly Fault[]
  /** The versions that the verifier requires. */
  readonly listed: readonly Version[]
  /** The names of the digests that match already. */
  readonly proven: readonly Version[]
}

/**
 * How much an assumption costs. The search tries the cheapest combinations first, and none that costs more than LIMIT. So
 * a fault that can be seen is tried together with any other, and a rare one only alone.
 */
export const COST = {
  /** The delivery shows a trace of it. */
  seen: 1,
  /** It leaves no trace, and is frequent. */
  usual: 2,
  /** A less usual form of a fault. */
  unusual: 3,
  /** Possible for every delivery, and rare. */
  rare: 4,
} as const

export const LIMIT = COST.rare

export type Cost = (typeof COST)[keyof typeof COST]

/** One way in which a fault may have happened. A digest that matches in its state confirms it. */
export interface Candidate extends Omit<Fault, 'name'> {
  readonly change: Partial<Pick<State, 'reading' | 'body' | 'keys'>>
  /** The versions whose digests can show it. The others do not depend on what changes. */
  readonly versions: readonly Version[]
  readonly cost: Cost
}

/** What may have been signed, if it can be made, and what happened to it. Without a cost, there is a trace of it. */
export type Original = readonly [signed: Uint8Array | string | undefined, happened: string, cost?: Cost]

/** Returns a trace that a pattern finds in a text. */
export function shows(pattern: RegExp, otherwise?: Cost): (text: string) => Cost | undefined {
  return (text) => (pattern.test(text) ? COST.seen : otherwise)
}

/** A fault that can be undone, and so be confirmed. */
export interface Rule {
  readonly name: string
  /** Wrapping and printing change the body too. */
  readonly changes: 'key' | 'header' | 'body' | 'wrapping' | 'print'
  readonly versions: readonly Version[]
  /**
   * The first phase: the cost of its cheapest candidate, from a look at the delivery alone. Undefined if the fault would
   * have left a trace, or if a digest has shown that what it changes is right.
   */
  readonly likely: (state: State) => Cost | undefined
  /** The second phase: everything that may have happened, each form once. */
  readonly exact: (state: State) => readonly Candidate[]
}

/** Whether the header has a digest of the version, and a key for it was given. */
export function canCompare(version: Version, { reading, keys }: Pick<State, 'reading' | 'keys'>): boolean {
  return keys[VERSIONS[version].key].length > 0 && reading.digests.some(({ label }) => label === version)
}

/** Whether v2 can be compared, and has not matched. */
export function isV2Open(state: State): boolean {
  return canCompare('v2', state) && !state.proven.includes('v2')
}

/** The required versions that neither match nor are explained by a fault. */
export function unexplained({ listed, proven, faults }: State): readonly Version[] {
  return listed.filter(
    (version) => !proven.includes(version) && faults.every(({ explains }) => !explains?.includes(version)),
  )
}

export function isExplained(state: State): boolean {
  return state.listed.length > 0 && unexplained(state).length === 0
}
