// Uses the packages as merchants do: installed from tarballs as npm would publish them, in projects of their own. It
// needs a build.
//
//   npm run consumers -- [--only <project>]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { install } from '../install.js'
import { installProject, pack, run } from './installation.js'
import { INSTALLATIONS, PROJECTS } from './projects.js'

const nodeFolder = fileURLToPath(new URL('node-versions', import.meta.url))
/** @type {{ devDependencies: Record<string, string> }} */
const { devDependencies } = JSON.parse(readFileSync(join(nodeFolder, 'package.json'), 'utf8'))
const [oldest = '', newest = ''] = Object.keys(devDependencies)
const NODES = { oldest, newest }

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const unknown = values.only?.find((only) => PROJECTS.every(({ name }) => name !== only))
if (unknown !== undefined) {
  console.error(`Unknown project "${unknown}". Projects: ${PROJECTS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const started = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'service-signature-consumers-'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true })
})

install(nodeFolder)
const tarballs = await pack(folder)
/** @type {Map<string, Promise<void>>} */
const installed = new Map()
const tasks = PROJECTS.filter(({ name }) => values.only?.includes(name) ?? true).flatMap((project) =>
  project.nodes.map((node) => ({ ...project, node: NODES[node] })),
)
const count = tasks.length
let failed = 0
// Two at a time: while one downloads or waits for an answer, the other one computes.
await Promise.all([runTasks(), runTasks()])
console.log(`consumers: ${count - failed} of ${count} runs passed, in ${secondsSince(started)} s`)
if (failed > 0) process.exitCode = 1

async function runTasks() {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const { name, node, shows } = task
    const began = Date.now()
    const fault = await faultOf(task).catch((/** @type {unknown} */ error) => String(error))
    const result = fault === undefined ? `passed: ${shows}` : `FAILED\n${fault}`
    console.log(`${name}, ${node}, ${secondsSince(began)} s, ${result}`)
    if (fault !== undefined) failed += 1
  }
}

/**
 * The output of a project that failed.
 *
 * @param {Omit<import('./projects.js').Project, 'nodes'> & { node: string }} task
 */
async function faultOf({ installation, folder: subfolder = '', node, line }) {
  await installOnce(installation)
  const { code, output } = await run(join(folder, installation, subfolder), line, envWith(node))
  return code === 0 ? undefined : output
}

/** @param {string} name */
function installOnce(name) {
  const first = installed.get(name)
  if (first !== undefined) return first
  const installation = INSTALLATIONS[name]
  if (installation === undefined) throw new Error(`There is no installation "${name}"`)
  const result = installProject(join(folder, name), installation, tarballs, envWith(NODES.oldest))
  installed.set(name, result)
  return result
}

/**
 * The environment in which `node` is this one.
 *
 * @param {string} node
 */
function envWith(node) {
  const PATH = [join(nodeFolder, 'node_modules', node, 'bin'), process.env['PATH']].join(delimiter)
  return { ...process.env, PATH }
}

/** @param {number} time */
function secondsSince(time) {
  return Math.round((Date.now() - time) / 1000)
}
