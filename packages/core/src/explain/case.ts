import type { KeysByKind, Message, Version } from '../versions.js'
import type { BodyView } from './body/view.js'
import type { HypothesisName } from './names.js'

/** What the header may say, once its faults are undone. */
export interface Reading {
  /** The text of `t`, which is what is signed. */
  readonly timestamp: string | undefined
  /** The time that it stands for, in seconds since 1970. */
  readonly seconds: number | undefined
  readonly digests: readonly HeaderDigest[]
  readonly faults: readonly Step[]
}

export interface HeaderDigest {
  /** The name under which it stands in the header. */
  readonly label: Version
  /** The version that it is taken for. */
  readonly version: Version
  /** In lowercase hex. */
  readonly hex: string
  readonly faults: readonly Step[]
}

/** A key as it is tried: a text as it was given, or what was made of it. */
export interface TrialKey {
  /** As the options name it: `secret`, `apiKey[1]`. */
  readonly label: string
  readonly material: string | Uint8Array
}

/** One fault that is supposed to have happened. */
export interface Step {
  readonly name: HypothesisName
  /** A clause, without a full stop. */
  readonly happened: string
}

/** A message together with the text of `t` that is hashed right behind it. */
export interface SignedMessage {
  readonly message: Message
  readonly timestamp: string
}

/** What a sender signs for a version. */
export type Messages = (
  version: Version,
  body: BodyView,
  timestamp: string | undefined,
) => Iterable<SignedMessage>

/** A delivery as it would have been, if the steps are what happened to it. */
export interface Case {
  readonly reading: Reading
  readonly body: BodyView
  readonly keys: KeysByKind<TrialKey>
  readonly messages: Messages
  readonly steps: readonly Step[]
  /** The versions that the verifier requires. */
  readonly listed: readonly Version[]
  /** The digests that match already, and need no further explanation. */
  readonly proven: readonly Version[]
}

/** What undoes one fault. */
export interface Variant {
  readonly change: Partial<Pick<Case, 'reading' | 'body' | 'keys' | 'messages'>>
  readonly happened: string
  /** The versions that can show whether it is right; the others are blind to it. */
  readonly versions: readonly Version[]
  /** Asked only to know whether to go on: what it proves, another row proves under its own name. */
  readonly isProbe?: true
  /** Possible for any delivery, and seldom so: not tried together with a second fault. */
  readonly isRare?: true
}

/** Whether a variant could be tried at all, and whether a digest matched. */
export interface Answer {
  readonly asked: boolean
  readonly matched: boolean
}

/** Variants one after the other; the next may depend on the answer to the last. */
export type Variants = Generator<Variant, void, Answer>

/** What a report says of a fault, whatever its particulars. */
export interface Advice {
  readonly name: HypothesisName
  /** Where that usually happens. */
  readonly where: string
  readonly mend: string
}

/** A fault that can be undone, and so be proven. */
export interface Row extends Advice {
  /** `print` is a change of the body too: of how its JSON is printed. */
  readonly changes: 'key' | 'header' | 'body' | 'print' | 'message'
  /** The versions whose digest can show the fault. */
  readonly versions: readonly Version[]
  readonly variants: (start: Case) => Variants
}
