// Tables are { title, rows }; a row maps columns to cells; a cell is a value, or a value with its bound.
import { writeFileSync } from 'node:fs'

/** To three digits; a measurement has no more. */
export const round = (value) => Number(value.toPrecision(3))

export const atMost = (value, bound) => ({ value: round(value), atMost: round(bound) })
export const atLeast = (value, bound) => ({ value: round(value), atLeast: round(bound) })
/** For counts, which are not rounded. */
export const exactly = (value, expected) => ({ value, exactly: expected })

const isJudged = (cell) => typeof cell === 'object' && cell !== null

export function holds({ value, atMost = Infinity, atLeast = -Infinity, exactly = value }) {
  return value <= atMost && value >= atLeast && value === exactly
}

/** The same tables with bounds `slack` times as generous. Counts stay exact. */
export function widened(tables, slack) {
  const widen = (cell) => {
    if (cell?.atMost !== undefined) return atMost(cell.value, cell.atMost * slack)
    if (cell?.atLeast !== undefined) return atLeast(cell.value, cell.atLeast / slack)
    return cell
  }
  const widenRow = (row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, widen(cell)]))
  return tables.map((table) => ({ ...table, rows: table.rows.map(widenRow) }))
}

/** One line for every bound that does not hold. */
export function missed(tables) {
  return tables.flatMap(({ title, rows }) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([, cell]) => isJudged(cell) && !holds(cell))
        .map(([column, cell]) => `${title}: ${Object.values(row)[0]}: ${column}: ${describe(cell)}`),
    ),
  )
}

function describe({ value, atMost, atLeast, exactly }) {
  if (exactly !== undefined) return value === exactly ? `${value}` : `${value}, not ${exactly}`
  return atMost === undefined ? `${value} (>= ${atLeast})` : `${value} (<= ${atMost})`
}

function textOf(cell = '-') {
  if (!isJudged(cell)) return String(cell)
  return holds(cell) ? describe(cell) : `MISSED: ${describe(cell)}`
}

/** Rows as a Markdown table, padded so that it reads as plain text too. */
export function toMarkdown(rows) {
  const columns = Object.keys(rows[0])
  const cells = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))]
  const widths = columns.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)))
  // The first column holds names, and all others hold numbers.
  const [head, ...lines] = cells.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))),
  )
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : '-'.repeat(width - 1) + ':'))
  return [head, rule, ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Keeps a run as a page. */
export function writeResults(file, about, tables) {
  const page = [
    '# Results',
    `Node ${about.node}, ${about.cpu}, ${about.date}. Written by \`npm run bench\`; [this page](../../docs/maintainers/bench.md) explains the columns.`,
    'Bounds are in brackets.',
    ...tables.map(({ title, rows }) => `## ${title}\n\n${toMarkdown(rows)}`),
  ].join('\n\n')
  writeFileSync(file, `${page}\n`)
}
