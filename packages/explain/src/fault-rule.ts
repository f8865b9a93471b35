import { VERSIONS, type KeysByKind, type Version } from '@service-signature/core/internal'
import type { BodyView } from './body-view.js'
import type { HypothesisName } from './explain-report.js'

/** One thing that is assumed to have gone wrong. */
export interface Fault {
  readonly name: HypothesisName
  /** A clause, without a full stop. */
  readonly happened: string
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
  /** In lowercase hex. */
  readonly hex: string
  readonly faults: readonly Fault[]
}

/** A given key, or a variant of it that a rule makes. */
export interface CandidateKey {
  /** Its name in the options: `secret`, `apiKey[1]`. */
  readonly label: string
  readonly material: string | Uint8Array
}

/** A message and the text of `t` that is hashed after it. */
export interface SignedMessage {
  readonly bytes: Uint8Array
  readonly timestamp: string
}

/** The messages that a sender may have signed for a version. */
export type Messages = (
  version: Version,
  body: BodyView,
  timestamp: string | undefined,
) => readonly SignedMessage[]

/** A delivery without the faults that are assumed. */
export interface State {
  readonly reading: HeaderReading
  readonly body: BodyView
  readonly keys: KeysByKind<CandidateKey>
  readonly messages: Messages
  readonly faults: readonly Fault[]
  /** The versions that the verifier requires. */
  readonly listed: readonly Version[]
  /** The names of the digests that match already. */
  readonly proven: readonly Version[]
}

/** One way in which a fault may have happened. */
export interface Candidate {
  /** Undoes the fault. */
  readonly change: Partial<Pick<State, 'reading' | 'body' | 'keys' | 'messages'>>
  readonly happened: string
  /** The versions whose digests can show it. The others do not depend on what changes. */
  readonly versions: readonly Version[]
  /** The versions that cannot match any more, because what they signed is lost. A match explains them too. */
  readonly implies?: readonly Version[]
  /** Possible for every delivery, but rare. Not tried together with a second fault. */
  readonly isRare?: boolean
  /**
   * More exact candidates, tried before this one counts: all of them, unless this one was compared and did not match. So
   * one HMAC saves several.
   */
  readonly refinements?: (matched: boolean) => Iterable<Candidate>
}

/** The general description of a fault in a report. */
export interface Advice {
  readonly name: HypothesisName
  /** Where it usually happens. */
  readonly where: string
  readonly fix: string
}

/** A fault that can be undone, and so be proven. */
export interface Rule extends Advice {
  /** `print` is a change of the body too: of how its JSON is printed. */
  readonly changes: 'key' | 'header' | 'body' | 'print' | 'message'
  /** The versions whose digests can show the fault. */
  readonly versions: readonly Version[]
  /** The likeliest come first. */
  readonly candidates: (state: State) => Iterable<Candidate>
}

/** Whether the header has a digest of the version, and a key for it was given. */
export function canCompare(version: Version, { reading, keys }: Pick<State, 'reading' | 'keys'>): boolean {
  return keys[VERSIONS[version].key].length > 0 && reading.digests.some(({ label }) => label === version)
}
