import Table from 'cli-table3'
import type { Io } from '../../io.js'
import { paint } from '../../output.js'
import type { CaseResult } from '../judge.js'

/** All cases, a row for each. */
export function table(results: readonly CaseResult[], io: Io): string {
  const rows = new Table({
    head: ['case', 'sent', 'sound', 'got', 'verdict'],
    colWidths: [25, 38, 13, 13, 9],
    wordWrap: true,
    // The table's own colors look at the process, and not at what was asked for.
    style: { head: [], border: [], compact: true },
  })
  for (const { name, sent, expected, got, weakness } of results) {
    rows.push([name, sent, expected, got, weakness === undefined ? 'ok' : paint(io, 'red', weakness)])
  }
  return rows.toString()
}
