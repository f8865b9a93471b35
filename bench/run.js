import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { install } from '../tools/install.js'
import { http } from './parts/http.js'
import { memory } from './parts/memory.js'
import { scaling } from './parts/scaling.js'
import { size } from './parts/size.js'
import { start } from './parts/start.js'
import { recognize, refuse, v2, verify } from './parts/verifier.js'
import { boundsByVersion, missed, toMarkdown, writeResults } from './report.js'

const PARTS = { verify, v2, refuse, recognize, http, memory, start, size, scaling }
/** Parts that run only when they are named: they need servers, and time. */
const ON_REQUEST = ['scaling']
const PACE = { rounds: 15, loadRounds: 3, loadSeconds: 4 }
const QUICK_PACE = { rounds: 2, loadRounds: 1, loadSeconds: 1 }
const RESULTS = fileURLToPath(new URL('results', import.meta.url))
const NODES = fileURLToPath(new URL('nodes', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    'load-seconds': { type: 'string' },
    hosts: { type: 'string' },
    nodes: { type: 'string' },
    output: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) throw new TypeError(`Unknown part ${unknown}; expected ${Object.keys(PARTS)}`)

if (values.nodes === undefined) await runHere()
else runOn(values.nodes.split(','))

async function runHere() {
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
    const isWanted = positionals.length === 0 ? !ON_REQUEST.includes(name) : positionals.includes(name)
    if (!isWanted) continue
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
}

/** The same run with each of these versions of Node, one after the other, and a table of the bounds on all that are kept. */
function runOn(versions) {
  install(NODES)
  const folder = resolve(values.output ?? RESULTS)
  const passedOn = ['hosts', 'rounds', 'load-seconds'].filter((name) => values[name] !== undefined)
  const options = [...positionals, ...passedOn.map((name) => `--${name}=${values[name]}`)]
  if (values.quick) options.push('--quick')
  for (const version of versions) {
    const output = join(folder, `node-${version}`)
    const node = join(NODES, 'node_modules', `node-${version}`, 'bin/node')
    const { status } = spawnSync(node, [process.argv[1], ...options, '--output', output], {
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error(`The run with Node ${version} failed.`)
  }
  const kept = readdirSync(folder)
    .filter((name) => /^node-\d+$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name, 'latest.json'), 'utf8')))
  const page = `# Bounds\n\nWritten by \`npm run bench -- --nodes\`.\n\n${toMarkdown(boundsByVersion(kept))}\n`
  console.log(`\n${page}`)
  writeFileSync(join(folder, 'bounds.md'), page)
}
