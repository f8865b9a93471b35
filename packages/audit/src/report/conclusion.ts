import type { CaseResult } from '../cases/audit-case.js'
import { OPENING } from '../cases/cases.js'
import { VERIFY_BYTES } from '../cases/deliveries.js'
import type { Weakness } from '../cases/expectation.js'
import type { Group } from '../cases/groups.js'

type Failures = readonly CaseResult[]

/** What failures show, the most important first. The last ones are about every failure that is left. */
const CONCLUSIONS: readonly (readonly [conclusion: string, holds: (failed: Failures) => boolean])[] = [
  ['It does not verify signatures.', (failed) => ALL_FORGED.every((group) => accepts(group)(failed))],
  ['It accepts deliveries without a signature.', accepts('unsigned')],
  ['It accepts deliveries that are signed with another key.', accepts('keys')],
  ['It lets the sender choose the version of the signature.', accepts('downgrade')],
  ['It verifies the parsed body, not the bytes.', verifiesCopy],
  ['It accepts deliveries that were changed after signing.', accepts('tampered')],
  ['It accepts events of another account, or of the other mode.', acceptsOther],
  ['It handles copies that arrive at once more than once.', accepts('survives')],
  ['It accepts deliveries that were signed long ago, or ahead of time.', accepts('time')],
  ['It reads the signature header loosely.', accepts('header')],
  ['It accepts deliveries that it must refuse.', has('accepts')],
  ['It does not accept purchases.', refusesPurchases],
  ['It does not accept every valid delivery.', has('loses')],
  ['Its answers reveal too much.', has('leaks')],
  ['It fails at some hostile deliveries.', has('fails')],
]

const UNVERIFIED = CONCLUSIONS[0]![0]
const VERIFY = 'Verify the signature of each delivery first, and refuse the delivery if it does not verify.'

const ACCEPT_PURCHASES =
  'Find in its log why it does not accept the first purchase. It does not know the order of an audit, "audit-..": ' +
  'acknowledge such a purchase, and log it for a person.'

/** One fix for all that has one cause: an endpoint that verifies nothing, or that accepts no purchase. */
export function withOneFix(cases: readonly CaseResult[], conclusion: string | null): readonly CaseResult[] {
  if (conclusion === null) return cases
  const isUnverified = conclusion === UNVERIFIED
  const isWithoutPurchases = refusesPurchases(cases.filter(({ outcome }) => outcome === 'failed'))
  return cases.map((each) => {
    if (isUnverified && each.weakness === 'accepts') return { ...each, fix: VERIFY }
    return isWithoutPurchases && each.weakness === 'loses' ? { ...each, fix: ACCEPT_PURCHASES } : each
  })
}

const ALL_FORGED: readonly Group[] = ['unsigned', 'keys', 'tampered']

/** The most important of what failed, in one sentence; null if nothing did. */
export function conclusionOf(cases: readonly CaseResult[]): string | null {
  const failed = cases.filter(({ outcome }) => outcome === 'failed')
  return CONCLUSIONS.find(([, holds]) => holds(failed))?.[0] ?? null
}

function accepts(group: Group) {
  return (failed: Failures) => failed.some((each) => each.weakness === 'accepts' && each.group === group)
}

function acceptsOther(failed: Failures): boolean {
  return failed.some(({ weakness, name }) => weakness === 'accepts' && name.startsWith('other '))
}

function has(weakness: Weakness) {
  return (failed: Failures) => failed.some((each) => each.weakness === weakness)
}

/** Such an endpoint loses bodies that are printed in another way, and accepts only changes that printing undoes. */
function verifiesCopy(failed: Failures): boolean {
  const isOfBytes = ({ fix }: CaseResult) => fix === VERIFY_BYTES
  if (refusesPurchases(failed)) return false
  return failed.some(isOfBytes) && failed.every((each) => each.group !== 'tampered' || isOfBytes(each))
}

/** The other cases of valid deliveries are purchases, too. */
function refusesPurchases(failed: Failures): boolean {
  return failed.some(({ name }) => name === OPENING[0]!.name)
}
