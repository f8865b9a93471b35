import { arch, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { http } from './parts/http.js'
import { recognize } from './parts/recognize.js'
import { refuse } from './parts/refuse.js'
import { size } from './parts/size.js'
import { start } from './parts/start.js'
import { v2 } from './parts/v2.js'
import { verify } from './parts/verify.js'
import { missed } from './report/bounds.js'
import { toMarkdown } from './report/table.js'
import { writeResults } from './report/write.js'

const PARTS = { verify, v2, refuse, recognize, http, start, size }
const PACE = { rounds: 15, loadRounds: 5, loadSeconds: 4 }
const QUICK_PACE = { rounds: 2, loadRounds: 1, loadSeconds: 1 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, output: { type: 'string' } },
})
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) throw new TypeError(`No part ${unknown.join(', ')}; there are: ${Object.keys(PARTS)}`)

const about = {
  node: process.versions.node,
  cpu: `${cpus()[0].model.trim()}, ${cpus().length} threads, ${arch()}`,
  date: new Date().toISOString().slice(0, 10),
}
console.log(`Node ${about.node}, ${about.cpu}`)

const tables = []
for (const [name, part] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  for (const table of await part(values.quick ? QUICK_PACE : PACE)) {
    console.log(`\n${table.title}\n\n${toMarkdown(table.rows)}`)
    tables.push(table)
  }
}

const misses = missed(tables)
console.log(misses.length === 0 ? '\nEvery bound holds.' : `\nMissed:\n${misses.join('\n')}`)

// What is kept is a whole run, and not a quick one, unless it is asked for.
const isWhole = positionals.length === 0
const output = values.output ?? (values.quick ? undefined : 'results')
if (isWhole && output !== undefined) await writeResults(output, about, tables)
