import { arch, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { http } from './parts/http.js'
import { size } from './parts/size.js'
import { start } from './parts/start.js'
import { recognize, refuse, v2, verify } from './parts/verifier.js'
import { missed, toMarkdown, writeResults } from './report.js'

const PARTS = { verify, v2, refuse, recognize, http, start, size }
const PACE = { rounds: 15, loadRounds: 5, loadSeconds: 4 }
const QUICK_PACE = { rounds: 2, loadRounds: 1, loadSeconds: 1 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, output: { type: 'string' } },
})
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) throw new TypeError(`Unknown part ${unknown}; expected ${Object.keys(PARTS)}`)

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

// Only a whole run is kept, and a quick one only on request.
const output = values.output ?? (values.quick ? undefined : 'results')
if (positionals.length === 0 && output !== undefined) writeResults(output, about, tables)
