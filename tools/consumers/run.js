// Uses the packages as merchants do: installed from tarballs as npm would publish them, in projects of their own. It
// needs a build.
//
//   npm run consumers -- [--only <project>]
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { install } from '../install.js'
import { run, succeed } from '../npm.js'
import { packAll, published } from './installation.js'

/**
 * @typedef {object} Installation
 * @property {string} template the folder next to this file that is copied
 * @property {readonly string[]} [packages] of this repository that it depends on; all of them by default
 * @property {Readonly<Record<string, string>>} [versions] of its host
 * @property {[from: string, to: string][]} [copied] files of the repository, and their places
 * @property {boolean} [isStrict] npm on the oldest Node must find no package that needs a later one
 *
 * @typedef {readonly [name: string, nodes: readonly string[], folder: string, line: string, shows: string]} Project The line
 * is for Node, in a folder of an installation; what it shows is proven when it passes.
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const nodeFolder = join(root, 'tools/release')
const [OLDEST, NEWEST] = ['node-20', 'node-26']
const BOTH = [OLDEST, NEWEST]
const OPTIONS = ['--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
/** @type {Record<string, Record<string, string>>} the tested versions of Next */
const NEXT = JSON.parse(readFileSync(join(here, 'versions.json'), 'utf8'))
const HOSTS = readdirSync(join(root, 'examples/hosts'))

const host = { template: 'hosts', packages: ['audit', 'cli', 'core', 'explain', 'fetch', 'node'] }
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
  INSTALLATIONS[name] = { ...host, versions, copied: [['tools/consumers/next', '.']] }
for (const name of HOSTS) INSTALLATIONS[name] = { ...host, copied: [[`examples/hosts/${name}`, '.']] }

/** @type {readonly Project[]} The longest ones come first, and where the version of Node makes no difference, there is one. */
const PROJECTS = [
  [
    'typescript',
    [OLDEST],
    'project/typescript',
    'compile.js',
    'types from TypeScript 5.0 to 7.0, in five modes',
  ],
  ...Object.keys(NEXT).map((name) => hosted(name, OLDEST)),
  [
    'sandbox',
    BOTH,
    'sandbox',
    'check.js',
    'npm --engine-strict on the oldest Node, the sandbox in Jest and Vitest',
  ],
  [
    'jest',
    [NEWEST],
    'project',
    'node_modules/jest/bin/jest.js --ci',
    'every host in CommonJS, two realms, jsdom',
  ],
  ...HOSTS.map((name) => hosted(name, NEWEST)),
  [
    'one-core',
    [NEWEST],
    'one-core',
    'check.js',
    'npm refuses a second core, and installs the first with an adapter',
  ],
  ['cjs', BOTH, 'project/cjs', '--test', 'every entry and every host by require'],
  ['esm', BOTH, 'project/esm', '--test', 'every entry and every host by import'],
]

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const unknown = values.only?.find((only) => PROJECTS.every(([name]) => name !== only))
if (unknown !== undefined)
  throw new TypeError(`Unknown project "${unknown}"; expected ${PROJECTS.map(([name]) => name).join(', ')}`)

const started = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'service-signature-consumers-'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true })
})

install(nodeFolder)
const tarballs = await packAll(folder)
/** @type {Map<string, Promise<unknown>>} */
const installed = new Map()
const tasks = PROJECTS.filter(([name]) => values.only?.includes(name) ?? true).flatMap(
  ([name, nodes, ...rest]) => nodes.map((node) => /** @type {const} */ ([name, node, ...rest])),
)
const count = tasks.length
let failed = 0
// Two at a time: while one downloads or waits for an answer, the other one computes.
await Promise.all([runTasks(), runTasks()])
console.log(`consumers: ${count - failed} of ${count} runs passed, in ${secondsSince(started)} s`)
if (failed > 0) process.exitCode = 1

/**
 * @param {string} name
 * @param {string} node
 * @returns {Project}
 */
function hosted(name, node) {
  return [name, [node], name, 'check.js', 'built without the secret, started, sent to and audited']
}

async function runTasks() {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const [name, node, path, line, shows] = task
    const began = Date.now()
    const fault = await installOnce(path.replace(/\/.*/, ''))
      .then(() => run(join(folder, path), ['node', ...line.split(' ')], envWith(node)))
      .then(({ code, output }) => (code === 0 ? undefined : output), String)
    const result = fault === undefined ? `passed: ${shows}` : `FAILED\n${fault}`
    console.log(`${name}, ${node}, ${secondsSince(began)} s, ${result}`)
    if (fault !== undefined) failed += 1
  }
}

/** @param {string} name of an installation */
async function installOnce(name) {
  const installation = /** @type {Installation} */ (INSTALLATIONS[name])
  const result = installed.get(name) ?? installProject(join(folder, name), installation)
  installed.set(name, result)
  await result
}

/**
 * @param {string} project the folder of a new one
 * @param {Installation} installation
 */
async function installProject(project, { template, packages, versions, copied = [], isStrict = false }) {
  for (const name of [template, 'shared']) cpSync(join(here, name), project, { recursive: true })
  for (const [from, to] of copied) cpSync(join(root, from), join(project, to), { recursive: true })
  const path = join(project, 'package.json')
  /** @type {{ dependencies: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const names = published
    .filter((each) => packages?.some((name) => each.folder.endsWith(name)) ?? true)
    .map((each) => each.manifest.name)
  const own = Object.fromEntries(names.map((name) => [name, tarballs[name]]))
  const dependencies = { ...manifest.dependencies, ...versions, ...own }
  // No registry has the packages, so they get each other from the same files.
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies, overrides: tarballs }))
  const line = ['npm', 'install', ...OPTIONS]
  if (isStrict) await succeed(project, [...line, '--engine-strict'], envWith(OLDEST))
  else await succeed(project, line)
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
