import { arch, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { http } from './parts/http.js'
import { inbox } from './parts/inbox.js'
import { runtimes } from './parts/runtimes.js'
import { size } from './parts/size.js'
import { start } from './parts/start.js'
import { recognize, refuse, v2, verify } from './parts/verifier.js'
import { missed, toMarkdown, writeResults } from './report.js'

const PARTS = { verify, v2, refuse, recognize, http, start, size, inbox, runtimes }
const PACE = { rounds: 15, loadRounds: 3, loadSeconds: 4 }
const QUICK_PACE = { rounds: 2, loadRounds: 1, loadSeconds: 1 }
const RESULTS = fileURLToPath(new URL('results/latest.md', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    'load-seconds': { type: 'string' },
    hosts: { type: 'string' },
    output: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) throw new TypeError(`Unknown part ${unknown}; expected ${Object.keys(PARTS)}`)

const about = {
  node: process.versions.node,
  cpu: `${cpus()[0].model.trim()}, ${cpus().length} threads, ${arch()}`,
  date: new Date().toISOString().slice(0, 10),
}
console.log(`Node ${about.node}, ${about.cpu}`)

const options = {
  ...(values.quick ? QUICK_PACE : PACE),
  ...(values.rounds && { rounds: Number(values.rounds) }),
  ...(values['load-seconds'] && { loadSeconds: Number(values['load-seconds']) }),
  ...(values.hosts && { hosts: values.hosts.split(',') }),
}
const tables = []
for (const [name, part] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  for (const table of await part(options)) {
    console.log(`\n${table.title}\n\n${toMarkdown(table.rows)}`)
    tables.push(table)
  }
}
const misses = missed(tables)
console.log(misses.length === 0 ? '\nEvery bound holds.' : `\nMissed:\n${misses.join('\n')}`)

// A quick or partial run is kept only on request.
const isWhole = positionals.length === 0 && !values.quick && values.hosts === undefined
const output = values.output ?? (isWhole ? RESULTS : undefined)
if (output !== undefined) writeResults(output, about, tables)
