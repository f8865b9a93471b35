import type { Search } from '../digest/digest.js'
import type { Asker } from './asker.js'
import type { Answer, Case, Row } from './case.js'
import type { Evidence } from './evidence.js'
import { ROWS } from './table.js'
import { isAskable, tryRow, withVariant } from './try.js'

/** Of each of the two, the likeliest only. */
const MAX_VARIANTS = 4

/** Any two faults that occur together, the likeliest first. */
export function* tryPairs<Key>(asker: Asker<Key>, evidence: Evidence, start: Case): Search<Key, void> {
  const known = new Map<Row, readonly Case[]>()
  for (const [first, second] of PAIRS) {
    if (!canShow(first, second, start)) continue
    const cases = known.get(first) ?? casesOf(first, start)
    known.set(first, cases)
    for (const once of cases) {
      yield* tryRow(asker, evidence, second, once)
      if (evidence.isComplete || asker.isSpent()) return
    }
  }
}

/** What a row makes of a case without any answer. */
function casesOf(row: Row, start: Case): readonly Case[] {
  const cases: Case[] = []
  const variants = row.variants(start)
  for (let step = variants.next(); step.done !== true; step = variants.next(NOT_ASKED)) {
    if (step.value.isProbe === undefined) cases.push(withVariant(start, row, step.value))
  }
  return cases
}

const NOT_ASKED: Answer = { asked: false, matched: false }

/** The same row, as far as it is likely together with another. */
function likely(row: Row): Row {
  return {
    ...row,
    *variants(start) {
      const variants = row.variants(start)
      let step = variants.next()
      for (let count = 0; step.done !== true && count < MAX_VARIANTS;) {
        const { isRare, isProbe } = step.value
        if (isRare === undefined && isProbe === undefined) count++
        step = variants.next(isRare ? NOT_ASKED : yield step.value)
      }
    },
  }
}

/**
 * v2 is blind to white space, so of a pair with such a fault it has shown the other one alone, if it can be asked: then
 * there is nothing new to find.
 */
function canShow(first: Row, second: Row, start: Case): boolean {
  const isSilent = isAskable('v2', start) && !start.proven.includes('v2')
  return !isSilent || (first.versions.includes('v2') && second.versions.includes('v2'))
}

/** What comes first is undone first; what is on one level, in either order. */
const LEVEL = { key: 0, header: 1, body: 2, print: 2, message: 3 } as const satisfies Record<
  Row['changes'],
  number
>

/** A sender of one's own makes its own mistakes, and seldom others with them. */
const UNLIKELY = ROWS.length

const LIKELY = ROWS.map(likely)

const PAIRS: readonly (readonly [Row, Row])[] = LIKELY.flatMap((first) =>
  LIKELY.filter((second) => canFollow(first, second)).map((second) => [first, second] as const),
).sort((a, b) => rank(a) - rank(b))

function canFollow(first: Row, second: Row): boolean {
  if (LEVEL[first.changes] !== LEVEL[second.changes]) return LEVEL[first.changes] < LEVEL[second.changes]
  // Of what is printed otherwise, one row tries the combinations.
  const isOnce = first.changes === second.changes && ['header', 'print', 'message'].includes(first.changes)
  return first !== second && !isOnce
}

function rank(pair: readonly [Row, Row]): number {
  return pair.reduce((sum, row) => sum + LIKELY.indexOf(row) + (isOfSender(row) ? UNLIKELY : 0), 0)
}

function isOfSender({ changes }: Row): boolean {
  return changes === 'message' || changes === 'header'
}
