import { characterRows } from './body/characters.js'
import { printedRows } from './body/printed.js'
import { wrappedRows } from './body/wrapped.js'
import type { Advice, Row } from './case.js'
import { headerAdvice } from './header/faults.js'
import { swappedRow } from './header/swapped.js'
import { inferredAdvice } from './inferred.js'
import { keyRows } from './key/rows.js'
import { messageRows } from './message/rows.js'
import type { HypothesisName } from './names.js'
import { timeAdvice } from './time.js'

/**
 * These come first, in this order: what goes wrong most often, and before what must take JSON apart, what costs next to
 * nothing. The others follow as they stand in their tables.
 */
const LIKELY: readonly HypothesisName[] = [
  'key-white-space',
  'key-quoted',
  'keys-swapped',
  'body-trailing-newline',
  'body-line-endings',
  'body-byte-order-mark',
  'body-reserialized',
  'body-reindented',
]

/** What can be undone and so be proven, the likeliest first. A new hypothesis is a new row in one of these tables. */
export const ROWS: readonly Row[] = byLikelihood([
  ...keyRows,
  ...characterRows,
  ...wrappedRows,
  swappedRow,
  ...printedRows,
  ...messageRows,
])

const ADVICE: ReadonlyMap<HypothesisName, Advice> = new Map(
  [...headerAdvice, ...ROWS, ...inferredAdvice, ...timeAdvice].map((advice) => [advice.name, advice]),
)

/** Every name, the likeliest first. */
export const NAMES: readonly HypothesisName[] = [...ADVICE.keys()]

export function adviceOn(name: HypothesisName): Advice {
  return ADVICE.get(name)!
}

function byLikelihood(rows: readonly Row[]): readonly Row[] {
  const first = LIKELY.map((name) => rows.find((row) => row.name === name)!)
  return [...first, ...rows.filter((row) => !first.includes(row))]
}
