import type { Search } from '../digest/digest.js'
import { VERSION_NAMES, VERSIONS, type Version } from '../versions.js'
import type { Asker } from './asker.js'
import type { Case, Row, Variant } from './case.js'
import type { Evidence, Match } from './evidence.js'

/** What trying came to. */
interface Trying {
  readonly asked: boolean
  /** The budget ended before all was asked. */
  readonly isCut: boolean
  readonly matches: readonly Match[]
}

/** Asks for the digests of these versions, as they would be in this case. */
export function* tryCase<Key>(
  asker: Asker<Key>,
  { reading, body, keys, messages, proven }: Case,
  versions: readonly Version[],
): Search<Key, Trying> {
  const matches: Match[] = []
  let asked = false
  for (const digest of reading.digests) {
    const candidates = keys[VERSIONS[digest.version].key]
    const isOpen = versions.includes(digest.version) && !proven.includes(digest.label)
    if (!isOpen || candidates.length === 0) continue
    search: for (const { message, timestamp } of messages(digest.version, body, reading.timestamp)) {
      for (const key of candidates) {
        const answer = yield* asker.ask({ key, message, timestamp, digest: digest.hex })
        if (answer === undefined) return { asked, isCut: true, matches }
        asked = true
        if (!answer.matched) continue
        matches.push({ id: answer.id, digest })
        break search
      }
    }
  }
  return { asked, isCut: false, matches }
}

/** Tries what a row has to offer, from a case on. Gives whether that was all, and could be asked. */
export function* tryRow<Key>(
  asker: Asker<Key>,
  evidence: Evidence,
  row: Row,
  start: Case,
): Search<Key, boolean> {
  if (asker.isSpent()) return false
  const variants = row.variants(start)
  let isEmpty = true
  let askedAny = false
  let step = variants.next()
  while (step.done !== true) {
    const variant = step.value
    if (asker.isSpent()) return false
    isEmpty = false
    const trial = withVariant(start, row, variant)
    const { asked, isCut, matches } = yield* tryVariant(asker, trial, variant)
    if (variant.isProbe === undefined) evidence.record(trial, matches)
    if (isCut) return false
    askedAny ||= asked
    step = variants.next({ asked, matched: matches.length > 0 })
  }
  return askedAny || isEmpty
}

/** The case, changed as the variant says. */
export function withVariant(start: Case, { name }: Row, { change, happened }: Variant): Case {
  return { ...start, ...change, steps: [...start.steps, { name, happened }] }
}

/** What matches under one version is asked of the others too. */
function* tryVariant<Key>(asker: Asker<Key>, trial: Case, variant: Variant): Search<Key, Trying> {
  const first = yield* tryCase(asker, trial, variant.versions)
  return first.matches.length === 0 ? first : yield* tryCase(asker, trial, VERSION_NAMES)
}

/** Whether a version is in the header together with a key for it. */
export function isAskable(version: Version, { reading, keys }: Pick<Case, 'reading' | 'keys'>): boolean {
  return keys[VERSIONS[version].key].length > 0 && reading.digests.some(({ label }) => label === version)
}
