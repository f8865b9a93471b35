import { describe, holds, isJudged } from './bounds.js'

/**
 * Rows as a Markdown table, padded so that it reads as plain text too.
 *
 * @param {Record<string, unknown>[]} rows
 */
export function toMarkdown(rows) {
  const columns = Object.keys(rows[0])
  const cells = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))]
  const widths = columns.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)))
  const lines = cells.map((row) => lineOf(row.map((cell, column) => pad(cell, widths[column], column))))
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : '-'.repeat(width - 1) + ':'))
  return [lines[0], lineOf(rule), ...lines.slice(1)].join('\n')
}

/** @param {string[]} cells */
function lineOf(cells) {
  return `| ${cells.join(' | ')} |`
}

/** The first column says what it is; all others are numbers. */
function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

/** @param {unknown} cell */
function textOf(cell) {
  if (cell === undefined) return '-'
  if (!isJudged(cell)) return String(cell)
  return holds(cell) ? describe(cell) : `MISSED: ${describe(cell)}`
}
