// Uses the packages as merchants do: installed from what npm would publish, in a project of their own.
//
//   node tools/consumers/run.js [--only <project>]
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { install } from '../install.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const nodeFolder = join(here, 'node-versions')

/** @type {{ devDependencies: Record<string, string> }} */
const { devDependencies } = JSON.parse(readFileSync(join(nodeFolder, 'package.json'), 'utf8'))
const nodes = Object.keys(devDependencies)
const [oldest = '', newest = ''] = nodes

/** @type {Record<string, string>} */
const NEXT = { 'next-15': '15.5.29', 'next-16': '16.4.6' }

// That which takes longest first. What the compiler accepts and Jest runs does not depend on the version of Node.
const PROJECTS = [
  ...Object.keys(NEXT).map((name) => ({ name, folder: name, nodes: [oldest], line: ['node', 'check.js'] })),
  { name: 'typescript', folder: 'project/typescript', nodes: [oldest], line: ['node', 'compile.js'] },
  {
    name: 'jest',
    folder: 'project',
    nodes: [newest],
    line: ['node', 'node_modules/jest/bin/jest.js', '--ci'],
  },
  { name: 'cjs', folder: 'project/cjs', nodes, line: ['node', '--test'] },
  { name: 'esm', folder: 'project/esm', nodes, line: ['node', '--test'] },
]

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
const tarballs = await pack()
await installProject('project', 'project')
const selected = PROJECTS.filter(({ name }) => values.only?.includes(name) ?? true)
for (const { name } of selected) if (name in NEXT) await installProject('next', name, { next: NEXT[name] })
const tasks = selected.flatMap((project) => project.nodes.map((node) => ({ ...project, node })))
const count = tasks.length
let failed = 0
await Promise.all([runTasks(), runTasks()])
console.log(
  `consumers: ${count - failed} of ${count} runs passed, in ${Math.round((Date.now() - started) / 1000)} s`,
)
process.exitCode = failed > 0 ? 1 : 0

async function runTasks() {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const { name, node, line } = task
    const env = {
      ...process.env,
      PATH: [join(nodeFolder, 'node_modules', node, 'bin'), process.env['PATH']].join(delimiter),
    }
    const { code, output } = await run(join(folder, task.folder), line, env)
    console.log(`${name}, ${node}: ${code === 0 ? 'passed' : `FAILED\n${output}`}`)
    if (code !== 0) failed += 1
  }
}

/** The file of every package that is published, by its name. */
async function pack() {
  const workspaces = readdirSync(join(root, 'packages')).flatMap((name) => {
    /** @type {{ private?: boolean }} */
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    return manifest.private === true ? [] : [`--workspace=packages/${name}`]
  })
  const options = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`]
  const output = await npm(root, ['pack', ...options, ...workspaces])
  // npm has printed both a list and an object by name.
  /** @type {Record<string, { name: string, filename: string }>} */
  const packed = JSON.parse(output)
  return Object.fromEntries(
    Object.values(packed).map(({ name, filename }) => [name, `file:${join(folder, filename)}`]),
  )
}

/**
 * @param {string} source
 * @param {string} name
 * @param {Record<string, string | undefined>} versions
 */
async function installProject(source, name, versions = {}) {
  const target = join(folder, name)
  cpSync(join(here, source), target, { recursive: true })
  const path = join(target, 'package.json')
  /** @type {{ dependencies: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const dependencies = { ...manifest.dependencies, ...versions, ...tarballs }
  // No registry has the packages, so they get each other from the same files.
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies, overrides: tarballs }))
  await npm(target, [
    'install',
    '--no-package-lock',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
async function npm(cwd, args) {
  const { code, stdout, output } = await run(cwd, ['npm', ...args])
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`)
  return stdout
}

/**
 * @param {string} cwd
 * @param {readonly string[]} line
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number | null, stdout: string, output: string }>}
 */
function run(cwd, [command = '', ...args], env = process.env) {
  // Nothing of the script that this runs in: npm passes on its own settings, Node its options.
  const caller = /^(?:npm_(?!config_)|npm_config_local_prefix$|NODE_OPTIONS$|NODE_V8_COVERAGE$)/i
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !caller.test(name)))
  const child = spawn(command, args, {
    cwd,
    env: { ...own, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // Together with what it started itself, such as compilers.
  const kill = () => child.pid !== undefined && process.kill(-child.pid)
  process.prependOnceListener('exit', kill)
  let stdout = ''
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    stdout += text
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text))
  child.once('exit', () => process.removeListener('exit', kill))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, stdout, output })
    })
  })
}
