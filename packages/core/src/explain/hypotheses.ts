import type { Freshness } from '../freshness.js'
import { wrappedRows } from './body/wrapped.js'
import { isWhole, type Evidence, type Proof } from './evidence.js'
import type { Hypothesis } from './report.js'
import { adviceOn, NAMES } from './table.js'
import { timeFault } from './time.js'

/** The proofs that say most, the one that supposes least first. */
export function ranked(evidence: Evidence): readonly Proof[] {
  const whole = evidence.proofs.filter(({ of }) => isWhole(of))
  const proofs = whole.length > 0 ? whole : evidence.proofs
  return [...proofs].sort((a, b) => a.steps.length - b.steps.length || rank(a) - rank(b))
}

function rank({ steps }: Proof): number {
  return steps.reduce((sum, { name }) => sum + NAMES.indexOf(name), 0)
}

/** A proof in the words of a report. */
export function toHypothesis(
  { steps, versions }: Pick<Proof, 'steps' | 'versions'>,
  detail = '',
): Hypothesis {
  const advice = steps.map(({ name }) => adviceOn(name))
  return {
    names: steps.map(({ name }) => name),
    happened: steps.map(({ happened }) => happened).join(', and ') + detail,
    where: joined(advice.map(({ where }) => where)),
    mend: joined(advice.map(({ mend }) => mend)),
    versions,
  }
}

/** What the time looks like, where the signature is right and `t` is out of the window. */
export function stalenessOf(age: Freshness, versions: Hypothesis['versions']): Hypothesis | undefined {
  const fault = timeFault(age)
  return fault === undefined ? undefined : toHypothesis({ steps: [fault], versions })
}

const WRAPPED: ReadonlySet<string> = new Set(wrappedRows.map(({ name }) => name))

/** Where the body that was signed and the one that arrived begin to differ, if they are of one kind and begin alike. */
export function firstDifference({ steps, of }: Proof, arrived: Uint8Array): string {
  if (steps.some(({ name }) => WRAPPED.has(name))) return ''
  const signed = of.body.bytes
  const at = signed.findIndex((byte, index) => byte !== arrived[index])
  if (at < 1 || at >= arrived.length) return ''
  return ` (the bodies differ from byte ${at} on: ${hex(signed[at]!)} was signed, ${hex(arrived[at]!)} arrived)`
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`
}

function joined(sentences: readonly string[]): string {
  return [...new Set(sentences)].join(' ')
}
