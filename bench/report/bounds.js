/**
 * A measured value beside the bound that DESIGN 8 sets for it.
 *
 * @typedef {{ value: number, atMost?: number, atLeast?: number, exactly?: number }} Judged
 */

/**
 * @param {number} value
 * @param {number} bound
 * @returns {Judged}
 */
export function atMost(value, bound) {
  return { value: round(value), atMost: round(bound) }
}

/**
 * @param {number} value
 * @param {number} bound
 * @returns {Judged}
 */
export function atLeast(value, bound) {
  return { value: round(value), atLeast: round(bound) }
}

/**
 * For what is counted and not measured.
 *
 * @param {number} value
 * @param {number} expected
 * @returns {Judged}
 */
export function exactly(value, expected) {
  return { value, exactly: expected }
}

/** @param {Judged} judged */
export function holds({ value, atMost = Infinity, atLeast = -Infinity, exactly = value }) {
  return value <= atMost && value >= atLeast && value === exactly
}

/** @param {unknown} cell */
export function isJudged(cell) {
  return typeof cell === 'object' && cell !== null && 'value' in cell
}

/**
 * The same tables with bounds this many times as generous; what is counted stays as it is.
 *
 * @template {{ rows: object[] }} Table
 * @param {Table[]} tables
 * @param {number} slack
 * @returns {Table[]}
 */
export function widened(tables, slack) {
  const widen = (cell) => {
    if (!isJudged(cell) || cell.exactly !== undefined) return cell
    return cell.atMost === undefined
      ? atLeast(cell.value, cell.atLeast / slack)
      : atMost(cell.value, cell.atMost * slack)
  }
  const widenRow = (row) =>
    Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, widen(cell)]))
  return tables.map((table) => ({ ...table, rows: table.rows.map(widenRow) }))
}

/**
 * Every bound that does not hold, as a line each.
 *
 * @param {{ title: string, rows: object[] }[]} tables
 */
export function missed(tables) {
  return tables.flatMap(({ title, rows }) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([, cell]) => isJudged(cell) && !holds(cell))
        .map(([column, cell]) => `${title}: ${Object.values(row)[0]}: ${column}: ${describe(cell)}`),
    ),
  )
}

/** @param {Judged} judged */
export function describe({ value, atMost, atLeast, exactly }) {
  if (exactly !== undefined) return value === exactly ? `${value}` : `${value}, not ${exactly}`
  return atMost === undefined ? `${value} (>= ${atLeast})` : `${value} (<= ${atMost})`
}

/**
 * To three digits: there is no more in a measurement.
 *
 * @param {number} value
 */
export function round(value) {
  return Number(value.toPrecision(3))
}
