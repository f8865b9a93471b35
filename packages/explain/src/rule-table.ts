import { characterRules } from './body-rules.js'
import { inferredAdvice } from './elimination.js'
import type { HypothesisName } from './explain-report.js'
import type { Advice, Rule } from './fault-rule.js'
import { headerAdvice, swappedDigests, timeAdvice } from './header-rules.js'
import { keyRules } from './key-rules.js'
import { messageRules } from './message-rules.js'
import { printRules, valueRule } from './print-rules.js'
import { wrappingRules } from './wrapping-rules.js'

/** The most frequent faults, in this order. The others follow in the order of their tables. */
const LIKELIEST: readonly HypothesisName[] = [
  'key-white-space',
  'key-quoted',
  'keys-swapped',
  'body-unicode-form',
  valueRule.name,
  'body-trailing-newline',
  'body-line-endings',
  'body-byte-order-mark',
]

/**
 * The faults that can be undone and so be proven, the likeliest first. A new fault is a new rule in one of these
 * tables.
 */
export const RULES: readonly Rule[] = byLikelihood([
  valueRule,
  ...keyRules,
  ...characterRules,
  ...printRules,
  ...wrappingRules,
  swappedDigests,
  ...messageRules,
])

const ADVICE: ReadonlyMap<HypothesisName, Advice> = new Map(
  [...headerAdvice, ...RULES, ...inferredAdvice, ...timeAdvice].map((advice) => [advice.name, advice]),
)

/** Every name, the likeliest first. */
export const NAMES: readonly HypothesisName[] = [...ADVICE.keys()]

export function adviceOn(name: HypothesisName): Advice {
  return ADVICE.get(name)!
}

function byLikelihood(rules: readonly Rule[]): readonly Rule[] {
  const first = LIKELIEST.map((name) => rules.find((rule) => rule.name === name)!)
  return [...first, ...rules.filter((rule) => !first.includes(rule))]
}

/** The levels of faults, in the order in which they are undone. Faults of one level may occur in either order. */
const LEVEL = { key: 0, header: 1, body: 2, print: 2, message: 3 } as const satisfies Record<
  Rule['changes'],
  number
>

/** Any two faults that may occur together, the likeliest pairs first. */
export const PAIRS: readonly (readonly [first: Rule, second: Rule])[] = RULES.flatMap((first) =>
  RULES.filter((second) => canFollow(first, second)).map((second) => [first, second] as const),
).sort((a, b) => rank(a) - rank(b))

function canFollow(first: Rule, second: Rule): boolean {
  if (LEVEL[first.changes] !== LEVEL[second.changes]) return LEVEL[first.changes] < LEVEL[second.changes]
  // For a body that was printed in another way, one rule tries the combinations.
  const isOnce = first.changes === second.changes && ['header', 'print', 'message'].includes(first.changes)
  // A body that was wrapped twice is unwrapped twice.
  return (first !== second || wrappingRules.includes(first)) && !isOnce
}

function rank(pair: readonly Rule[]): number {
  // A self-written sender makes mistakes of its own, and rarely others together with them.
  return pair.reduce((sum, rule) => {
    const isOfSender = rule.changes === 'message' || rule.changes === 'header'
    return sum + RULES.indexOf(rule) + (isOfSender ? RULES.length : 0)
  }, 0)
}
