import { ADVICE } from './advice.js'
import { characterRules, unicodeForm } from './body-rules.js'
import type { HypothesisName } from './fault-names.js'
import { COST, isV2Open, type Rule, type State } from './fault-rule.js'
import { swappedDigests } from './header-reading.js'
import { isPlainKey, keyRules } from './key-rules.js'
import { printRules } from './print-rules.js'
import { wrappingRules } from './wrapping-rules.js'

/** The faults that can be undone and so be confirmed. Of those that cost the same, the first is tried first. */
export const RULES: readonly Rule[] = [
  ...keyRules,
  unicodeForm,
  ...printRules,
  ...characterRules,
  ...wrappingRules,
  swappedDigests,
]

/** Every name, in the order of a report. */
export const NAMES = Object.keys(ADVICE) as readonly HypothesisName[]

/** Combinations of faults that cost more are not tried. Each fault after the first costs 1 in addition. */
export const LIMIT: number = COST.rare

/** The levels of faults, in the order in which they are undone. Faults of one level may occur in either order. */
const LEVEL = { key: 0, header: 1, body: 2, print: 2 } as const satisfies Record<Rule['changes'], number>

/** Whether a fault may be assumed in addition to another, in the state to which that has led. */
export function canFollow(first: Rule, second: Rule, state: State): boolean {
  if (isV2Open(state) && !second.versions.includes('v2')) return false
  if (LEVEL[first.changes] !== LEVEL[second.changes]) return LEVEL[first.changes] < LEVEL[second.changes]
  // For a body that was printed in another way, one rule tries the combinations.
  const isOnce = first.changes === second.changes && ['header', 'print'].includes(first.changes)
  // A body that was wrapped twice is unwrapped twice.
  return (first !== second || wrappingRules.includes(first)) && !isOnce
}

/** What shows the faults that belong to no rule to be impossible. */
const EXCLUDED: Readonly<Partial<Record<HypothesisName, (state: State) => boolean>>> = {
  'other-secret': ({ proven }) => proven.includes('v2') || proven.includes('v3'),
  'other-api-key': ({ proven }) => proven.includes('v1'),
  'keys-mixed': ({ keys }) => keys.secret.length < 2 && keys.apiKey.length < 2,
  'body-not-verbatim': ({ proven }) => proven.includes('v3'),
}

/**
 * Whether a fault cannot have happened: it would have left a trace, or a digest has shown that what it changes is right.
 * That it was tried without success is not enough, because it may have happened together with another one.
 */
export function isRuledOut(name: HypothesisName, state: State): boolean {
  const excluded = EXCLUDED[name]
  if (excluded !== undefined) return excluded(state)
  // The faults of the header are seen when it is read.
  return RULES.filter((rule) => rule.name === name).every(
    (rule) => rule.likely(state) === undefined && !isHidden(rule.changes, state),
  )
}

/** Whether a trace may be inside of something that is encoded. */
function isHidden(changes: Rule['changes'], { body, keys, proven }: State): boolean {
  if (changes === 'key') {
    return [...keys.secret, ...keys.apiKey].some(({ material }) => !isPlainKey(material))
  }
  if (proven.includes('v3')) return false
  return body.json === undefined || /\\"|"[\w+/=-]{64,}"/.test(body.text!)
}
