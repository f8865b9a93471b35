// Uses the packages as merchants do: installed from tarballs as npm would publish them, in projects of their own. It
// needs a build.
//
//   npm run consumers -- [--only <project>]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { install } from '../install.js'
import { run } from '../npm.js'
import { installProject, packAll } from './installation.js'

/** @typedef {import('./installation.js').Installation} Installation */

const nodeFolder = fileURLToPath(new URL('../release', import.meta.url))
const OLDEST = 'node-20'
const BOTH = [OLDEST, 'node-26']
/** @type {Record<string, Record<string, string>>} the tested versions of Next */
const NEXT = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'))

/** @type {Record<string, Installation>} */
const INSTALLATIONS = {
  project: {
    template: 'project',
    copied: ['assert', 'events'].map((name) => [
      `packages/core/test/types/${name}.ts`,
      `typescript/src/${name}.ts`,
    ]),
  },
  sandbox: {
    template: 'sandbox',
    packages: ['audit', 'cli', 'core', 'explain', 'node', 'sandbox'],
    copied: ['jest', 'vitest'].map((name) => [`examples/${name}`, name]),
    isStrict: true,
  },
  'one-core': { template: 'one-core', packages: [] },
}
for (const [name, versions] of Object.entries(NEXT))
  INSTALLATIONS[name] = { template: 'next', packages: ['core', 'fetch', 'node'], versions }

const HOSTS = readdirSync(new URL('../../examples/hosts', import.meta.url))
for (const name of HOSTS)
  INSTALLATIONS[name] = {
    template: 'hosts',
    packages: ['audit', 'cli', 'core', 'explain', 'fetch', 'node'],
    copied: [[`examples/hosts/${name}`, '.']],
  }

/** What passes on which Node. The longest ones come first, and where the version makes no difference, there is one. */
const PROJECTS = [
  project(
    'typescript',
    'types from TypeScript 5.0 to 7.0, in five module modes',
    'project/typescript',
    [OLDEST],
    'compile.js',
  ),
  ...Object.keys(NEXT).map((name) =>
    project(
      name,
      'app routes on nodejs and edge, an API route, built without the secret',
      name,
      [OLDEST],
      'check.js',
    ),
  ),
  project(
    'sandbox',
    'npm --engine-strict on the oldest Node, the sandbox in Jest and in Vitest',
    'sandbox',
    BOTH,
    'check.js',
  ),
  project(
    'jest',
    'every host in CommonJS, two realms, jsdom',
    'project',
    ['node-26'],
    'node_modules/jest/bin/jest.js',
    '--ci',
  ),
  ...HOSTS.map((name) =>
    project(name, 'built without the secret, started, sent to and audited', name, ['node-26'], 'check.js'),
  ),
  project(
    'one-core',
    'npm refuses a second core, and installs the first with an adapter',
    'one-core',
    ['node-26'],
    'check.js',
  ),
  project('cjs', 'every entry and every host by require', 'project/cjs', BOTH, '--test'),
  project('esm', 'every entry and every host by import', 'project/esm', BOTH, '--test'),
]

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const unknown = values.only?.find((only) => PROJECTS.every(({ name }) => name !== only))
if (unknown !== undefined)
  throw new TypeError(`Unknown project "${unknown}"; expected ${PROJECTS.map(({ name }) => name).join(', ')}`)

const started = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'service-signature-consumers-'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true })
})

install(nodeFolder)
const tarballs = await packAll(folder)
/** @type {Map<string, Promise<void>>} */
const installed = new Map()
const tasks = PROJECTS.filter(({ name }) => values.only?.includes(name) ?? true).flatMap(
  ({ nodes, ...task }) => nodes.map((node) => ({ ...task, node })),
)
const count = tasks.length
let failed = 0
// Two at a time: while one downloads or waits for an answer, the other one computes.
await Promise.all([runTasks(), runTasks()])
console.log(`consumers: ${count - failed} of ${count} runs passed, in ${secondsSince(started)} s`)
if (failed > 0) process.exitCode = 1

/**
 * @param {string} name
 * @param {string} shows the result that is proven when it passes
 * @param {string} path an installation, and perhaps a folder in it
 * @param {readonly string[]} nodes the versions of Node
 * @param {string[]} line for Node
 */
function project(name, shows, path, nodes, ...line) {
  return { name, shows, path, nodes, line: ['node', ...line] }
}

async function runTasks() {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const { name, shows, path, node, line } = task
    const began = Date.now()
    const fault = await installOnce(path.replace(/\/.*/, ''))
      .then(() => run(join(folder, path), line, envWith(node)))
      .then(({ code, output }) => (code === 0 ? undefined : output), String)
    const result = fault === undefined ? `passed: ${shows}` : `FAILED\n${fault}`
    console.log(`${name}, ${node}, ${secondsSince(began)} s, ${result}`)
    if (fault !== undefined) failed += 1
  }
}

/** @param {string} name of an installation */
async function installOnce(name) {
  const installation = /** @type {Installation} */ (INSTALLATIONS[name])
  const result =
    installed.get(name) ?? installProject(join(folder, name), installation, tarballs, envWith(OLDEST))
  installed.set(name, result)
  await result
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
