import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { executableOf, prepare, RUNTIMES } from '../tools/runtimes/runtimes.js'
import { toMarkdown } from './report.js'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Runs the bench with the same options on each version of Node, and compares what has a bound. @returns the exit code */
export async function everyNode(options) {
  await prepare()
  const versions = RUNTIMES.filter(({ name, hasSync }) => hasSync && name.startsWith('node-'))
  for (const [index, runtime] of versions.entries()) {
    const own = options.filter((option) => option !== '--every-node')
    // Sizes and other runtimes do not depend on the version.
    const line = [`${folder}run.js`, ...own, ...(index === 0 ? [] : ['--without', 'size,runtimes'])]
    const { status } = spawnSync(executableOf(runtime), line, { stdio: 'inherit' })
    if (status !== 0) return status ?? 1
  }
  writeFileSync(`${folder}results/bounds.md`, boundsOf(versions.map(({ name }) => name)))
  return 0
}

/** One row for each bound, and one column for each version. */
function boundsOf(versions) {
  const rows = new Map()
  for (const version of versions) {
    const { tables } = JSON.parse(readFileSync(`${folder}results/${version}/latest.json`, 'utf8'))
    for (const { title, rows: each } of tables) {
      for (const row of each) {
        for (const [column, cell] of Object.entries(row)) {
          if (cell?.value === undefined) continue
          const name = `${title}: ${Object.values(row)[0]}: ${column}`
          rows.set(name, { ...rows.get(name), bound: cell.atMost ?? cell.atLeast, [version]: cell })
        }
      }
    }
  }
  const table = [...rows].map(([name, { bound, ...cells }]) => ({
    bound: name,
    'must be': bound,
    ...Object.fromEntries(versions.map((version) => [version, cells[version] && textOf(cells[version])])),
  }))
  return `# Bounds\n\nWritten by \`npm run bench -- --every-node\`. What misses its bound is bold.\n\n${toMarkdown(table)}\n`
}

function textOf({ value, atMost = Infinity, atLeast = -Infinity }) {
  return value <= atMost && value >= atLeast ? String(value) : `**${value}**`
}
