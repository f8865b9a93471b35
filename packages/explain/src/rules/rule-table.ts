import { bodyRules, CHARACTER_FAULTS } from './body-rules.js'
import { isV2Open, type Advice, type Rule, type State } from './fault-rule.js'
import { HEADER_FAULTS, swappedDigests } from './header-rules.js'
import { isPlainKey, KEY_FAULTS, keyRules } from './key-rules.js'
import { PRINT_FAULTS, printRules } from './print-rules.js'
import { TIME_FAULTS } from './time-rules.js'
import { WRAPPING_FAULTS } from './wrapping-rules.js'

/** Every fault, in the order of a report. docs/explain.md has the same list. */
export const FAULTS = named({
  ...HEADER_FAULTS,
  ...KEY_FAULTS,
  ...CHARACTER_FAULTS,
  ...PRINT_FAULTS,
  ...WRAPPING_FAULTS,
  ...TIME_FAULTS,
})

/** Every fault that explain knows, by its name in a report. docs/explain.md has a list. */
export type HypothesisName = keyof typeof FAULTS

export const NAMES = Object.keys(FAULTS) as readonly HypothesisName[]

/** The same table; of the rows, its type has the names alone. */
function named<Name extends string>(table: Readonly<Record<Name, Advice>>): typeof table {
  return table
}

/** The faults that can be undone and so be confirmed. Of those that cost the same, the first is tried first. */
export const RULES: readonly Rule[] = [
  ...keyRules,
  ...bodyRules(CHARACTER_FAULTS, 'body'),
  ...printRules,
  ...bodyRules(WRAPPING_FAULTS, 'wrapping'),
  swappedDigests,
]

/** The levels of faults, in the order in which they are undone. Faults of one level may occur in either order. */
const LEVEL: Record<Rule['changes'], number> = { key: 0, header: 1, body: 2, wrapping: 2, print: 2 }

/** Whether a fault may be assumed in addition to another, in the state to which that has led. */
export function canFollow(first: Rule, second: Rule, state: State): boolean {
  if (isV2Open(state) && !second.versions.includes('v2')) return false
  if (LEVEL[first.changes] !== LEVEL[second.changes]) return LEVEL[first.changes] < LEVEL[second.changes]
  // A body that was wrapped twice is unwrapped twice.
  if (first === second) return first.changes === 'wrapping'
  // For a body that was printed in another way, one rule tries the combinations.
  return first.changes !== 'print' || second.changes !== 'print'
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
  return RULES.every((rule) => {
    return rule.name !== name || (rule.likely(state) === undefined && !isHidden(rule.changes, state))
  })
}

/** Whether a trace may be inside of something that is encoded. */
function isHidden(changes: Rule['changes'], { body, keys, proven }: State): boolean {
  if (changes === 'key') {
    return [...keys.secret, ...keys.apiKey].some(({ material }) => !isPlainKey(material))
  }
  if (proven.includes('v3')) return false
  return body.json === undefined || /\\"|"[\w+/=-]{64,}"/.test(body.text!)
}
