import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawVerify } from './chart.js'
import { toMarkdown } from './table.js'

/**
 * Keeps a run: all rows for machines, the same for readers, and a chart for the README.
 *
 * @param {string} folder
 * @param {{ node: string, cpu: string, date: string }} about
 * @param {{ title: string, rows: Record<string, unknown>[] }[]} tables
 */
export function writeResults(folder, about, tables) {
  mkdirSync(folder, { recursive: true })
  const write = (name, text) => writeFileSync(join(folder, name), `${text}\n`)
  write('latest.json', JSON.stringify({ ...about, tables }, null, 2))
  write('latest.md', toPage(about, tables))
  const { rows } = tables.find(({ title }) => title === 'verify, microseconds')
  write('verify.svg', drawVerify(about, rows))
}

function toPage({ node, cpu, date }, tables) {
  const sections = tables.map(({ title, rows }) => `## ${title}\n\n${toMarkdown(rows)}`)
  return [
    '# Results',
    `Node ${node}, ${cpu}, ${date}. Written by \`npm run bench\`; what the columns mean: [README](../README.md).`,
    'In brackets stands the bound, where there is one.',
    ...sections,
  ].join('\n\n')
}
