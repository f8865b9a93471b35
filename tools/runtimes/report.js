import { mkdirSync, writeFileSync } from 'node:fs'

/**
 * @typedef {object} Row what one runtime did with one digest
 * @property {string} runtime
 * @property {string} version
 * @property {string} digest
 * @property {{ passed: number, failures: string[] }} vectors
 * @property {{ passed: number, failures: string[], unable: string[] }} cases
 */

const MOST_TOLD = 20
const MOST_PRINTED = 4000

/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** @param {readonly Row[]} rows */
export function tableOf(rows) {
  const lines = [
    ['runtime', 'version', 'digest', 'vectors', 'failed', 'cases', 'failed', 'unable'],
    ...rows.map(({ runtime, version, digest, vectors, cases }) =>
      [
        ...[runtime, version, digest, vectors.passed, vectors.failures.length],
        ...[cases.passed, cases.failures.length, cases.unable.length],
      ].map(String),
    ),
  ]
  const widths =
    lines[0]?.map((_head, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

/**
 * What became of one row: the faults with what the runtime printed, and what it cannot do.
 *
 * @param {Row} row
 * @param {string} [output]
 */
export function tell({ runtime, digest, vectors, cases }, output = '') {
  const failures = [...vectors.failures, ...cases.failures]
  say(`${runtime}, ${digest}: ${failures.length === 0 ? 'good' : `${failures.length} FAILED`}`)
  for (const failure of failures.slice(0, MOST_TOLD)) say(`  ${failure.replace(/\n/g, '\n  ')}`)
  if (failures.length > MOST_TOLD) say(`  ... and ${failures.length - MOST_TOLD} more`)
  if (failures.length > 0 && output !== '') say(`  it printed:\n${output.slice(-MOST_PRINTED)}`)
  for (const unable of cases.unable) say(`  UNABLE: ${unable}`)
}

/** @param {readonly Row[]} rows */
export function sumsOf(rows) {
  const sum = (/** @type {(row: Row) => number} */ of) => rows.reduce((total, row) => total + of(row), 0)
  return {
    passed: sum(({ vectors, cases }) => vectors.passed + cases.passed),
    failed: sum(({ vectors, cases }) => vectors.failures.length + cases.failures.length),
    unable: sum(({ cases }) => cases.unable.length),
  }
}

/**
 * Keeps the sums where the count of all tests looks for them.
 *
 * @param {readonly Row[]} rows
 */
export function keepSums(rows) {
  const { passed, failed, unable } = sumsOf(rows)
  const run = { numPassedTests: passed, numFailedTests: failed, numPendingTests: unable }
  const folder = new URL('../../coverage/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('tests-runtimes.json', folder), `${JSON.stringify(run)}\n`)
}
